"""In which order the batches of a workspace are listed; that of the study is always the first."""

from collections.abc import Callable, Iterable
from enum import Enum

from batchwright.base.i18n import N_
from batchwright.wire.batches import Batch, BatchStatus


class SortOrder(Enum):
    """What batches are listed by."""

    NEWEST = N_("Newest first")
    NAME = N_("By name")
    STATUS = N_("By status")
    TASKS = N_("Most tasks first")


_STATUSES = (BatchStatus.PROCESSING, BatchStatus.ERROR, BatchStatus.UNINITIALISED, BatchStatus.READY)
"""First what something happens to, or has to be done about."""

_KEYS: dict[SortOrder, Callable[[Batch], object]] = {
    SortOrder.NEWEST: lambda batch: -batch.created_at.timestamp() if batch.created_at else 0.0,
    SortOrder.NAME: lambda batch: batch.name.casefold(),
    SortOrder.STATUS: lambda batch: _STATUSES.index(batch.status) if batch.status in _STATUSES else -1,
    SortOrder.TASKS: lambda batch: -batch.total_task_count,
}


def sorted_batches(batches: Iterable[Batch], order: SortOrder, own: str) -> tuple[Batch, ...]:
    """The batches in an order; those that are alike in it stay as the service has them, the newest first."""
    key = _KEYS[order]
    return tuple(sorted(batches, key=lambda batch: (batch.id != own, key(batch))))
