"""The sort order of the batches of a workspace; that of the study always comes first."""

from collections.abc import Callable, Iterable
from enum import Enum

from batchwright.base.i18n import N_
from batchwright.wire.batches import Batch, BatchStatus


class SortOrder(Enum):
    """The order of the list."""

    NEWEST = N_("Newest first")
    NAME = N_("By name")
    STATUS = N_("By status")
    TASKS = N_("Most tasks first")


_STATUSES = (BatchStatus.PROCESSING, BatchStatus.ERROR, BatchStatus.UNINITIALISED, BatchStatus.READY)
"""Statuses in sort order: first those that change or need attention."""

_KEYS: dict[SortOrder, Callable[[Batch], object]] = {
    SortOrder.NEWEST: lambda batch: -batch.created_at.timestamp() if batch.created_at else 0.0,
    SortOrder.NAME: lambda batch: batch.name.casefold(),
    SortOrder.STATUS: lambda batch: _STATUSES.index(batch.status) if batch.status in _STATUSES else -1,
    SortOrder.TASKS: lambda batch: -batch.total_task_count,
}


def sorted_batches(batches: Iterable[Batch], order: SortOrder, own: str) -> tuple[Batch, ...]:
    """The batches in an order; equal ones stay in the order of the service, newest first."""
    key = _KEYS[order]
    return tuple(sorted(batches, key=lambda batch: (batch.id != own, key(batch))))
