"""What is uploaded, and how it stands with that."""

from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path

from batchwright.data_files.formats import Format
from batchwright.data_files.index import Stamp
from batchwright.schema.model import Schema
from batchwright.ui.core.background_tasks import TaskMessage
from batchwright.wire.datasets import Dataset
from batchwright.wire.imports import ImportJob, ImportStatus


@dataclass(frozen=True)
class UploadSource:
    """What is uploaded: the good records of a file; all of it where all are good and the format is served."""

    name: str
    path: Path
    stamp: Stamp
    """That of the file when it was checked."""
    format: Format
    schema: Schema
    records: int
    is_whole: bool
    unfinished_dataset_id: str | None = None
    """The dataset that was made for it before, when it was not uploaded to the end."""


class UploadPhase(Enum):
    """How far an upload is."""

    CONNECTING = auto()
    PREPARING = auto()
    """The good records are written to a file of their own."""
    SENDING = auto()
    OFFLINE = auto()
    """The network is away, and is waited for."""
    IMPORTING = auto()
    FINISHED = auto()
    FAILED = auto()
    CANCELLED = auto()


RUNNING = frozenset(
    {
        UploadPhase.CONNECTING,
        UploadPhase.PREPARING,
        UploadPhase.SENDING,
        UploadPhase.OFFLINE,
        UploadPhase.IMPORTING,
    }
)


@dataclass(frozen=True)
class UploadState:
    """An upload as it stands: bytes done and in all while something moves, the import's own word after."""

    source: UploadSource
    connection: str
    phase: UploadPhase = UploadPhase.CONNECTING
    done: int = 0
    total: int = 0
    import_status: str = ""
    is_late: bool = False
    """Whether the file was sent, and the service has not started to read it for a while."""
    dataset: Dataset | None = None
    """That which was made for it, as it was then."""
    import_id: str = ""
    job: ImportJob | None = None
    error: TaskMessage | None = None
    is_v4_disabled: bool = False
    """Whether it failed because the workspace has no V4 datasets."""

    @property
    def dataset_id(self) -> str:
        """Empty while there is no dataset."""
        return self.dataset.id if self.dataset else ""

    @property
    def is_running(self) -> bool:
        """Whether it goes on."""
        return self.phase in RUNNING

    @property
    def is_complete(self) -> bool:
        """Whether every record that was sent is in the dataset."""
        return self.job is not None and self.job.status == ImportStatus.COMPLETE

    @property
    def has_count_mismatch(self) -> bool:
        """Whether the service counted other records than were sent (design.md 9.7)."""
        return (
            self.phase is UploadPhase.FINISHED
            and self.job is not None
            and self.job.counted not in (None, self.source.records)
        )

    def can_resume(self, source: UploadSource) -> bool:
        """Whether an upload of this would go on where this one has stopped, in the dataset that it made."""
        is_same = (
            replace(source, name=self.source.name, unfinished_dataset_id=self.source.unfinished_dataset_id)
            == self.source
        )
        return is_same and source.unfinished_dataset_id == self.dataset_id and self.job is None

    @property
    def fraction(self) -> float | None:
        """How much of the phase is done, from 0 to 1; None where nobody knows."""
        if self.phase in (UploadPhase.PREPARING, UploadPhase.SENDING) and self.total:
            return self.done / self.total
        return None
