"""Batches and syncs in words."""

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.formatting import number, records, tasks
from batchwright.wire.batches import Batch, BatchStatus
from batchwright.wire.syncs import SyncJob


def dataset_record_count(batch: Batch) -> int:
    """How many records the dataset of a batch holds."""
    return sum(dataset.total_datapoint_count for dataset in batch.datasets)


def batch_size_text(batch: Batch) -> str:
    """What a batch has to show: its tasks, or while there are none its records."""
    if batch.total_task_count or batch.status in (BatchStatus.READY, BatchStatus.ERROR):
        return tasks(batch.total_task_count)
    return records(dataset_record_count(batch))


def sync_result_text(sync: SyncJob) -> str:
    """What a sync made; a group that was filled up need not be counted (wire.md 5.5)."""
    if not sync.tasks_created:
        return _("Nothing new: every record has its task.")
    opened, grown = sync.groups_created or 0, sync.groups_expanded or 0
    parts = [
        (ngettext("{count} task made", "{count} tasks made", sync.tasks_created), sync.tasks_created),
        (ngettext("{count} new group", "{count} new groups", opened), opened),
        (ngettext("{count} group grew", "{count} groups grew", grown), grown),
    ]
    return ", ".join(words.format(count=number(count)) for words, count in parts if count)
