"""Beginning again: what a service could not do, and asks to try again, is asked for once more."""

from collections.abc import Awaitable, Callable, Mapping

from batchwright.jobs.sights import Ending, JobKind
from batchwright.local.job_rows import JobRow
from batchwright.workflows.workbench import Workbench


def can_begin_again(job: JobRow) -> bool:
    """Whether a job failed that a new request begins again.

    A sync that overlapped a write to its dataset asks for that (specification, Datasets rule 4), and after a
    failed export a new request starts another (Batches rule 9). A setup needs to be told what to make, and
    a file to be mended first: that is for their stages.
    """
    return job.ending == Ending.FAILED and job.kind in _REQUESTS


async def begin_again(bench: Workbench, job: JobRow) -> None:
    """Ask for what failed once more, and watch it from now on.

    Raises:
        ApiError: the request failed.
    """
    kind = JobKind(job.kind)
    subject = {name: str(id) for name, id in job.subject.items()}
    name, id = await _REQUESTS[kind](bench, subject)
    if id:
        await bench.watching.join(kind, {**subject, name: id}, job.title)


async def _sync(bench: Workbench, subject: Mapping[str, str]) -> tuple[str, str | None]:
    return "sync_id", (await bench.service.batches.sync(subject["batch_id"])).sync_id


async def _export(bench: Workbench, subject: Mapping[str, str]) -> tuple[str, str | None]:
    return "export_id", (await bench.service.exports.start(subject["batch_id"])).export_id


async def _collection_export(bench: Workbench, subject: Mapping[str, str]) -> tuple[str, str | None]:
    job = await bench.service.exports.start_of_collection(subject["collection_id"])
    return "export_id", job.export_id


_REQUESTS: Mapping[str, Callable[[Workbench, Mapping[str, str]], Awaitable[tuple[str, str | None]]]] = {
    JobKind.SYNC: _sync,
    JobKind.EXPORT: _export,
    JobKind.COLLECTION_EXPORT: _collection_export,
}
