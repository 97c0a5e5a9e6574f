"""Beginning again: what a service could not do, and asks to try again, is asked for once more."""

from collections.abc import Awaitable, Callable, Mapping

from batchwright.api.errors import UnexpectedResponse
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
    """Whether a job failed that a new request begins again.

    A sync that overlapped a write to its dataset asks for that (specification, Datasets rule 4), and after a
    failed export a new request starts another (Batches rule 9). A setup needs to be told what to make, and
    a file to be mended first: that is for their stages.
    """
    return job.ending == JobOutcome.FAILED and job.kind in _REQUESTS


async def retry_job(bench: WorkflowContext, job: JobRow) -> None:
    """Ask for what failed once more, and watch it from now on.

    What is over at once need not have an id: then the job itself says how it came out.

    Raises:
        UnexpectedResponse: it goes on, and has no id to ask for it by.
        ApiError: the request failed.
    """
    kind = JobKind(job.kind)
    subject = {name: str(id) for name, id in job.subject.items()}
    name, id, seen = await _REQUESTS[kind](bench, subject)
    if id:
        await bench.jobs.watch_unless_known(kind, {**subject, name: id}, job.title)
    elif seen.is_settled:
        await bench.jobs.record_retried(job, seen)
    else:
        raise UnexpectedResponse(job.title, _("the response has no id"))


_StartedJob = tuple[str, str | None, JobStatus]
"""What the id of a job is called, the id if it has one, and how it stands."""


async def _sync(bench: WorkflowContext, subject: Mapping[str, str]) -> _StartedJob:
    job = await bench.service.batches.sync(subject["batch_id"])
    return "sync_id", job.sync_id, sync_job_status(job)


async def _export(bench: WorkflowContext, subject: Mapping[str, str]) -> _StartedJob:
    job = await bench.service.exports.start(subject["batch_id"])
    return "export_id", job.export_id, export_job_status(job)


async def _collection_export(bench: WorkflowContext, subject: Mapping[str, str]) -> _StartedJob:
    job = await bench.service.exports.start_of_collection(subject["collection_id"])
    return "export_id", job.export_id, export_job_status(job)


_REQUESTS: Mapping[str, Callable[[WorkflowContext, Mapping[str, str]], Awaitable[_StartedJob]]] = {
    JobKind.SYNC: _sync,
    JobKind.EXPORT: _export,
    JobKind.COLLECTION_EXPORT: _collection_export,
}
