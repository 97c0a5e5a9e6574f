"""Uploading data: a V4 dataset is created, a file is sent to it, and its import is polled until it ends.

If the user does not see the end of an upload, its dataset and its checkpoint say what happened to it: the
import can be monitored again without a question, and a file is never sent without being asked for.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from batchwright.api.files.file_streams import OnProgress, TransferResult
from batchwright.api.http.errors import NotFound, UnexpectedResponse
from batchwright.base.i18n import _
from batchwright.client.checkpoint import Checkpoint, file_sha256
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobKind, JobStatus
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.schema.model import Schema
from batchwright.schema.parsing import write_schema
from batchwright.wire.datasets import V4_EXTENSIONS, Dataset, DatasetCreate, UploadUrl
from batchwright.wire.imports import ImportJob, ImportStatus
from batchwright.workflows.data.create_dataset import get_or_create_dataset
from batchwright.workflows.data.send_to_dataset import require_accepted_name, send_to_dataset


def _ignore(*_arguments: object) -> None:
    """Do nothing; the default of every callback."""


@dataclass(frozen=True)
class UploadObserver:
    """Callbacks for the progress of an upload, called on the event loop."""

    on_created: Callable[[Dataset], object] = _ignore
    """The dataset was created and is empty."""
    on_progress: OnProgress = _ignore
    """The bytes sent so far and in total; starts again at 0 when the file is sent again."""
    on_sent: Callable[[str], object] = _ignore
    """The file was sent; called with the id of its import."""
    on_status: Callable[[JobStatus], object] = _ignore
    """The current status of the import."""


NO_OBSERVER = UploadObserver()


class ImportFailed(Exception):
    """A file was sent, but the service could not import it; `job` is the import at its latest poll."""

    def __init__(self, job: ImportJob) -> None:
        super().__init__(job.reason or job.status)
        self.job = job


class ImportIncomplete(Exception):
    """A file was imported, but no batch can be set up: it contains no records, or some were rejected.

    `job` is the ended import; setup requires one with status `complete` (wire reference, 5.4). `lines` are
    those of the records in their file, or rows in its source; empty if they are not known.
    """

    def __init__(self, job: ImportJob, lines: Sequence[int] = ()) -> None:
        super().__init__(job.status)
        self.job, self.lines = job, lines


@dataclass(frozen=True)
class UploadResult:
    """The result of an upload: the dataset, the ended import, and size and digest of the file."""

    dataset: Dataset
    job: ImportJob
    transfer: TransferResult

    @property
    def accepted(self) -> int:
        """The number of records that the import accepted."""
        return self.job.accepted_count or 0

    @property
    def rejected(self) -> int:
        """The number of records that the import rejected."""
        return self.job.rejected_count or 0

    def require_complete(self, lines: Callable[[], Sequence[int]] = tuple) -> None:
        """Check that a batch can be set up from the import.

        `lines` returns the line of each record, if it is known, to name those that are rejected.

        Raises:
            ImportIncomplete: it cannot.
        """
        if self.job.status != ImportStatus.COMPLETE or not self.accepted:
            raise ImportIncomplete(self.job, lines())


async def upload_dataset(
    context: WorkflowContext,
    checkpoint: Checkpoint,
    name: str,
    schema: Schema,
    path: Path,
    observer: UploadObserver = NO_OBSERVER,
    records: int | None = None,
    hooks: RecoveryHooks | None = None,
) -> UploadResult:
    """Create a V4 dataset with the records of a file (specification, Datasets rule 2).

    If `records`, the number of records in the file, is known, an import that counts another number is marked.

    An interrupted upload resumes: the checkpoint `checkpoint` has the dataset, and the import once there is
    one. A failed import clears the checkpoint, so that the next attempt creates another dataset. During the
    transfer, outages are waited for, as in `run_resiliently`.

    Raises:
        UnreadableFile: no dataset accepts a file with this name; nothing was created.
        ImportFailed: the import failed, or ended with an unknown status.
        NotStarted: the service did not start to read the file; a retry sends it to the same dataset.
        ApiError: a request failed permanently.
        OSError: the file cannot be read.
    """
    require_accepted_name(path, V4_EXTENSIONS)
    request = DatasetCreate(name=name, workspace_id=context.workspace_id, schema=dict(write_schema(schema)))
    dataset = await get_or_create_dataset(context, checkpoint, request)
    observer.on_created(dataset)
    _import_id, transfer = await _sent_before(context, checkpoint, dataset.id, path) or await send_file(
        context, checkpoint, dataset.id, path, observer.on_progress, hooks
    )
    context.notify(_("Sent {name}.").format(name=path.name))
    job = await wait_for_import(context, checkpoint, path.name, observer, records)
    return UploadResult(dataset, job, transfer)


async def import_file(
    context: WorkflowContext,
    dataset_id: str,
    path: Path,
    observer: UploadObserver = NO_OBSERVER,
    hooks: RecoveryHooks | None = None,
) -> ImportJob:
    """Send a further file to a V4 dataset, and return its import (specification, Datasets rule 2).

    A file import stores every record, also those that the dataset has already. If the dataset has no schema,
    the import waits for one, and is returned as it is then. Called again after an interruption, this resumes;
    called in a second window meanwhile, it waits for the same import.

    Raises:
        UnreadableFile: the dataset does not accept a file with this name; nothing was sent.
        ImportFailed: the import failed, or ended with an unknown status.
        NotStarted: the service did not start to read the file.
        ApiError: a request failed permanently.
        OSError: the file cannot be read.
    """
    require_accepted_name(path, V4_EXTENSIONS)
    digest = await asyncio.to_thread(file_sha256, path)
    async with context.locked_checkpoint("further file", dataset_id, path.name, digest) as checkpoint:
        import_id, _transfer = await _sent_before(context, checkpoint, dataset_id, path) or await send_file(
            context, checkpoint, dataset_id, path, observer.on_progress, hooks
        )
    subject = {"dataset_id": dataset_id, "import_id": import_id}
    try:
        job = await _wait_for_import(context, checkpoint, subject, path.name, observer)
    except ImportFailed as error:
        if error.job.status != ImportStatus.PENDING_SCHEMA:
            raise
        return error.job
    await checkpoint.clear()
    return job


async def wait_for_import(
    context: WorkflowContext,
    checkpoint: Checkpoint,
    title: str,
    observer: UploadObserver = NO_OBSERVER,
    records: int | None = None,
) -> ImportJob:
    """Wait for the import recorded in a checkpoint, and return it; nothing is created or sent.

    Raises:
        ImportFailed: the import failed, or ended with an unknown status.
        NotStarted: the service did not start to read the file.
        ApiError: a request failed permanently.
    """
    steps = await checkpoint.steps()
    subject = {"dataset_id": str(steps["dataset"]), "import_id": str(steps["import"])}
    subject |= {} if records is None else {"records": str(records)}
    return await _wait_for_import(context, checkpoint, subject, title, observer)


async def _sent_before(
    context: WorkflowContext, checkpoint: Checkpoint, dataset_id: str, path: Path
) -> tuple[str, TransferResult] | None:
    """What `send_file` returns if the file has reached the service before; None otherwise."""
    steps = await checkpoint.steps()
    if "import" not in steps:
        return None
    try:
        job = await context.service.datasets.import_job(dataset_id, str(steps["import"]))
    except NotFound:
        return None
    if job.status in (ImportStatus.UNINITIALISED, ImportStatus.FAILED):
        return None
    return job.import_id, await asyncio.to_thread(_transfer_result, path)


def _transfer_result(path: Path) -> TransferResult:
    return TransferResult(path.stat().st_size, file_sha256(path))


async def send_file(
    context: WorkflowContext,
    checkpoint: Checkpoint,
    dataset_id: str,
    path: Path,
    on_progress: OnProgress = _ignore,
    hooks: RecoveryHooks | None = None,
) -> tuple[str, TransferResult]:
    """Send a file to a V4 dataset; `hooks` as in `run_resiliently`.

    Returns:
        The id of its import, and size and digest of the file.

    Raises:
        PresignedUrlExpired: storage accepted none of the upload URLs.
        UnexpectedResponse: an upload URL came without an import id.
        ApiError: a request failed permanently.
        OSError: the file cannot be read.
    """

    async def request_address(context: WorkflowContext) -> UploadUrl:
        address = await context.service.datasets.upload_url(dataset_id, path.name)
        if not address.import_id:
            raise UnexpectedResponse(_("the URL for {name}").format(name=path.name), _("it has no import id"))
        await checkpoint.record(**{"import": address.import_id})
        return address

    async def has_arrived(context: WorkflowContext, address: UploadUrl) -> bool:
        job = await context.service.datasets.import_job(dataset_id, str(address.import_id))
        return job.status != ImportStatus.UNINITIALISED

    address, transfer = await send_to_dataset(
        context, dataset_id, path, request_address, has_arrived, on_progress, hooks
    )
    return str(address.import_id), transfer


async def _wait_for_import(
    context: WorkflowContext,
    checkpoint: Checkpoint,
    subject: Mapping[str, str],
    title: str,
    observer: UploadObserver,
) -> ImportJob:
    """Poll an import until it ends, or until it waits for a schema (wire reference, 4.6).

    The checkpoint is cleared unless records were imported, so that the next attempt sends the file again.
    """
    observer.on_sent(subject["import_id"])
    if not await context.jobs.has_ended(JobKind.IMPORT, subject):
        async for status in context.jobs.started_statuses(JobKind.IMPORT, subject, title):
            observer.on_status(status)
            if status.is_late:
                context.notify(
                    _("{name} was sent; the service has not started to read it.").format(name=title)
                )
            if status.state == ImportStatus.PENDING_SCHEMA:
                break
    job = await context.service.datasets.import_job(subject["dataset_id"], subject["import_id"])
    if job.status not in (ImportStatus.COMPLETE, ImportStatus.PARTIAL):
        await checkpoint.clear()
        raise ImportFailed(job)
    return job
