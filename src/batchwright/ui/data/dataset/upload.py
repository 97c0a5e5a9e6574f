"""Uploading the data file: a dataset is created from its accepted records, and the import is monitored.

A workspace without V4 datasets receives the file as a V3 dataset (specification, Datasets rule 2).
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic

from batchwright.base.files.temporary_files import temporary_folder
from batchwright.base.i18n import _
from batchwright.base.local_media import MediaFolder
from batchwright.client.checkpoint import Checkpoint, file_sha256
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import is_feature_disabled
from batchwright.client.job_monitoring.status import JobStatus
from batchwright.client.job_monitoring.transfer_rate import UNKNOWN
from batchwright.data_files.index import file_stamp
from batchwright.data_files.partition import write_accepted
from batchwright.data_files.rows import UnreadableFile
from batchwright.local.connections import THIS_COMPUTER
from batchwright.ui.core.child_process import run_in_process
from batchwright.ui.core.operations import OperationRun, Work
from batchwright.ui.data.dataset.dataset_controller import DatasetController
from batchwright.ui.data.dataset.dataset_operations import (
    DATASET,
    UploadSource,
    UploadStep,
    V3UploadOperation,
    upload_checkpoint,
)
from batchwright.wire.datasets import Dataset
from batchwright.wire.imports import ImportJob
from batchwright.workflows.data.share_media import require_web_addresses, share_media
from batchwright.workflows.data.upload_dataset import (
    ImportFailed,
    UploadObserver,
    upload_dataset,
    wait_for_import,
)
from batchwright.workflows.data.upload_v3_dataset import upload_v3_dataset


def start_upload(controller: DatasetController, monitored: Dataset | None = None) -> None:
    """Upload the accepted records; if a dataset is importing them already, only monitor the import."""
    operation = controller.new_upload(monitored)
    if operation is not None:
        work = Upload(operation.source, monitored is None, controller.record_dataset)
        controller.start_upload(operation, work)


def start_v3_upload(controller: DatasetController, path: Path) -> None:
    """Upload a file as a V3 dataset."""
    title, connection = _("Sending {name}").format(name=path.name), controller.session.connection
    operation = V3UploadOperation(
        DATASET, title, connection.name, connection_title=connection.title, path=path
    )
    controller.start(operation, v3_upload_work(controller.dataset_name(path), path))


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

    async def __call__(self, run: OperationRun) -> str:
        """Start or resume the upload; returns the workspace id."""
        if not self._content:
            self._content = await asyncio.to_thread(file_sha256, self.source.path)
        if await asyncio.to_thread(file_stamp, self.source.path) != self.source.stamp:
            raise _changed_since_check()
        path = await self._file(run) if self.sends else None
        async with self._checkpoint(run.context) as checkpoint:
            try:
                job = await self._upload(path, checkpoint, run)
            except ImportFailed as error:
                run.update(job=error.job)
                raise
            except Exception as error:
                if is_feature_disabled(error):
                    run.update(is_v4_disabled=True)
                raise
            await checkpoint.record(brought=True)
        run.update(status=str(job.status), job=job)
        return run.context.workspace_id

    async def _file(self, run: OperationRun) -> Path:
        """The file to send: the data file itself, or a temporary file with its accepted records."""
        source = self.source
        if source.is_entire_file:
            return source.path
        if self._folder is None:
            self._folder = run.resources.enter_context(temporary_folder("upload"))
        # The service derives the format from the extension of the file.
        accepted_file = self._folder / f"{source.path.stem}.{source.format.kind}"
        if accepted_file.exists():
            return accepted_file

        def on_progress(done: int, total: int | None) -> None:
            run.update(done=done, total=total or 0, fraction=done / total if total else None)

        run.update(step=UploadStep.PREPARING)
        arguments = (source.path, source.format, source.schema, accepted_file)
        if await run_in_process(write_accepted, *arguments, on_progress=on_progress) != source.records:
            raise _changed_since_check()
        return accepted_file

    async def _upload(self, path: Path | None, checkpoint: Checkpoint, run: OperationRun) -> ImportJob:
        context = run.context

        def on_dataset(dataset: Dataset) -> None:
            run.update(step=UploadStep.SENDING, done=0, total=0, fraction=None, dataset=dataset)
            if run.operation.is_running:
                self.on_dataset(context.workspace_id)

        def on_sent(import_id: str) -> None:
            run.update(step=UploadStep.IMPORTING, fraction=None, import_id=import_id)

        source = self.source
        observer = replace(
            transfer_observer(run, step=UploadStep.SENDING), on_created=on_dataset, on_sent=on_sent
        )
        if path is None:
            return await wait_for_import(context, checkpoint, source.path.name, observer, source.records)
        await prepare_media(run, path, source.media)
        name, schema, records = source.name, source.schema, source.records
        done = await upload_dataset(context, checkpoint, name, schema, path, observer, records, run.hooks)
        return done.job

    @asynccontextmanager
    async def _checkpoint(self, context: WorkflowContext) -> AsyncIterator[Checkpoint]:
        """The checkpoint of the same upload, even if the study or the file was renamed since.

        A completed one is cleared, unless the study does not know that it completed. Copies of a study, which
        another window may have open, have the same one: their uploads wait for each other, since both would
        otherwise send to the same dataset.
        """
        source = self.source
        async with context.jobs.work_lock(f"upload {source.study_id}"):
            checkpoint = upload_checkpoint(context, source, self._content)
            steps = await checkpoint.steps()
            if "brought" in steps and steps.get("dataset") != source.unfinished_dataset_id:
                await checkpoint.clear()
            yield checkpoint


async def prepare_media(run: OperationRun, path: Path, media: MediaFolder | None) -> None:
    """Let participants see the media of this computer; those of a hosted service could not.

    Raises:
        UnreadableFile: the service is hosted, and records of the file refer to media of this computer.
        OSError: the file or the folder cannot be read.
        ApiError: the service did not accept the folder.
    """
    if run.operation.connection == THIS_COMPUTER.name:
        await share_media(run.context, media)
    else:
        await require_web_addresses(path)


def _changed_since_check() -> UnreadableFile:
    return UnreadableFile(
        _("The file has changed since it was checked."),
        _("It is being checked again. Upload once that is done."),
    )


def transfer_observer(run: OperationRun, **while_sending: object) -> UploadObserver:
    """Updates the `FileTransfer` of a run; `while_sending` has further fields to set with each progress."""
    rate = UNKNOWN

    def on_progress(done: int, total: int | None) -> None:
        nonlocal rate
        rate = rate.after(done, monotonic())
        fraction = done / total if total else None
        run.update(done=done, total=total or 0, rate=rate, fraction=fraction, **while_sending)

    def on_status(status: JobStatus) -> None:
        run.update(status=status.state, is_late=status.is_late, fraction=None)

    return UploadObserver(on_progress=on_progress, on_status=on_status)


def v3_upload_work(name: str, path: Path) -> Work[None]:
    """The work of uploading a V3 dataset."""

    async def work(run: OperationRun) -> None:
        run.update(is_connected=True)
        checkpoint = run.context.checkpoint("v3 data", name, await asyncio.to_thread(file_sha256, path))
        observer = transfer_observer(run)
        dataset = await upload_v3_dataset(run.context, checkpoint, name, path, observer, run.hooks)
        run.update(workspace_id=run.context.workspace_id, dataset=dataset)

    return work
