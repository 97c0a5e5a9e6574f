"""Models of import jobs of V4 datasets (wire reference, section 4.6)."""

from enum import StrEnum

from batchwright.wire.base import Open, ResponseBody
from batchwright.wire.ids import Timestamp


class ImportStatus(StrEnum):
    """Status of an import (specification, Import job status)."""

    UNINITIALISED = "uninitialised"
    QUEUED = "queued"
    PROCESSING = "processing"
    COMPLETE = "complete"
    PARTIAL = "partial"
    FAILED = "failed"
    PENDING_SCHEMA = "pending_schema"


POLLED = frozenset({ImportStatus.UNINITIALISED, ImportStatus.QUEUED, ImportStatus.PROCESSING})
"""Statuses at which a client continues to poll."""


class ImportRejection(ResponseBody):
    """A rejected record of a file; `record_index` counts the records of the file from 0."""

    record_index: int | None = None
    field: str | None = None
    """A key of the schema, or `_raw` if the whole record could not be parsed."""
    reason: str | None = None


class ImportJob(ResponseBody):
    """GET `/datasets/{id}/imports/{import_id}`; which counts are present depends on the status."""

    import_id: str
    status: Open[ImportStatus]
    dataset_id: str | None = None
    type: str | None = None
    """`file_upload`, the only type so far."""
    filename: str | None = None
    created_at: Timestamp | None = None
    updated_at: Timestamp | None = None
    accepted_count: int | None = None
    rejected_count: int | None = None
    errors: tuple[ImportRejection, ...] | None = None
    """May have fewer entries than `rejected_count`."""
    reason: str | None = None

    @property
    def counted(self) -> int | None:
        """Number of records in the file according to the service; None if not known yet."""
        return None if self.accepted_count is None else self.accepted_count + (self.rejected_count or 0)

    @property
    def settled(self) -> bool:
        """Whether polling ends: at every status but three, including unknown ones."""
        return self.status not in POLLED
