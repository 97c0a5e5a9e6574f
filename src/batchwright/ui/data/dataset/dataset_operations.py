"""The operations on the study's dataset as values: upload, append, schema change, further files, rejections.

Their work is in `upload`, in `imports` and in `dataset_commands`.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, replace
from enum import Enum, auto
from pathlib import Path

from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.base.local_media import MediaFolder
from batchwright.client.checkpoint import Checkpoint
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.transfer_rate import UNKNOWN, TransferRate
from batchwright.data_files.checking import Rejection
from batchwright.data_files.formats import Format
from batchwright.data_files.index import Stamp
from batchwright.data_files.partition import original_record_index
from batchwright.schema.model import Schema
from batchwright.schema.parsing import write_schema
from batchwright.ui.core.operations import Operation, OperationState
from batchwright.ui.data.schema.schema_diff import SchemaDiff
from batchwright.wire.datapoints import AppendRejection
from batchwright.wire.datasets import V3_EXTENSIONS, Dataset
from batchwright.wire.imports import ImportJob, ImportStatus
from batchwright.wire.migrations import MigrationJob, MigrationStatus, NulledField

UPLOAD = "upload"
"""Key of the upload."""
DATASET = "dataset"
"""Key of the other operations, of which the latest is shown: append, schema change and V3 upload."""


@dataclass(frozen=True, kw_only=True)
class DatasetOperation(Operation):
    """An operation on a dataset. Opening another study or data file cancels it."""

    connection_title: str
    """The name of the connection for the user."""
    is_connected: bool = False
    """Whether the service has been reached."""
    cancels_on_leave: bool = True
    shows_error: bool = True

    @property
    def is_connecting(self) -> bool:
        """Whether the service has not been reached yet."""
        return self.state in (OperationState.QUEUED, OperationState.RUNNING) and not self.is_connected


@dataclass(frozen=True, kw_only=True)
class FileTransfer(DatasetOperation):
    """An operation that sends a file, which the service then reads."""

    done: int = 0
    """The bytes sent."""
    total: int = 0
    """The bytes of the file; 0 while nothing is sent."""
    rate: TransferRate = UNKNOWN
    status: str = ""
    """The status of the import or of the V3 dataset; empty until the file was received."""
    is_late: bool = False
    """Whether the file was sent some time ago, and the service has not started to read it."""
    job: ImportJob | None = None
    """The import, once it has ended or waits for a schema."""


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
    is_entire_file: bool
    unfinished_dataset_id: str | None = None
    """The dataset that an earlier upload has created but not filled."""
    media: MediaFolder | None = None
    """The files on this computer that participants of the local service are shown."""
    study_id: str = ""
    """Identifies the study, also if it is renamed; copies of its file have the same one."""


class UploadStep(Enum):
    """The current step of an upload."""

    CONNECTING = auto()
    PREPARING = auto()
    """The accepted records are written to a temporary file."""
    SENDING = auto()
    IMPORTING = auto()


@dataclass(frozen=True, kw_only=True)
class UploadOperation(FileTransfer):
    """An upload; while the file is prepared, `done` and `total` count its records."""

    source: UploadSource
    step: UploadStep = UploadStep.CONNECTING
    dataset: Dataset | None = None
    """The dataset created for the upload, as of its creation."""
    import_id: str = ""
    is_v4_disabled: bool = False
    """Whether it failed because the workspace has no V4 datasets."""

    @property
    @override
    def is_connecting(self) -> bool:
        return super().is_connecting and self.step is UploadStep.CONNECTING

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


def upload_checkpoint(context: WorkflowContext, source: UploadSource, content: str) -> Checkpoint:
    """The checkpoint of an upload at a service; `content` is the digest of its file (`file_sha256`)."""
    return context.checkpoint(
        "data", source.study_id, write_schema(source.schema), content, asdict(source.format)
    )


@dataclass(frozen=True)
class RecordsToAppend:
    """The records of a file that are to be appended, and their number."""

    path: Path
    stamp: Stamp
    """Stamp of the file when it was read."""
    format: Format
    records: int
    media: MediaFolder | None = None
    """The files on this computer that participants of the local service are shown."""
    selected: tuple[int, ...] | None = None
    """The indexes of the records, ascending; None for all records of the file."""

    def record_index(self, number: int) -> int:
        """The index in the file of the record that is sent as this one, counted from zero."""
        return number if self.selected is None else self.selected[number]


@dataclass(frozen=True, kw_only=True)
class AppendOperation(DatasetOperation):
    """An append operation, with the records accepted and rejected so far."""

    source: RecordsToAppend
    dataset_id: str
    accepted: int = 0
    rejected: int = 0
    rejections: Sequence[AppendRejection] = ()
    has_count_mismatch: bool = False
    """Whether the service counted another number of records than were sent."""

    @property
    def accepted_records(self) -> set[int]:
        """The indexes of the selected records that are in the dataset; none if it is not known which are."""
        numbers = [rejection.record_index for rejection in self.rejections]
        known = [self.source.record_index(number - 1) for number in numbers if number is not None]
        return set(self.source.selected or ()) - set(known) if len(known) == self.rejected else set()

    def is_from(self, path: Path) -> bool:
        """Whether the appended records are from this file."""
        return self.source.path == path


@dataclass(frozen=True, kw_only=True)
class SchemaChangeOperation(DatasetOperation):
    """A schema change; `migration` is set when it ends, and None if there was none or it is unknown."""

    diff: SchemaDiff
    migration: MigrationJob | None = None
    released: Sequence[ImportJob] = ()
    """The ended imports that had waited for the first schema."""

    @property
    def equals_new_upload(self) -> bool:
        """Whether the dataset is in the same state as if its data had been uploaded with the new schema."""
        is_complete = self.migration is not None and self.migration.status == MigrationStatus.COMPLETE
        return is_complete and not self.diff.added

    @property
    def cleared_values(self) -> Sequence[NulledField]:
        """The values that did not fit the new schema and were cleared, as far as the service lists them."""
        return (self.migration.errors or ()) if self.migration else ()


@dataclass(frozen=True, kw_only=True)
class V3UploadOperation(FileTransfer):
    """The upload of a V3 dataset."""

    path: Path
    workspace_id: str = ""
    dataset: Dataset | None = None


@dataclass(frozen=True, kw_only=True)
class CreateOperation(DatasetOperation):
    """The creation of a dataset without a schema."""

    name: str
    workspace_id: str = ""
    dataset: Dataset | None = None


@dataclass(frozen=True, kw_only=True)
class ImportFileOperation(FileTransfer):
    """The import of a further file into the dataset."""

    path: Path
    dataset_id: str


def is_v3_file(path: Path) -> bool:
    """Whether a V3 dataset can be created from a file of this name."""
    return path.suffix.lower() in V3_EXTENSIONS


UNKNOWN_RECORD = -1
"""Index for a record that the service did not identify."""


def import_rejections(
    upload: UploadOperation, bad: Collection[int], line: Callable[[int], int | None]
) -> tuple[Rejection, ...]:
    """The rejections of a finished import, with the lines of the data file.

    Args:
        upload: the upload.
        bad: indexes of the records that the check rejected; these were not sent, unless the whole file was.
        line: returns the line of a record in the file, if known.
    """
    if upload.job is None or not upload.job.rejected_count:
        return ()
    if not upload.job.errors:
        return (Rejection(0, UNKNOWN_RECORD, "", _("The service does not say which records, or why.")),)
    excluded = () if upload.source.is_entire_file else sorted(bad)
    rejections = []
    for error in upload.job.errors:
        record = (
            UNKNOWN_RECORD
            if error.record_index is None
            else original_record_index(excluded, error.record_index)
        )
        reason = error.reason or _("No reason given")
        rejections.append(Rejection(line(record) or 0, record, error.field or "", reason))
    return tuple(rejections)


def append_rejections(
    operation: AppendOperation, line_number: Callable[[int], int | None]
) -> tuple[Rejection, ...]:
    """The rejected records by row of the file; `line_number` returns the line of a record, if known."""
    rejections = []
    for rejection in operation.rejections:
        number = rejection.record_index
        record = UNKNOWN_RECORD if number is None else operation.source.record_index(number - 1)
        reason = rejection.reason or _("No reason given")
        rejections.append(Rejection(line_number(record) or 0, record, rejection.field or "", reason))
    return tuple(rejections)
