"""Retrying jobs that failed at the service and can be requested again: syncs and exports."""

from collections.abc import Awaitable, Callable, Mapping

from batchwright.api.http.errors import UnexpectedResponse
from batchwright.base.i18n import _
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import (
    JobKind,
    JobOutcome,
    JobStatus,
    export_job_status,
    sync_job_status,
)
from batchwright.local.job_table import JobRow


def can_retry(job: JobRow) -> bool:
    """Whether a job failed and can be requested again unchanged.

    The service asks for that if a sync overlapped a write to its dataset (specification, Datasets rule 4);
    after a failed export a new request starts another (Batches rule 9). A setup needs the user's options, and
    an import a corrected file, so these are retried in their stages.
    """
    return job.outcome == JobOutcome.FAILED and job.kind in _REQUESTS


async def retry_job(context: WorkflowContext, job: JobRow) -> None:
    """Request a failed job again, and monitor it.

    A job that ends immediately need not have an id; its outcome is then recorded from the response.

    Raises:
        UnexpectedResponse: the job is running, but the response has no id to poll it with.
        ApiError: the request failed.
    """
    kind = JobKind(job.kind)
    subject = {name: str(id) for name, id in job.subject.items()}
    name, id, status = await _REQUESTS[kind](context, subject)
    if id:
        await context.jobs.monitor_unless_open(kind, {**subject, name: id}, job.title)
    elif status.is_settled:
        await context.jobs.record_retried(job, status)
    else:
        raise UnexpectedResponse(job.title, _("the response has no id"))


_StartedJob = tuple[str, str | None, JobStatus]
"""The name of the property with the job's id, the id if there is one, and the status."""


async def _sync(context: WorkflowContext, subject: Mapping[str, str]) -> _StartedJob:
    job = await context.service.batches.sync(subject["batch_id"])
    return "sync_id", job.sync_id, sync_job_status(job)


async def _export(context: WorkflowContext, subject: Mapping[str, str]) -> _StartedJob:
    job = await context.service.exports.start(subject["batch_id"])
    return "export_id", job.export_id, export_job_status(job)


async def _collection_export(context: WorkflowContext, subject: Mapping[str, str]) -> _StartedJob:
    job = await context.service.exports.start_of_collection(subject["collection_id"])
    return "export_id", job.export_id, export_job_status(job)


_REQUESTS: Mapping[str, Callable[[WorkflowContext, Mapping[str, str]], Awaitable[_StartedJob]]] = {
    JobKind.SYNC: _sync,
    JobKind.EXPORT: _export,
    JobKind.COLLECTION_EXPORT: _collection_export,
}
