"""Syncing a batch: the service creates tasks for records appended to its dataset; the sync is polled.

Auto-sync, which creates such tasks without a request, is switched here too (specification, Batches rules 6
and 7).
"""

import asyncio
from functools import partial

from batchwright.api.http.errors import ApiError, BadRequest
from batchwright.api.http.retry import is_retryable, retries_reported
from batchwright.base.i18n import _
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobKind
from batchwright.client.resilient_run import RecoveryHooks, run_resiliently
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


async def sync(
    context: WorkflowContext,
    batch_id: str,
    title: str,
    *,
    is_v3: bool = False,
    hooks: RecoveryHooks | None = None,
) -> SyncJob:
    """Sync a batch, and wait until the sync has ended (specification, Batches rule 7).

    A sync that fails is requested again after a pause, because it overlapped a write to the dataset (Datasets
    rule 4). This creates no task twice: each sync resumes where the previous one stopped. If a response was
    lost, the request is repeated, and the second sync has nothing to create: the tasks of the batch are
    counted then. Outages are handled here with `hooks`: retrying all of it would start another sync.

    Args:
        context: the context of the connection.
        batch_id: the batch.
        title: the name of the job in the list of jobs.
        is_v3: whether the batch has a V3 dataset, which the service may refuse to sync.
        hooks: as in `run_resiliently`.

    Raises:
        V3NotSynced: the service rejected the request, and the dataset is a V3 dataset.
        SyncFailed: the sync failed in every attempt, or ended with an unknown status.
        JobUnreachable: the sync continues, but cannot be polled at the moment.
        ApiError: a request failed permanently.
    """
    is_repeated = False

    async def fetch(context: WorkflowContext) -> Batch:
        return await context.service.batches.get(batch_id)

    async def request(context: WorkflowContext) -> SyncJob:
        with retries_reported(on_retry):
            return await context.service.batches.sync(batch_id)

    def on_retry(error: ApiError) -> None:
        nonlocal is_repeated
        is_repeated = is_repeated or not is_retryable(error, repeatable=False)

    before = await run_resiliently(context, fetch, hooks)
    poll_intervals = iter(context.jobs.poll_intervals())
    for attempts_left in reversed(range(_MAX_ATTEMPTS)):
        try:
            started = await run_resiliently(context, request, hooks)
        except BadRequest as error:
            if is_v3:
                raise V3NotSynced(error.response.message) from error
            raise
        job = await run_resiliently(
            context, partial(_wait_for_end, job=started, batch_id=batch_id, title=title), hooks
        )
        if job.status == SyncStatus.COMPLETE and is_repeated:
            after = await run_resiliently(context, fetch, hooks)
            created = after.total_task_count - before.total_task_count
            return job.model_copy(update={"tasks_created": created})
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
