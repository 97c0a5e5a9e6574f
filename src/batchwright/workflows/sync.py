"""Syncing: a batch gets tasks for what was appended to its dataset, watched until they are there."""

import asyncio

from batchwright.api.errors import BadRequest
from batchwright.base.i18n import _
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobKind
from batchwright.wire.syncs import SyncJob, SyncStatus

_MAX_ATTEMPTS = 5
"""How often a sync is asked for that a write to the dataset gets in the way of."""


class SyncFailed(Exception):
    """A sync ended without its tasks; the text is the service's reason."""


class V3NotSynced(Exception):
    """The service refused to sync a batch with a V3 dataset; the text is what it says.

    Wire reference, section 5.5.
    """


async def sync(bench: WorkflowContext, batch_id: str, title: str, *, is_v3: bool = False) -> SyncJob:
    """Sync a batch, and wait until that has ended (specification, Batches rule 7).

    One that fails is asked for again after a pause: it overlapped a write to the dataset (Datasets rule 4).
    Doing it twice makes no task twice, since each sync goes on where the one before has stopped.

    Args:
        bench: the service.
        batch_id: of the batch.
        title: the name of the job in Jobs.
        is_v3: whether the batch has a V3 dataset, which the service may refuse to sync.

    Raises:
        V3NotSynced: the service refused, and the dataset is a V3 one.
        SyncFailed: the service could not do it.
        JobUnreachable: the sync goes on, and cannot be seen at the moment.
        ApiError: a request failed for good.
    """
    pauses = iter(bench.jobs.poll_intervals())
    for left in reversed(range(_MAX_ATTEMPTS)):
        try:
            started = await bench.service.batches.sync(batch_id)
        except BadRequest as error:
            if is_v3:
                raise V3NotSynced(error.response.message) from error
            raise
        job = await _wait_for_end(bench, started, batch_id, title)
        if job.status == SyncStatus.COMPLETE:
            return job
        if job.status != SyncStatus.FAILED or not left:
            break
        bench.notify(_("The sync failed: {reason}").format(reason=job.reason or job.status))
        await asyncio.sleep(next(pauses))
    raise SyncFailed(job.reason or job.status)


async def _wait_for_end(bench: WorkflowContext, job: SyncJob, batch_id: str, title: str) -> SyncJob:
    """The job when it has ended; one that was over at once need not have an id (wire reference, 5.5)."""
    if job.settled or not job.sync_id:
        return job
    subject = {"batch_id": batch_id, "sync_id": job.sync_id}
    async for _sight in bench.jobs.statuses(JobKind.SYNC, subject, title):
        pass
    return await bench.service.batches.sync_job(batch_id, job.sync_id)
