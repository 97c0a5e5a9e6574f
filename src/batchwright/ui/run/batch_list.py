"""The list of the batches of the workspace, in a chosen order, with that of the study first."""

from collections.abc import Callable
from enum import Enum

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import N_, _, ngettext
from batchwright.ui.content.resource_list import ListTexts, ResourceList, resource_row
from batchwright.ui.core.formatting import name_order, number
from batchwright.ui.run.labels import batch_size_text
from batchwright.ui.widgets.placeholders import EmptyState
from batchwright.ui.widgets.rows.values import ListRow, RowText
from batchwright.ui.widgets.statuses import BATCH, status_of
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
    SortOrder.NAME: lambda batch: name_order(batch.name),
    SortOrder.STATUS: lambda batch: _STATUSES.index(batch.status) if batch.status in _STATUSES else -1,
    SortOrder.TASKS: lambda batch: -batch.total_task_count,
}


class BatchList(ResourceList[Batch]):
    """The batches of the workspace."""

    def __init__(self, parent: QWidget | None = None) -> None:
        texts = ListTexts(
            _("Batches"), _("Search batches"), _("Sort batches"), _("No batch has this name"), _count_text
        )
        empty = EmptyState("stack", _("No batches yet"), _("Batches of the workspace appear here."))
        super().__init__(texts, _KEYS, _row, empty, parent)


def _count_text(found: int, count: int) -> str:
    text = ngettext("{count} batch", "{count} batches", count).format(count=number(count))
    if found == count:
        return text
    return _("{found} of {batches}").format(found=number(found), batches=text)


def _row(batch: Batch) -> ListRow:
    size = RowText(batch_size_text(batch), tone="text2", is_right=True)
    return resource_row(batch.name, [size], status_of(BATCH, batch.status))
