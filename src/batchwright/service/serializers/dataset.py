"""The bodies for datasets, imports and migrations (wire reference, section 4)."""

from batchwright.base.json_values import Json, JsonObject
from batchwright.schema.parsing import write_schema
from batchwright.service.clock import timestamp
from batchwright.service.store.datasets import StoredDataset
from batchwright.service.store.imports import StoredImport
from batchwright.service.store.migrations import StoredMigration
from batchwright.wire.imports import ImportStatus
from batchwright.wire.migrations import MigrationStatus


def dataset_record(dataset: StoredDataset, jobs: list[StoredImport]) -> dict[str, Json]:
    """The body for a dataset (wire reference, section 4.1), which differs between V3 and V4."""
    record: dict[str, Json] = {
        "id": dataset.id,
        "name": dataset.name,
        "created_at": timestamp(dataset.created_at),
        "created_by": dataset.created_by,
        "workspace_id": dataset.workspace_id,
        "total_datapoint_count": dataset.datapoint_count,
    }
    if not dataset.is_v4:
        return record | {
            "status": dataset.status,
            "filename": dataset.filename,
            "has_predetermined_grouping_id": None
            if dataset.schema is None
            else dataset.schema.task_group_field is not None,
            "imports": None,
        }
    return record | {
        "schema_version": dataset.schema_version,
        "schema": None if dataset.schema is None else write_schema(dataset.schema),
        "imports": [_import_record(import_, dataset.id) for import_ in jobs],
    }


def _import_record(import_: StoredImport, dataset_id: str) -> JsonObject:
    """The body for an import (wire reference, section 4.6); its counts depend on the status."""
    record: dict[str, Json] = {
        "dataset_id": dataset_id,
        "import_id": import_.id,
        "type": "file_upload",
        "filename": import_.filename,
        "created_at": timestamp(import_.created_at),
        "updated_at": timestamp(import_.updated_at),
        "status": import_.status,
    }
    if import_.status in (ImportStatus.COMPLETE, ImportStatus.PARTIAL):
        record["accepted_count"] = import_.accepted_count
    if import_.status is ImportStatus.PARTIAL:
        record |= {"rejected_count": import_.rejected_count, "errors": import_.errors}
    if import_.status is ImportStatus.FAILED:
        record["reason"] = import_.reason
    return record


def migration_record(migration: StoredMigration, dataset_id: str) -> JsonObject:
    """The body for a migration (wire reference, section 4.10); its counts depend on the status."""
    record: dict[str, Json] = {
        "dataset_id": dataset_id,
        "job_id": migration.id,
        "schema_version": migration.version,
        "status": migration.status,
        "created_at": timestamp(migration.created_at),
        "updated_at": timestamp(migration.updated_at),
    }
    if migration.status in (MigrationStatus.COMPLETE, MigrationStatus.PARTIAL):
        record["reprocessed_count"] = migration.reprocessed_count
    if migration.status is MigrationStatus.PARTIAL:
        record |= {"failed_count": migration.failed_count, "errors": migration.errors}
    if migration.status is MigrationStatus.FAILED:
        record["reason"] = migration.reason
    return record
