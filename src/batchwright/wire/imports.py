"""Import jobs of V4 datasets (wire reference, 4.6)."""

from enum import StrEnum

from batchwright.wire.base import Open, ResponseBody
from batchwright.wire.ids import Timestamp


class ImportStatus(StrEnum):
    """How far an import has come (specification, Import job status)."""

    UNINITIALISED = "uninitialised"
    QUEUED = "queued"
    PROCESSING = "processing"
    COMPLETE = "complete"
    PARTIAL = "partial"
    FAILED = "failed"
    PENDING_SCHEMA = "pending_schema"


POLLED = frozenset({ImportStatus.UNINITIALISED, ImportStatus.QUEUED, ImportStatus.PROCESSING})
"""The statuses at which a client looks again."""


class ImportRejection(ResponseBody):
    """Why one record of a file was not taken; `record_index` counts the file's records from 0."""

    record_index: int | None = None
    field: str | None = None
    """A key of the schema, or `_raw` when the whole record could not be read."""
    reason: str | None = None


class ImportJob(ResponseBody):
    """GET `/datasets/{id}/imports/{import_id}`; which counts there are depends on the status."""

    import_id: str
    status: Open[ImportStatus]
    dataset_id: str | None = None
    type: str | None = None
    """`file_upload`, the only kind so far."""
    filename: str | None = None
    created_at: Timestamp | None = None
    updated_at: Timestamp | None = None
    accepted_count: int | None = None
    rejected_count: int | None = None
    errors: tuple[ImportRejection, ...] | None = None
    """May be fewer than `rejected_count`."""
    reason: str | None = None

    @property
    def counted(self) -> int | None:
        """How many records the service says that the file held; None while it does not say."""
        return None if self.accepted_count is None else self.accepted_count + (self.rejected_count or 0)

    @property
    def settled(self) -> bool:
        """Whether a client stops looking: at every status but three, unknown ones included."""
        return self.status not in POLLED
