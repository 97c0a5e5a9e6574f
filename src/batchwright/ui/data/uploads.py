"""Uploading: the good records become a file the service takes, a dataset is made, the import is watched."""

import asyncio
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from enum import Enum, auto
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QObject, Signal

from batchwright.api.errors import FeatureOff
from batchwright.jobs.sights import Sight
from batchwright.records.schema import Schema
from batchwright.records.schema_reading import write_schema
from batchwright.tables.entries import Unreadable
from batchwright.tables.formats import Format
from batchwright.tables.index import Stamp, stamp_of
from batchwright.tables.splitting import write_good
from batchwright.ui.data.file_work import at_work
from batchwright.ui.session import Session, Work
from batchwright.ui.tasks import Message, Tasks
from batchwright.wire.datasets import Dataset
from batchwright.wire.imports import ImportJob, ImportStatus
from batchwright.words import _
from batchwright.workflows.bring_data import NotImported, Onlooker, bring_data
from batchwright.workflows.outlasting import Waits
from batchwright.workflows.trail import Trail, content_of
from batchwright.workflows.workbench import Workbench


@dataclass(frozen=True)
class Load:
    """What is uploaded: the good records of a file; all of it where all are good and the format is served."""

    name: str
    path: Path
    stamp: Stamp
    """That of the file when it was checked."""
    form: Format
    schema: Schema
    records: int
    is_whole: bool
    begun: str | None = None
    """The dataset that was made for it before, when it was not uploaded to the end."""


class Phase(Enum):
    """How far an upload is."""

    CONNECTING = auto()
    PREPARING = auto()
    """The good records are written to a file of their own."""
    SENDING = auto()
    OFFLINE = auto()
    """The network is away, and is waited for."""
    IMPORTING = auto()
    ENDED = auto()
    FAILED = auto()
    STOPPED = auto()


RUNNING = frozenset({Phase.CONNECTING, Phase.PREPARING, Phase.SENDING, Phase.OFFLINE, Phase.IMPORTING})


@dataclass(frozen=True)
class Progress:
    """An upload as it stands: bytes done and in all while something moves, the import's own word after."""

    load: Load
    connection: str
    phase: Phase = Phase.CONNECTING
    done: int = 0
    total: int = 0
    state: str = ""
    dataset_id: str = ""
    import_id: str = ""
    job: ImportJob | None = None
    fault: Message | None = None
    v4_is_off: bool = False
    """Whether it failed because the workspace has no V4 datasets."""

    @property
    def is_running(self) -> bool:
        """Whether it goes on."""
        return self.phase in RUNNING

    @property
    def is_complete(self) -> bool:
        """Whether every record that was sent is in the dataset."""
        return self.job is not None and self.job.status == ImportStatus.COMPLETE

    @property
    def is_miscounted(self) -> bool:
        """Whether the service counted other records than were sent (design.md 9.7)."""
        return (
            self.phase is Phase.ENDED
            and self.job is not None
            and self.job.counted not in (None, self.load.records)
        )

    @property
    def part(self) -> float | None:
        """How much of the phase is done, from 0 to 1; None where nobody knows."""
        if self.phase in (Phase.PREPARING, Phase.SENDING) and self.total:
            return self.done / self.total
        return None


