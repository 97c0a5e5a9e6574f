"""The texts of batches and syncs."""

from batchwright.base.i18n import _, ngettext
from batchwright.base.local_formats import joined
from batchwright.ui.core.formatting import number, records, tasks
from batchwright.wire.batches import Batch, BatchStatus
from batchwright.wire.syncs import SyncJob


def dataset_record_count(batch: Batch) -> int:
    """Number of records in the dataset of a batch."""
    return sum(dataset.total_datapoint_count for dataset in batch.datasets)


def batch_size_text(batch: Batch) -> str:
    """The size of a batch: its number of tasks, or of records while there are no tasks."""
    if batch.total_task_count or batch.status in (BatchStatus.READY, BatchStatus.ERROR):
        return tasks(batch.total_task_count)
    return records(dataset_record_count(batch))


def task_summary(batch: Batch) -> str:
    """The number of tasks and groups of a batch."""
    groups = batch.total_task_groups or 0
    return ngettext("{tasks} in {count} group", "{tasks} in {count} groups", groups).format(
        tasks=tasks(batch.total_task_count), count=number(groups)
    )


def sync_result_text(sync: SyncJob) -> str:
    """What a sync created; a service may omit the number of groups that got further tasks."""
    if not sync.tasks_created:
        return _("Nothing new: every record already has a task.")
    opened, extended = sync.groups_created or 0, sync.groups_expanded or 0
    texts = [
        (ngettext("{count} task created", "{count} tasks created", sync.tasks_created), sync.tasks_created),
        (ngettext("{count} new group", "{count} new groups", opened), opened),
        (ngettext("{count} group extended", "{count} groups extended", extended), extended),
    ]
    return joined(text.format(count=number(count)) for text, count in texts if count)
