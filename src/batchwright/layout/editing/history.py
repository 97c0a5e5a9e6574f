"""Undo and redo by storing values, such as layouts or studies, which share their unchanged parts.

A `History` is immutable. It is not saved with the study, and its length is not limited.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")


class LabelledChange(Protocol[T]):
    """A change of a value, such as an edit of a layout."""

    @property
    def label(self) -> str:
        """The name in the undo menu, in English; translated where it is shown."""

    def __call__(self, value: T, /) -> T:
        """The value afterwards; raises `EditRejected` if the change cannot be applied."""


@dataclass(frozen=True)
class HistoryEntry(Generic[T]):
    """One undo step: the label of its change, and the value to return to.

    Consecutive changes with the same merge key are one step: the characters typed into a field until it loses
    the focus.
    """

    label: str
    value: T
    merge_key: str | None = None
    attachment: object = None
    """What belongs to the step besides the value; restored by whoever undoes or redoes the step."""


@dataclass(frozen=True)
class History(Generic[T]):
    """The current value, the steps that can be undone, and those that can be redone (next one last)."""

    now: T
    past: tuple[HistoryEntry[T], ...] = ()
    future: tuple[HistoryEntry[T], ...] = ()

    @property
    def undo_label(self) -> str | None:
        """The label of the step that `undo` reverts; None when there is nothing to undo."""
        return self.past[-1].label if self.past else None

    @property
    def redo_label(self) -> str | None:
        """The label of the step that `redo` repeats; None when there is nothing to redo."""
        return self.future[-1].label if self.future else None

    def do(
        self, change: LabelledChange[T], merge_key: str | None = None, attachment: object = None
    ) -> "History[T]":
        """The history after a change; the same one when nothing changes, unless the step has an attachment.

        Raises:
            EditRejected: the change cannot be applied.
        """
        after = change(self.now)
        if after == self.now and attachment is None:
            return self
        if merge_key is None or self._merge_key != merge_key:
            step = HistoryEntry(change.label, self.now, merge_key, attachment)
            return History(after, (*self.past, step))
        if after == self.past[-1].value and self.past[-1].attachment is None:
            return History(self.past[-1].value, self.past[:-1])
        return History(after, self.past)

    def with_step_closed(self) -> "History[T]":
        """The history with the last step closed, so that the next change is a separate step."""
        if self._merge_key is None:
            return self
        return replace(self, past=(*self.past[:-1], replace(self.past[-1], merge_key=None)))

    def undo(self) -> "History[T]":
        """The history one step back; the same one at the start."""
        if not self.past:
            return self
        step = self.past[-1]
        return History(step.value, self.past[:-1], (*self.future, self._reversed(step)))

    def redo(self) -> "History[T]":
        """The history one step forward; the same one at the end."""
        if not self.future:
            return self
        step = self.future[-1]
        return History(step.value, (*self.past, self._reversed(step)), self.future[:-1])

    def mapped(self, function: Callable[[T], T]) -> "History[T]":
        """The history with a function applied to its values, for what must not be undone."""
        past, future = (
            tuple(replace(step, value=function(step.value)) for step in steps)
            for steps in (self.past, self.future)
        )
        return History(function(self.now), past, future)

    def without(self, condition: Callable[[HistoryEntry[T]], bool]) -> "History[T]":
        """The history without some steps, which can no longer be taken back by themselves."""
        past, future = (
            tuple(step for step in steps if not condition(step)) for steps in (self.past, self.future)
        )
        return History(self.now, past, future)

    def _reversed(self, step: HistoryEntry[T]) -> HistoryEntry[T]:
        """The step that leads back to the current value, once this one was undone or redone."""
        return replace(step, value=self.now, merge_key=None)

    @property
    def _merge_key(self) -> str | None:
        """The merge key of the last step; None after an undo, so that further typing is a new step."""
        return self.past[-1].merge_key if self.past and not self.future else None