class Uploads(QObject):
    """The latest upload of the study's data."""

    changed = Signal()
    ended = Signal()
    """One has ended, well or not."""
    made = Signal(str, str, str, str)
    """A dataset stands: connection, workspace id, dataset id, and its import once that is complete."""

    def __init__(
        self,
        session: Session,
        tasks: Tasks,
        describe: Callable[[BaseException], Message],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._tasks, self._describe = session, tasks, describe
        self._number = 0
        self.progress: Progress | None = None

    @property
    def is_running(self) -> bool:
        """Whether one goes on."""
        return self.progress is not None and self.progress.is_running

    @property
    def v4_is_off(self) -> bool:
        """Whether the latest was refused because the workspace has no V4 datasets."""
        return self.progress is not None and self.progress.v4_is_off

    def start(self, load: Load) -> None:
        """Upload, unless an upload goes on."""
        if not self.is_running:
            self._number += 1
            self._show(Progress(load, self._session.connection.name))
            upload = _Upload(self, load, self._number)
            self._tasks.start(self._name, upload.run)

    def stop(self) -> None:
        """Send no more; what has arrived stays at the service."""
        self._tasks.cancel(self._name)
        if self.is_running:
            # The task does not say so itself when it ends before it has begun.
            self.turn(self._number, phase=Phase.STOPPED)

    def forget(self) -> None:
        """Show no upload; one that goes on is stopped."""
        self.stop()
        self._show(None)

    @property
    def _name(self) -> str:
        return f"data upload {self._number}"

    async def at_work(self, number: int, work: Work[None]) -> None:
        """Do the work of the upload of this number; see `Session.at_work`."""
        await self._session.at_work(work, partial(self.turn, number, phase=Phase.OFFLINE))

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
        job = fault.job if isinstance(fault, NotImported) else None
        is_off = isinstance(fault, FeatureOff)
        self.turn(number, phase=Phase.FAILED, job=job, fault=self._describe(fault), v4_is_off=is_off)

    def tell_made(self, number: int, workspace_id: str) -> None:
        """Tell what the upload of this number has made by now; of a forgotten one nothing is told."""
        progress = self.progress
        if progress is not None and number == self._number:
            complete = progress.import_id if progress.is_complete else ""
            self.made.emit(progress.connection, workspace_id, progress.dataset_id, complete)

    def _show(self, progress: Progress | None) -> None:
        self.progress = progress
        self.changed.emit()


@dataclass(frozen=True)
class _Upload:
    """One upload from its beginning to its end."""

    uploads: Uploads
    load: Load
    number: int

    async def run(self) -> None:
        try:
            content = await asyncio.to_thread(content_of, self.load.path)
            with TemporaryDirectory(prefix="batchwright-", ignore_cleanup_errors=True) as folder:
                await self.uploads.at_work(self.number, partial(self._work, Path(folder), content))
        except Exception as fault:
            # Whatever goes wrong is shown where the upload stands.
            self.uploads.fail(self.number, fault)
        except BaseException:
            self._turn(phase=Phase.STOPPED)
            raise

    async def _work(self, folder: Path, content: str, bench: Workbench, waits: Waits | None) -> None:
        if await asyncio.to_thread(stamp_of, self.load.path) != self.load.stamp:
            raise _other_than_checked()
        path = self.load.path if self.load.is_whole else await self._prepared(folder)
        await self._bring(path, await self._trail(bench, content), bench, waits)

    async def _prepared(self, folder: Path) -> Path:
        load = self.load
        # The service knows the kind of a file by its name.
        part = folder / f"{load.path.stem}.{load.form.kind}"
        if part.exists():
            return part
        self._turn(phase=Phase.PREPARING)
        count = await at_work(write_good, load.path, load.form, load.schema, part, told=self._move)
        if count != load.records:
            raise _other_than_checked()
        return part

    async def _bring(self, path: Path, trail: Trail, bench: Workbench, waits: Waits | None) -> None:
        def made(dataset: Dataset) -> None:
            self._turn(phase=Phase.SENDING, done=0, total=0, dataset_id=dataset.id)
            self.uploads.tell_made(self.number, bench.workspace_id)

        def sent(import_id: str) -> None:
            self._turn(phase=Phase.IMPORTING, import_id=import_id)

        def seen(sight: Sight) -> None:
            self._turn(state=sight.state)

        def moved(done: int, total: int | None) -> None:
            self._turn(phase=Phase.SENDING, done=done, total=total or 0)

        onlooker = Onlooker(made=made, moved=moved, sent=sent, seen=seen)
        load = self.load
        brought = await bring_data(bench, trail, load.name, load.schema, path, onlooker, load.records, waits)
        await trail.mark(brought=True)
        self._turn(phase=Phase.ENDED, state=str(brought.job.status), job=brought.job)
        self.uploads.tell_made(self.number, bench.workspace_id)

    async def _trail(self, bench: Workbench, content: str) -> Trail:
        """How far the same upload has come before, whatever study and file have been called since.

        One that came to its end is done anew, unless the study does not know that it did; one of another
        study is left alone.
        """
        load = self.load
        trail = trail_of(bench, load, content)
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


def trail_of(bench: Workbench, load: Load, content: str) -> Trail:
    """How far an upload has come at a service; `content` tells what its file holds (`content_of`)."""
    return bench.trail("data", write_schema(load.schema), content, asdict(load.form))


def _other_than_checked() -> Unreadable:
    return Unreadable(
        _("The file has changed since it was checked."), _("It is checked again; then upload it once more.")
    )
