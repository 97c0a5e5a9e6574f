"""Undo and redo by storing layouts, which share their unchanged parts.

A `History` is immutable. It is not saved with the study, and its length is not limited.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from batchwright.layout.model import Layout

if TYPE_CHECKING:  # all edits would be imported with it, before a study is open
    from batchwright.layout.edits import Edit


@dataclass(frozen=True)
class HistoryEntry:
    """One undo step: the label of its edit, and the layout to return to.

    Consecutive edits with the same merge key are one step: the characters typed into a field until it loses
    the focus.
    """

    label: str
    layout: Layout
    merge_key: str | None = None


@dataclass(frozen=True)
class History:
    """The current layout, the steps that can be undone, and those that can be redone (next one last)."""

    now: Layout
    past: tuple[HistoryEntry, ...] = ()
    future: tuple[HistoryEntry, ...] = ()

    @property
    def undo_label(self) -> str | None:
        """The label of the step that `undo` reverts; None when there is nothing to undo."""
        return self.past[-1].label if self.past else None

    @property
    def redo_label(self) -> str | None:
        """The label of the step that `redo` repeats; None when there is nothing to redo."""
        return self.future[-1].label if self.future else None

    def do(self, edit: "Edit", merge_key: str | None = None) -> "History":
        """The history after an edit; the same one when the edit changes nothing.

        Raises:
            EditRejected: the edit cannot be applied.
        """
        after = edit(self.now)
        if after == self.now:
            return self
        if merge_key is None or self._merge_key != merge_key:
            return History(after, (*self.past, HistoryEntry(edit.label, self.now, merge_key)))
        if after == self.past[-1].layout:
            return History(self.past[-1].layout, self.past[:-1])
        return History(after, self.past)

    def with_step_closed(self) -> "History":
        """The history with the last step closed, so that the next edit is a separate step."""
        if self._merge_key is None:
            return self
        return replace(self, past=(*self.past[:-1], replace(self.past[-1], merge_key=None)))

    def undo(self) -> "History":
        """The history one step back; the same one at the start."""
        if not self.past:
            return self
        step = self.past[-1]
        return History(step.layout, self.past[:-1], (*self.future, HistoryEntry(step.label, self.now)))

    def redo(self) -> "History":
        """The history one step forward; the same one at the end."""
        if not self.future:
            return self
        step = self.future[-1]
        return History(step.layout, (*self.past, HistoryEntry(step.label, self.now)), self.future[:-1])

    @property
    def _merge_key(self) -> str | None:
        """The merge key of the last step; None after an undo, so that further typing is a new step."""
        return self.past[-1].merge_key if self.past and not self.future else None
