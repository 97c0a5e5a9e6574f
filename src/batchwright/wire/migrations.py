"""Schema migration jobs (wire reference, 4.10)."""

from enum import StrEnum

from batchwright.wire.base import Open, ResponseBody
from batchwright.wire.ids import Timestamp


class MigrationStatus(StrEnum):
    """How far a migration has come (specification, Schema migration status)."""

    PROCESSING = "processing"
    COMPLETE = "complete"
    PARTIAL = "partial"
    FAILED = "failed"


class NulledField(ResponseBody):
    """A value that did not fit the new schema and was set to null."""

    datapoint_id: str
    field: str
    reason: str = ""


class MigrationJob(ResponseBody):
    """GET `/datasets/{id}/schema-migrations/{job_id}`; which counts there are depends on the status."""

    job_id: str
    """What the answer to the schema update called `migration_job_id`."""
    status: Open[MigrationStatus]
    dataset_id: str | None = None
    schema_version: int | None = None
    """The version migrated to."""
    created_at: Timestamp | None = None
    updated_at: Timestamp | None = None
    reprocessed_count: int | None = None
    failed_count: int | None = None
    errors: tuple[NulledField, ...] | None = None
    reason: str | None = None

    @property
    def settled(self) -> bool:
        """Whether a client stops looking: at every status but `processing`, unknown ones included."""
        return self.status != MigrationStatus.PROCESSING
