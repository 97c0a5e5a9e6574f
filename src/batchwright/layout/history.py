"""Undo and redo: the layouts themselves are kept, which share what is unchanged.

A `History` is a value. It lives as long as its window, knows nothing of saving, and has no limit.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from batchwright.layout.model import Layout

if TYPE_CHECKING:  # all edits would be imported with it, before a study is open
    from batchwright.layout.edits.base import Edit


@dataclass(frozen=True)
class HistoryEntry:
    """One thing done: what it was called (the label of its edit), and the layout on its other side.

    Steps with the same stroke, one right after the other, are one step: the letters typed into
    a field until it is left.
    """

    label: str
    layout: Layout
    stroke: str | None = None


@dataclass(frozen=True)
class History:
    """The layout now, the steps that led to it, and those taken back, the next to redo last."""

    now: Layout
    past: tuple[HistoryEntry, ...] = ()
    future: tuple[HistoryEntry, ...] = ()

    @property
    def undo_label(self) -> str | None:
        """What `undo` would take back; None when there is nothing."""
        return self.past[-1].label if self.past else None

    @property
    def redo_label(self) -> str | None:
        """What `redo` would do again; None when there is nothing."""
        return self.future[-1].label if self.future else None

    def do(self, edit: "Edit", merge_key: str | None = None) -> "History":
        """The history after an edit; the same one when the edit changes nothing.

        Raises:
            EditRejected: the edit cannot be done.
        """
        after = edit(self.now)
        if after == self.now:
            return self
        if merge_key is None or self._stroke != merge_key:
            return History(after, (*self.past, HistoryEntry(edit.label, self.now, merge_key)))
        if after == self.past[-1].layout:
            return History(self.past[-1].layout, self.past[:-1])
        return History(after, self.past)

    def lifted(self) -> "History":
        """The history with the pen lifted: whatever comes next is a step of its own."""
        if self._stroke is None:
            return self
        return replace(self, past=(*self.past[:-1], replace(self.past[-1], stroke=None)))

    def undo(self) -> "History":
        """One step back; the same history at the start."""
        if not self.past:
            return self
        step = self.past[-1]
        return History(step.layout, self.past[:-1], (*self.future, HistoryEntry(step.label, self.now)))

    def redo(self) -> "History":
        """One step forward again; the same history at the end."""
        if not self.future:
            return self
        step = self.future[-1]
        return History(step.layout, (*self.past, HistoryEntry(step.label, self.now)), self.future[:-1])

    @property
    def _stroke(self) -> str | None:
        """The stroke that may go on: none after an undo, so that what was typed before stays its own step."""
        return self.past[-1].stroke if self.past and not self.future else None
