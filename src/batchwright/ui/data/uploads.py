"""Uploading: the good records become a file the service takes, a dataset is made, the import is watched."""

import asyncio
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QObject, Signal

from batchwright.api.errors import FeatureOff
from batchwright.base.i18n import _
from batchwright.client.checkpoint import Checkpoint, file_sha256
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobStatus
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.data_files.index import file_stamp
from batchwright.data_files.partition import write_accepted
from batchwright.data_files.rows import UnreadableFile
from batchwright.schema.parsing import write_schema
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.process_pool import run_in_process
from batchwright.ui.core.session import ConnectionSession, Work
from batchwright.ui.data.upload_state import UploadPhase, UploadSource, UploadState
from batchwright.wire.datasets import Dataset
from batchwright.workflows.upload_dataset import ImportFailed, UploadObserver, upload_dataset, watch_import


class UploadRunner(QObject):
    """The latest upload of the study's data."""

    changed = Signal()
    finished = Signal()
    """One has ended, well or not."""
    dataset_changed = Signal(str, str, str, str)
    """A dataset stands: connection, workspace id, dataset id, and its import once that is complete."""

    def __init__(
        self,
        session: ConnectionSession,
        tasks: Tasks,
        describe: Callable[[BaseException], TaskMessage],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._tasks, self._describe = session, tasks, describe
        self._number = 0
        self.latest: UploadState | None = None

    @property
    def is_running(self) -> bool:
        """Whether one goes on."""
        return self.latest is not None and self.latest.is_running

    @property
    def is_v4_disabled(self) -> bool:
        """Whether the latest was refused because the workspace has no V4 datasets."""
        return self.latest is not None and self.latest.is_v4_disabled

    def start(self, source: UploadSource, begun: Dataset | None = None, *, sends: bool = True) -> None:
        """Upload, unless an upload goes on.

        Args:
            load: what.
            begun: the dataset that this goes on with.
            sends: whether the file is sent; where it is not, the import that it is in already is watched.
        """
        if not self.is_running:
            self._number += 1
            here = self._session.connection.name
            self._show(UploadState(source, here, dataset=begun))
            upload = _Upload(self, source, self._number, here, sends)
            self._tasks.start(self._name, upload.run)

    def stop(self) -> None:
        """Send no more; what has arrived stays at the service."""
        self._tasks.cancel(self._name)
        if self.is_running:
            # The task does not say so itself when it ends before it has begun.
            self.update(self._number, phase=UploadPhase.CANCELLED)

    def clear(self) -> None:
        """Show no upload; one that goes on is stopped."""
        self.stop()
        self._show(None)

    @property
    def _name(self) -> str:
        return f"data upload {self._number}"

    async def run(self, number: int, work: Work[None], at: str) -> None:
        """Do the work of the upload of this number at a connection; see `Session.at_work`."""
        before = UploadPhase.CONNECTING

        def away() -> None:
            nonlocal before
            if self.latest is not None and self.latest.phase is not UploadPhase.OFFLINE:
                before = self.latest.phase
                self.update(number, phase=UploadPhase.OFFLINE)

        def back() -> None:
            if self.latest is not None and self.latest.phase is UploadPhase.OFFLINE:
                self.update(number, phase=before)

        await self._session.at_work(work, away, at, back=back)

    def update(self, number: int, **changes: object) -> None:
        """Show that the upload of this number has come further; a later one is not touched."""
        if self.latest is None or number != self._number:
            return
        was_running = self.latest.is_running
        self._show(replace(self.latest, **changes))  # type: ignore[arg-type]  # named by the dataclass
        if was_running and not self.is_running:
            self.finished.emit()

    def fail(self, number: int, error: Exception) -> None:
        """Show in words why the upload of this number failed."""
        job = error.job if isinstance(error, ImportFailed) else None
        is_off = isinstance(error, FeatureOff)
        message = self._describe(error)
        self.update(number, phase=UploadPhase.FAILED, job=job, error=message, is_v4_disabled=is_off)

    def notify_dataset_changed(self, number: int, workspace_id: str) -> None:
        """Tell what the upload of this number has made by now; of a forgotten one nothing is told."""
        upload = self.latest
        if upload is not None and number == self._number:
            complete = upload.import_id if upload.is_complete else ""
            self.dataset_changed.emit(upload.connection, workspace_id, upload.dataset_id, complete)

    def _show(self, upload: UploadState | None) -> None:
        self.latest = upload
        self.changed.emit()


@dataclass(frozen=True)
class _Upload:
    """One upload from its beginning to its end."""

    uploads: UploadRunner
    source: UploadSource
    number: int
    connection: str
    sends: bool

    async def run(self) -> None:
        try:
            content = await asyncio.to_thread(file_sha256, self.source.path)
            with TemporaryDirectory(prefix="batchwright-", ignore_cleanup_errors=True) as folder:
                work = partial(self._work, Path(folder), content)
                await self.uploads.run(self.number, work, self.connection)
        except Exception as error:
            # Whatever goes wrong is shown where the upload stands.
            self.uploads.fail(self.number, error)
        except BaseException:
            self._update(phase=UploadPhase.CANCELLED)
            raise

    async def _work(
        self, folder: Path, content: str, context: WorkflowContext, recovery: RecoveryHooks | None
    ) -> None:
        if await asyncio.to_thread(file_stamp, self.source.path) != self.source.stamp:
            raise _other_than_checked()
        path = await self._file(folder) if self.sends else None
        await self._upload(path, await self._checkpoint(context, content), context, recovery)

    async def _file(self, folder: Path) -> Path:
        """What is sent: the file itself, or one of its good records."""
        source = self.source
        if source.is_whole:
            return source.path
        # The service knows the kind of a file by its name.
        part = folder / f"{source.path.stem}.{source.format.kind}"
        if part.exists():
            return part
        self._update(phase=UploadPhase.PREPARING)
        count = await run_in_process(
            write_accepted, source.path, source.format, source.schema, part, told=self._on_progress
        )
        if count != source.records:
            raise _other_than_checked()
        return part

    async def _upload(
        self,
        path: Path | None,
        checkpoint: Checkpoint,
        context: WorkflowContext,
        recovery: RecoveryHooks | None,
    ) -> None:
        def on_dataset(dataset: Dataset) -> None:
            self._update(phase=UploadPhase.SENDING, done=0, total=0, dataset=dataset)
            self.uploads.notify_dataset_changed(self.number, context.workspace_id)

        def on_sent(import_id: str) -> None:
            self._update(phase=UploadPhase.IMPORTING, import_id=import_id)

        def on_status(status: JobStatus) -> None:
            self._update(import_status=status.state, is_late=status.is_late)

        def on_progress(done: int, total: int | None) -> None:
            self._update(phase=UploadPhase.SENDING, done=done, total=total or 0)

        source, observer = (
            self.source,
            UploadObserver(made=on_dataset, moved=on_progress, sent=on_sent, seen=on_status),
        )
        if path is None:
            job = await watch_import(context, checkpoint, source.path.name, observer, source.records)
        else:
            name, schema, records = source.name, source.schema, source.records
            job = (
                await upload_dataset(context, checkpoint, name, schema, path, observer, records, recovery)
            ).job
        await checkpoint.mark(brought=True)
        self._update(phase=UploadPhase.FINISHED, import_status=str(job.status), job=job)
        self.uploads.notify_dataset_changed(self.number, context.workspace_id)

    async def _checkpoint(self, context: WorkflowContext, content: str) -> Checkpoint:
        """How far the same upload has come before, whatever study and file have been called since.

        One that came to its end is done anew, unless the study does not know that it did; one of another
        study is left alone.
        """
        source = self.source
        checkpoint = upload_checkpoint(context, source, content)
        steps = await checkpoint.steps()
        is_under_way = "brought" not in steps and steps.get("name") == source.name
        if not is_under_way and steps.get("dataset") != source.unfinished_dataset_id:
            await checkpoint.end()
        await checkpoint.mark(name=source.name)
        return checkpoint

    def _on_progress(self, done: int, total: int | None) -> None:
        self._update(done=done, total=total or 0)

    def _update(self, **changes: object) -> None:
        self.uploads.update(self.number, **changes)


def upload_checkpoint(context: WorkflowContext, source: UploadSource, content: str) -> Checkpoint:
    """How far an upload has come at a service; `content` tells what its file holds (`file_sha256`)."""
    return context.trail("data", write_schema(source.schema), content, asdict(source.format))


def _other_than_checked() -> UnreadableFile:
    return UnreadableFile(
        _("The file has changed since it was checked."), _("It is checked again; then upload it once more.")
    )
