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
    UNKNOWN = auto()
    """It is not known yet."""
    UPLOAD = auto()
    """The file has not arrived: the dataset waits for it."""


class OnImportCompleted(Protocol):
    """Has the study know an import that has ended, every record of which was taken."""

    def __call__(self, source: UploadSource, workspace_id: str, job: ImportJob, /) -> None:
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
        source: Callable[[], UploadSource | None],
        watch: Callable[[Dataset], None],
        take: OnImportCompleted,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._remote, self._uploads, self._tasks = session, held, uploads, tasks
        self._source, self._watch, self._on_completed = source, watch, take
        self._checks = 0
        self._checked: object = None
        self._result = RemainingWork.NOTHING
        held.changed.connect(self.check)

    @property
    def remaining(self) -> RemainingWork:
        """What is left to do."""
        source = self._source()
        if not self._is_unresolved or source is None or self._remote.error is not None:
            return RemainingWork.NOTHING
        return self._result if self._checked == self._subject(source) else RemainingWork.UNKNOWN

    def check(self) -> None:
        """Find out what is left, once the dataset was seen and the data is checked."""
        source, dataset = self._source(), self._remote.dataset
        if (
            self._is_unresolved
            and source is not None
            and dataset is not None
            and self._checked != self._subject(source)
        ):
            self._checked = about = self._subject(source)
            self._result = RemainingWork.UNKNOWN
            self._checks += 1
            self._tasks.start(f"data left {self._checks}", lambda: self._check(about, source, dataset))

    @property
    def _is_unresolved(self) -> bool:
        """Whether the study has a dataset, knows of no data in it, and shows no upload."""
        remote = self._remote.binding
        return remote.dataset_id is not None and not remote.has_data and self._uploads.latest is None

    def _is_still_about(self, about: object) -> bool:
        """Whether what a look has found is still about the data in view, and the dataset of the study."""
        source = self._source()
        return self._is_unresolved and source is not None and self._subject(source) == about

    def _subject(self, source: UploadSource) -> object:
        """What a look is about, whatever the study is called."""
        return self._remote.subject, replace(source, name="")

    async def _check(self, about: object, source: UploadSource, dataset: Dataset) -> None:
        left = RemainingWork.NOTHING
        try:
            context = await self._session.bench(asks=False)
            content = await asyncio.to_thread(file_sha256, source.path)
            steps = await upload_checkpoint(context, source, content).steps()
            jobs = {job.import_id: job for job in dataset.imports or ()}
            job = jobs.get(str(steps.get("import")))
            if not self._is_still_about(about):
                if about == self._checked:
                    self._checked = None
                return
            if steps.get("dataset") != dataset.id:
                return
            match job:
                case None | ImportJob(status=ImportStatus.UNINITIALISED):
                    left = RemainingWork.UPLOAD
                case ImportJob(status=ImportStatus.COMPLETE, counted=source.records):
                    self._on_completed(source, context.workspace_id, job)
                case ImportJob(status=ImportStatus.FAILED):
                    pass
                case _ if "brought" not in steps:
                    self._watch(dataset)
        finally:
            if about == self._checked:
                self._result = left
                self.changed.emit()
