"""Models of schema migration jobs (wire reference, section 4.10)."""

from enum import StrEnum

from batchwright.wire.base import Open, ResponseBody
from batchwright.wire.ids import Timestamp


class MigrationStatus(StrEnum):
    """Status of a migration (specification, Schema migration status)."""

    PROCESSING = "processing"
    COMPLETE = "complete"
    PARTIAL = "partial"
    FAILED = "failed"


class NulledField(ResponseBody):
    """A value that did not match the new schema and was set to null."""

    datapoint_id: str
    field: str
    reason: str = ""


class MigrationJob(ResponseBody):
    """GET `/datasets/{id}/schema-migrations/{job_id}`; which counts are present depends on the status."""

    job_id: str
    """The `migration_job_id` in the response to the schema update."""
    status: Open[MigrationStatus]
    dataset_id: str | None = None
    schema_version: int | None = None
    """The version that datapoints are migrated to."""
    created_at: Timestamp | None = None
    updated_at: Timestamp | None = None
    reprocessed_count: int | None = None
    failed_count: int | None = None
    errors: tuple[NulledField, ...] | None = None
    reason: str | None = None

    @property
    def settled(self) -> bool:
        """Whether polling ends: at every status but `processing`, including unknown ones."""
        return self.status != MigrationStatus.PROCESSING
