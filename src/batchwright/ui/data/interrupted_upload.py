"""What became of an upload whose end the study does not know: the program was killed, or left, meanwhile."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from enum import Enum, auto
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from batchwright.client.checkpoint import file_sha256
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.data.remote_dataset import RemoteDataset
from batchwright.ui.data.upload_state import UploadSource
from batchwright.ui.data.uploads import UploadRunner, upload_checkpoint
from batchwright.wire.datasets import Dataset
from batchwright.wire.imports import ImportJob, ImportStatus


class RemainingWork(Enum):
    """What is left to do of an upload that was begun before."""

    NOTHING = auto()
    """There was none of this data, or the study knows how it ended."""
    LOOKING = auto()
    """It is not known yet."""
    SENDING = auto()
    """The file has not arrived: the dataset waits for it."""


class OnImportCompleted(Protocol):
    """Has the study know an import that has ended, every record of which was taken."""

    def __call__(self, load: UploadSource, workspace_id: str, job: ImportJob, /) -> None:
        """Know it."""


class InterruptedUpload(QObject):
    """Looks once for each dataset without an import that the study knows of, and the data in view.

    An import that goes on is watched from then on, and one that is complete is the study's. A file is not
    sent without being asked for.

    Args:
        load: what would be uploaded now.
        watch: watches the import of an upload whose file has arrived.
        take: has the study know an import.
    """

    changed = Signal()

    def __init__(
        self,
        session: ConnectionSession,
        held: RemoteDataset,
        uploads: UploadRunner,
        tasks: Tasks,
        load: Callable[[], UploadSource | None],
        watch: Callable[[Dataset], None],
        take: OnImportCompleted,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._held, self._uploads, self._tasks = session, held, uploads, tasks
        self._load, self._watch, self._take = load, watch, take
        self._looks = 0
        self._about: object = None
        self._found = RemainingWork.NOTHING
        held.changed.connect(self.look)

    @property
    def left(self) -> RemainingWork:
        """What is left to do."""
        load = self._load()
        if not self._is_open or load is None or self._held.fault is not None:
            return RemainingWork.NOTHING
        return self._found if self._about == self._subject(load) else RemainingWork.LOOKING

    def look(self) -> None:
        """Find out what is left, once the dataset was seen and the data is checked."""
        load, dataset = self._load(), self._held.dataset
        if self._is_open and load is not None and dataset is not None and self._about != self._subject(load):
            self._about = about = self._subject(load)
            self._found = RemainingWork.LOOKING
            self._looks += 1
            self._tasks.start(f"data left {self._looks}", lambda: self._look(about, load, dataset))

    @property
    def _is_open(self) -> bool:
        """Whether the study has a dataset, knows of no data in it, and shows no upload."""
        remote = self._held.remote
        return remote.dataset_id is not None and not remote.has_data and self._uploads.progress is None

    def _is_wanted(self, about: object) -> bool:
        """Whether what a look has found is still about the data in view, and the dataset of the study."""
        load = self._load()
        return self._is_open and load is not None and self._subject(load) == about

    def _subject(self, load: UploadSource) -> object:
        """What a look is about, whatever the study is called."""
        return self._held.subject, replace(load, name="")

    async def _look(self, about: object, load: UploadSource, dataset: Dataset) -> None:
        left = RemainingWork.NOTHING
        try:
            bench = await self._session.bench(asks=False)
            content = await asyncio.to_thread(file_sha256, load.path)
            steps = await upload_checkpoint(bench, load, content).steps()
            jobs = {job.import_id: job for job in dataset.imports or ()}
            job = jobs.get(str(steps.get("import")))
            if not self._is_wanted(about):
                if about == self._about:
                    self._about = None
                return
            if steps.get("dataset") != dataset.id:
                return
            match job:
                case None | ImportJob(status=ImportStatus.UNINITIALISED):
                    left = RemainingWork.SENDING
                case ImportJob(status=ImportStatus.COMPLETE, counted=load.records):
                    self._take(load, bench.workspace_id, job)
                case ImportJob(status=ImportStatus.FAILED):
                    pass
                case _ if "brought" not in steps:
                    self._watch(dataset)
        finally:
            if about == self._about:
                self._found = left
                self.changed.emit()
