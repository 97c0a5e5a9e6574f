"""How a batch stands by its jobs, and by what was just asked for."""

from collections.abc import Sequence

from batchwright.client.job_monitoring.status import JobKind
from batchwright.local.job_table import JobRow
from batchwright.wire.batches import Batch, BatchStatus


def is_being_set_up(jobs: Sequence[JobRow]) -> bool:
    """Whether a setup is under way, as far as it is watched."""
    return any(job.kind == JobKind.SETUP and job.ending is None for job in jobs)


def ended_syncs(jobs: Sequence[JobRow]) -> frozenset[int]:
    """The syncs that have ended, as far as they were watched."""
    return frozenset(job.number for job in jobs if job.kind == JobKind.SYNC and job.ending is not None)


def with_status(batch: Batch, status: BatchStatus) -> Batch:
    """A batch as it is known to be before it is looked at."""
    return batch.model_copy(update={"status": status})
