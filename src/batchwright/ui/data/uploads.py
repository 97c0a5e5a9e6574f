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
    ended = Signal()
    """One has ended, well or not."""
    made = Signal(str, str, str, str)
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
        self.progress: UploadState | None = None

    @property
    def is_running(self) -> bool:
        """Whether one goes on."""
        return self.progress is not None and self.progress.is_running

    @property
    def v4_is_off(self) -> bool:
        """Whether the latest was refused because the workspace has no V4 datasets."""
        return self.progress is not None and self.progress.v4_is_off

    def start(self, load: UploadSource, begun: Dataset | None = None, *, sends: bool = True) -> None:
        """Upload, unless an upload goes on.

        Args:
            load: what.
            begun: the dataset that this goes on with.
            sends: whether the file is sent; where it is not, the import that it is in already is watched.
        """
        if not self.is_running:
            self._number += 1
            here = self._session.connection.name
            self._show(UploadState(load, here, dataset=begun))
            upload = _Upload(self, load, self._number, here, sends)
            self._tasks.start(self._name, upload.run)

    def stop(self) -> None:
        """Send no more; what has arrived stays at the service."""
        self._tasks.cancel(self._name)
        if self.is_running:
            # The task does not say so itself when it ends before it has begun.
            self.turn(self._number, phase=UploadPhase.STOPPED)

    def forget(self) -> None:
        """Show no upload; one that goes on is stopped."""
        self.stop()
        self._show(None)

    @property
    def _name(self) -> str:
        return f"data upload {self._number}"

    async def at_work(self, number: int, work: Work[None], at: str) -> None:
        """Do the work of the upload of this number at a connection; see `Session.at_work`."""
        before = UploadPhase.CONNECTING

        def away() -> None:
            nonlocal before
            if self.progress is not None and self.progress.phase is not UploadPhase.OFFLINE:
                before = self.progress.phase
                self.turn(number, phase=UploadPhase.OFFLINE)

        def back() -> None:
            if self.progress is not None and self.progress.phase is UploadPhase.OFFLINE:
                self.turn(number, phase=before)

        await self._session.at_work(work, away, at, back=back)

    def turn(self, number: int, **changes: object) -> None:
        """Show that the upload of this number has come further; a later one is not touched."""
        if self.progress is None or number != self._number:
            return
        was_running = self.progress.is_running
        self._show(replace(self.progress, **changes))  # type: ignore[arg-type]  # named by the dataclass
        if was_running and not self.is_running:
            self.ended.emit()

    def fail(self, number: int, fault: Exception) -> None:
        """Show in words why the upload of this number failed."""
        job = fault.job if isinstance(fault, ImportFailed) else None
        is_off = isinstance(fault, FeatureOff)
        self.turn(number, phase=UploadPhase.FAILED, job=job, fault=self._describe(fault), v4_is_off=is_off)

    def tell_made(self, number: int, workspace_id: str) -> None:
        """Tell what the upload of this number has made by now; of a forgotten one nothing is told."""
        progress = self.progress
        if progress is not None and number == self._number:
            complete = progress.import_id if progress.is_complete else ""
            self.made.emit(progress.connection, workspace_id, progress.dataset_id, complete)

    def _show(self, progress: UploadState | None) -> None:
        self.progress = progress
        self.changed.emit()


@dataclass(frozen=True)
class _Upload:
    """One upload from its beginning to its end."""

    uploads: UploadRunner
    load: UploadSource
    number: int
    connection: str
    sends: bool

    async def run(self) -> None:
        try:
            content = await asyncio.to_thread(file_sha256, self.load.path)
            with TemporaryDirectory(prefix="batchwright-", ignore_cleanup_errors=True) as folder:
                work = partial(self._work, Path(folder), content)
                await self.uploads.at_work(self.number, work, self.connection)
        except Exception as fault:
            # Whatever goes wrong is shown where the upload stands.
            self.uploads.fail(self.number, fault)
        except BaseException:
            self._turn(phase=UploadPhase.STOPPED)
            raise

    async def _work(
        self, folder: Path, content: str, bench: WorkflowContext, waits: RecoveryHooks | None
    ) -> None:
        if await asyncio.to_thread(file_stamp, self.load.path) != self.load.stamp:
            raise _other_than_checked()
        path = await self._file(folder) if self.sends else None
        await self._bring(path, await self._trail(bench, content), bench, waits)

    async def _file(self, folder: Path) -> Path:
        """What is sent: the file itself, or one of its good records."""
        load = self.load
        if load.is_whole:
            return load.path
        # The service knows the kind of a file by its name.
        part = folder / f"{load.path.stem}.{load.form.kind}"
        if part.exists():
            return part
        self._turn(phase=UploadPhase.PREPARING)
        count = await run_in_process(write_accepted, load.path, load.form, load.schema, part, told=self._move)
        if count != load.records:
            raise _other_than_checked()
        return part

    async def _bring(
        self, path: Path | None, trail: Checkpoint, bench: WorkflowContext, waits: RecoveryHooks | None
    ) -> None:
        def made(dataset: Dataset) -> None:
            self._turn(phase=UploadPhase.SENDING, done=0, total=0, dataset=dataset)
            self.uploads.tell_made(self.number, bench.workspace_id)

        def sent(import_id: str) -> None:
            self._turn(phase=UploadPhase.IMPORTING, import_id=import_id)

        def seen(sight: JobStatus) -> None:
            self._turn(state=sight.state, is_late=sight.is_late)

        def moved(done: int, total: int | None) -> None:
            self._turn(phase=UploadPhase.SENDING, done=done, total=total or 0)

        load, onlooker = self.load, UploadObserver(made=made, moved=moved, sent=sent, seen=seen)
        if path is None:
            job = await watch_import(bench, trail, load.path.name, onlooker, load.records)
        else:
            name, schema, records = load.name, load.schema, load.records
            job = (await upload_dataset(bench, trail, name, schema, path, onlooker, records, waits)).job
        await trail.mark(brought=True)
        self._turn(phase=UploadPhase.ENDED, state=str(job.status), job=job)
        self.uploads.tell_made(self.number, bench.workspace_id)

    async def _trail(self, bench: WorkflowContext, content: str) -> Checkpoint:
        """How far the same upload has come before, whatever study and file have been called since.

        One that came to its end is done anew, unless the study does not know that it did; one of another
        study is left alone.
        """
        load = self.load
        trail = upload_checkpoint(bench, load, content)
        steps = await trail.steps()
        is_under_way = "brought" not in steps and steps.get("name") == load.name
        if not is_under_way and steps.get("dataset") != load.begun:
            await trail.end()
        await trail.mark(name=load.name)
        return trail

    def _move(self, done: int, total: int | None) -> None:
        self._turn(done=done, total=total or 0)

    def _turn(self, **changes: object) -> None:
        self.uploads.turn(self.number, **changes)


def upload_checkpoint(bench: WorkflowContext, load: UploadSource, content: str) -> Checkpoint:
    """How far an upload has come at a service; `content` tells what its file holds (`file_sha256`)."""
    return bench.trail("data", write_schema(load.schema), content, asdict(load.form))


def _other_than_checked() -> UnreadableFile:
    return UnreadableFile(
        _("The file has changed since it was checked."), _("It is checked again; then upload it once more.")
    )
