"""Compares the study with its batch or collection; long layouts in a thread."""

import asyncio
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QObject, Signal

from batchwright.client.published_content import ContentComparison
from batchwright.layout.item_types.registry import Item
from batchwright.layout.model import Layout
from batchwright.local.projects import LastSent
from batchwright.ui.core.background_tasks import Tasks

MAX_ITEMS_AT_ONCE = 500
"""The number of items up to which a study, batch or collection is read and compared without a thread."""


class _Resource(Protocol):
    """A batch or collection."""

    @property
    def id(self) -> str:
        """Its id."""


class _Content(Protocol):
    """What a study defines."""

    @property
    def layout(self) -> Layout:
        """Its pages."""


R = TypeVar("R", bound=_Resource)
C = TypeVar("C", bound=_Content)


class ContentComparer(QObject, Generic[R, C]):
    """Caches how a batch or collection and the study differ, until one of them changes.

    Args:
        task: the name of the task that compares long layouts.
        compare: compares both; the third argument is what was last sent, if known.
        item_count: returns the number of items of the batch or collection.
        tasks: runs the task.
    """

    changed = Signal()
    """The comparison of a long layout has ended."""

    def __init__(
        self,
        task: str,
        compare: Callable[[R, C, LastSent | None], ContentComparison],
        item_count: Callable[[R], int],
        tasks: Tasks,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._task, self._compare, self._item_count, self._tasks = task, compare, item_count, tasks
        self._inputs: tuple[R, C, LastSent | None] | None = None
        self._result: ContentComparison | None = None

    def comparison(self, remote: R, desired: C, last: LastSent | None) -> ContentComparison | None:
        """How both differ.

        While a long layout is compared, this is the result from before the change; None if there is none.
        """
        previous = self._inputs
        if previous is not None and previous[0] is remote and previous[1:] == (desired, last):
            return self._result
        self._inputs = remote, desired, last
        if self._is_short(remote, desired):
            self._result = self._compare(remote, desired, last)
            return self._result
        if previous is None or previous[0].id != remote.id:
            self._result = None
        self._tasks.start(self._task, self._compare_in_thread)
        return self._result

    def _is_short(self, remote: R, desired: C) -> bool:
        return max(desired.layout.count(Item), self._item_count(remote)) <= MAX_ITEMS_AT_ONCE

    async def _compare_in_thread(self) -> None:
        """Compare until the result is that of the latest contents."""
        compared = None
        while self._inputs is not None and self._inputs is not compared:
            compared = self._inputs
            self._result = await asyncio.to_thread(self._compare, *compared)
        self.changed.emit()
