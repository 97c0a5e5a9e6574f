"""Syncing: a batch gets tasks for what was appended to its dataset, watched until they are there."""

from batchwright.jobs.polling import backoff, poll
from batchwright.wire.syncs import SyncJob, SyncStatus
from batchwright.words import _
from batchwright.workflows.workbench import Workbench

_TRIES = 5
"""How often a sync is asked for that a write to the dataset gets in the way of."""


class NotSynced(Exception):
    """A sync ended without its tasks; the text is the service's reason."""


async def sync(bench: Workbench, batch_id: str) -> SyncJob:
    """Sync a batch, and wait until that has ended (specification, Batches rule 7).

    One that fails is asked for again: it overlapped a write to the dataset (Datasets rule 4).

    Raises:
        NotSynced: the service could not do it.
        ApiError: a request failed for good.
    """
    for _attempt in range(_TRIES):
        job = await _ended(bench, await bench.service.batches.sync(batch_id), batch_id)
        if job.status == SyncStatus.COMPLETE:
            return job
        bench.tell(_("The sync did not work: {reason}").format(reason=job.reason or job.status))
    raise NotSynced(job.reason or job.status)


async def _ended(bench: Workbench, job: SyncJob, batch_id: str) -> SyncJob:
    """The job when it has ended; one that was over at once need not have an id (wire.md 5.5)."""
    if job.settled or not job.sync_id:
        return job
    sync_id = job.sync_id

    async def look() -> SyncJob:
        return await bench.service.batches.sync_job(batch_id, sync_id)

    async for seen in poll(look, lambda sight: sight.settled, backoff(0.2)):
        job = seen
    return job
