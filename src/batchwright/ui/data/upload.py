"""Uploading the data file: a dataset is created from its accepted records, and the import is monitored."""

import asyncio
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from enum import Enum, auto
from pathlib import Path
from tempfile import TemporaryDirectory

from batchwright.base.i18n import _
from batchwright.client.checkpoint import Checkpoint, file_sha256
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import is_feature_disabled
from batchwright.client.job_monitoring.status import JobStatus
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.data_files.formats import Format
from batchwright.data_files.index import Stamp, file_stamp
from batchwright.data_files.partition import write_accepted
from batchwright.data_files.rows import UnreadableFile
from batchwright.schema.model import Schema
from batchwright.schema.parsing import write_schema
from batchwright.ui.core.operations import OperationRun, OperationState
from batchwright.ui.core.process_pool import run_in_process
from batchwright.ui.data.dataset_operation import DatasetOperation
from batchwright.wire.datasets import Dataset
from batchwright.wire.imports import ImportJob, ImportStatus
from batchwright.workflows.upload_dataset import ImportFailed, UploadObserver, upload_dataset, watch_import


@dataclass(frozen=True)
class UploadSource:
    """The data of an upload: the accepted records of a file, or the whole file if no record is rejected."""

    name: str
    """Name of the dataset."""
    path: Path
    stamp: Stamp
    """Stamp of the file when it was checked."""
    format: Format
    schema: Schema
    records: int
    is_whole: bool
    unfinished_dataset_id: str | None = None
    """The dataset that an earlier upload has created but not filled."""


class UploadPhase(Enum):
    """The current step of an upload."""

    CONNECTING = auto()
    PREPARING = auto()
    """The accepted records are written to a temporary file."""
    SENDING = auto()
    IMPORTING = auto()


@dataclass(frozen=True, kw_only=True)
class UploadOperation(DatasetOperation):
    """An upload; `done` and `total` count records while the file is prepared, and bytes while it is sent."""

    source: UploadSource
    phase: UploadPhase = UploadPhase.CONNECTING
    done: int = 0
    total: int = 0
    import_status: str = ""
    is_late: bool = False
    """Whether the file was sent some time ago, and the service has not started to read it."""
    dataset: Dataset | None = None
    """The dataset created for the upload, as of its creation."""
    import_id: str = ""
    job: ImportJob | None = None
    """The import, once it has ended."""
    is_v4_disabled: bool = False
    """Whether it failed because the workspace has no V4 datasets."""

    @property
    def dataset_id(self) -> str:
        """The id of the dataset; empty until it is created."""
        return self.dataset.id if self.dataset else ""

    @property
    def is_complete(self) -> bool:
        """Whether every record that was sent is in the dataset."""
        return self.job is not None and self.job.status == ImportStatus.COMPLETE

    @property
    def has_count_mismatch(self) -> bool:
        """Whether the service counted another number of records than were sent."""
        return (
            self.state is OperationState.SUCCEEDED
            and self.job is not None
            and self.job.counted not in (None, self.source.records)
        )

    def can_resume(self, source: UploadSource) -> bool:
        """Whether uploading this source would continue this upload, in the dataset that it has created."""
        mine = self.source
        is_same = replace(source, name=mine.name, unfinished_dataset_id=mine.unfinished_dataset_id) == mine
        return is_same and source.unfinished_dataset_id == self.dataset_id and self.job is None


