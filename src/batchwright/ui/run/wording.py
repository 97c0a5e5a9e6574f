"""Batches in words."""

from batchwright.ui.measures import records, tasks
from batchwright.wire.batches import Batch, BatchStatus


def holds(batch: Batch) -> str:
    """What a batch has to show: its tasks, or while there are none its records."""
    if batch.total_task_count or batch.status in (BatchStatus.READY, BatchStatus.ERROR):
        return tasks(batch.total_task_count)
    return records(sum(dataset.total_datapoint_count for dataset in batch.datasets))
