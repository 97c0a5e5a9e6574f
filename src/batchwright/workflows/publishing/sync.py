"""Syncing a batch: the service creates tasks for records appended to its dataset; the sync is polled.

Auto-sync, which creates such tasks without a request, is switched here too (specification, Batches rules 6
and 7).
"""

import asyncio

from batchwright.api.http.errors import BadRequest
from batchwright.base.i18n import _
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobKind
from batchwright.wire.batches import Batch, BatchUpdate
from batchwright.wire.syncs import SyncJob, SyncStatus
from batchwright.workflows.publishing.edit_batch import edit_batch


async def set_auto_sync(context: WorkflowContext, batch_id: str, *, is_on: bool) -> Batch:
    """Switch auto-sync on or off, and change nothing else; repeated once if the response is lost.

    Raises:
        ApiError: a request failed permanently.
    """
    return await edit_batch(context, batch_id, BatchUpdate(auto_sync_enabled=is_on))


_MAX_ATTEMPTS = 5
"""How often a sync is requested that fails because it overlaps a write to the dataset."""


class SyncFailed(Exception):
    """A sync ended without creating its tasks; the text is the service's reason."""


class V3NotSynced(Exception):
    """The service refused to sync a batch with a V3 dataset; the text is the service's.

    Wire reference, section 5.5.
    """


async def sync(context: WorkflowContext, batch_id: str, title: str, *, is_v3: bool = False) -> SyncJob:
    """Sync a batch, and wait until the sync has ended (specification, Batches rule 7).

    A sync that fails is requested again after a pause, because it overlapped a write to the dataset (Datasets
    rule 4). This creates no task twice: each sync resumes where the previous one stopped.

    Args:
        context: the context of the connection.
        batch_id: the batch.
        title: the name of the job in the list of jobs.
        is_v3: whether the batch has a V3 dataset, which the service may refuse to sync.

    Raises:
        V3NotSynced: the service rejected the request, and the dataset is a V3 dataset.
        SyncFailed: the sync failed in every attempt, or ended with an unknown status.
        JobUnreachable: the sync continues, but cannot be polled at the moment.
        ApiError: a request failed permanently.
    """
    poll_intervals = iter(context.jobs.poll_intervals())
    for attempts_left in reversed(range(_MAX_ATTEMPTS)):
        try:
            started = await context.service.batches.sync(batch_id)
        except BadRequest as error:
            if is_v3:
                raise V3NotSynced(error.response.message) from error
            raise
        job = await _wait_for_end(context, started, batch_id, title)
        if job.status == SyncStatus.COMPLETE:
            return job
        if job.status != SyncStatus.FAILED or not attempts_left:
            break
        context.notify(_("The sync failed: {reason}").format(reason=job.reason or job.status))
        await asyncio.sleep(next(poll_intervals))
    raise SyncFailed(job.reason or job.status)


async def _wait_for_end(context: WorkflowContext, job: SyncJob, batch_id: str, title: str) -> SyncJob:
    """The ended job; one that ends immediately need not have an id (wire reference, 5.5)."""
    if job.settled or not job.sync_id:
        return job
    subject = {"batch_id": batch_id, "sync_id": job.sync_id}
    async for _status in context.jobs.statuses(JobKind.SYNC, subject, title):
        pass
    return await context.service.batches.sync_job(batch_id, job.sync_id)