@dataclass
class Upload:
    """The work of an upload operation.

    Args:
        source: the data to upload.
        sends: whether to send the file; if not, the import that it is already part of is monitored.
        on_dataset: is called with the workspace id when the dataset is known.
    """

    source: UploadSource
    sends: bool
    on_dataset: Callable[[str], object]
    _content: str = ""
    _folder: Path | None = None

    async def __call__(self, context: WorkflowContext, hooks: RecoveryHooks | None, run: OperationRun) -> str:
        """Start or resume the upload; returns the workspace id."""
        if not self._content:
            self._content = await asyncio.to_thread(file_sha256, self.source.path)
        if await asyncio.to_thread(file_stamp, self.source.path) != self.source.stamp:
            raise _changed_since_check()
        path = await self._file(run) if self.sends else None
        checkpoint = await self._checkpoint(context)
        try:
            job = await self._upload(path, checkpoint, context, hooks, run)
        except ImportFailed as error:
            run.update(job=error.job)
            raise
        except Exception as error:
            if is_feature_disabled(error):
                run.update(is_v4_disabled=True)
            raise
        await checkpoint.record(brought=True)
        run.update(import_status=str(job.status), job=job)
        return context.workspace_id

    async def _file(self, run: OperationRun) -> Path:
        """The file to send: the data file itself, or a temporary file with its accepted records."""
        source = self.source
        if source.is_whole:
            return source.path
        if self._folder is None:
            folder = TemporaryDirectory(prefix="batchwright-", ignore_cleanup_errors=True)
            self._folder = Path(run.resources.enter_context(folder))
        # The service derives the format from the extension of the file.
        part = self._folder / f"{source.path.stem}.{source.format.kind}"
        if part.exists():
            return part

        def on_progress(done: int, total: int | None) -> None:
            run.update(done=done, total=total or 0, fraction=done / total if total else None)

        run.update(phase=UploadPhase.PREPARING)
        arguments = (source.path, source.format, source.schema, part)
        if await run_in_process(write_accepted, *arguments, told=on_progress) != source.records:
            raise _changed_since_check()
        return part

    async def _upload(
        self,
        path: Path | None,
        checkpoint: Checkpoint,
        context: WorkflowContext,
        hooks: RecoveryHooks | None,
        run: OperationRun,
    ) -> ImportJob:
        def on_dataset(dataset: Dataset) -> None:
            run.update(phase=UploadPhase.SENDING, done=0, total=0, fraction=None, dataset=dataset)
            if run.operation.is_running:
                self.on_dataset(context.workspace_id)

        def on_progress(done: int, total: int | None) -> None:
            fraction = done / total if total else None
            run.update(phase=UploadPhase.SENDING, done=done, total=total or 0, fraction=fraction)

        def on_sent(import_id: str) -> None:
            run.update(phase=UploadPhase.IMPORTING, fraction=None, import_id=import_id)

        def on_status(status: JobStatus) -> None:
            run.update(import_status=status.state, is_late=status.is_late)

        source = self.source
        observer = UploadObserver(
            on_created=on_dataset, on_progress=on_progress, on_sent=on_sent, on_status=on_status
        )
        if path is None:
            return await watch_import(context, checkpoint, source.path.name, observer, source.records)
        name, schema, records = source.name, source.schema, source.records
        return (await upload_dataset(context, checkpoint, name, schema, path, observer, records, hooks)).job

    async def _checkpoint(self, context: WorkflowContext) -> Checkpoint:
        """The checkpoint of the same upload, even if the study or the file was renamed since.

        A completed one is cleared, unless the study does not know that it completed. That of another study is
        cleared as well; its dataset is left as it is.
        """
        source = self.source
        checkpoint = upload_checkpoint(context, source, self._content)
        steps = await checkpoint.steps()
        is_unfinished = "brought" not in steps and steps.get("name") == source.name
        if not is_unfinished and steps.get("dataset") != source.unfinished_dataset_id:
            await checkpoint.clear()
        await checkpoint.record(name=source.name)
        return checkpoint


def upload_checkpoint(context: WorkflowContext, source: UploadSource, content: str) -> Checkpoint:
    """The checkpoint of an upload at a service; `content` is the digest of its file (`file_sha256`)."""
    return context.checkpoint("data", write_schema(source.schema), content, asdict(source.format))


def _changed_since_check() -> UnreadableFile:
    return UnreadableFile(
        _("The file has changed since it was checked."),
        _("It is being checked again. Upload once that is done."),
    )
