"""Changing a dataset's schema, and the migrations that follow (specification, Datasets rules 1 and 4)."""

from starlette.responses import Response

from batchwright.base.database import Connection
from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject
from batchwright.schema.model import Schema
from batchwright.service import enqueue
from batchwright.service.clock import timestamp
from batchwright.service.handlers.datasets import dataset_record, parse_schema
from batchwright.service.http import lookups
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.responses import bad_request, json_response, not_found
from batchwright.service.store import datasets, imports, jobs, migrations
from batchwright.service.store.datasets import StoredDataset
from batchwright.service.store.jobs import StoredJobKind
from batchwright.service.store.migrations import StoredMigration
from batchwright.wire.datasets import SchemaUpdate
from batchwright.wire.migrations import MigrationStatus


def update(call: ApiRequest) -> Response:
    """`PATCH /datasets/{dataset_id}`: another version of the schema, and what has to follow it.

    404, 403 and 400 come in this order, before anything is written (wire.md 4.9).
    """
    with call.parts.database.read() as connection:
        lookups.require_v4(lookups.writable_dataset(call, connection))
    schema = parse_schema(call.read(SchemaUpdate).schema_)
    with call.parts.database.write(durable=True) as connection:
        before = lookups.writable_dataset(call, connection)
        _insist_on_task_group(connection, before, schema)
        dataset = datasets.set_schema(connection, before.number, schema)
        migration = None
        if before.schema is None:
            enqueue.enqueue_pending(connection, dataset.number, call.parts.clock())
        else:
            migration = _migrate(connection, dataset, call.parts.clock())
        record = dataset_record(dataset, imports.of_dataset(connection, dataset.number))
    call.parts.wake_worker()
    return json_response(record if migration is None else record | {"migration_job_id": migration.id})


def get_migration(call: ApiRequest) -> Response:
    """`GET /datasets/{dataset_id}/schema-migrations/{job_id}`."""
    with call.parts.database.read() as connection:
        dataset = lookups.dataset_of(call, connection)
        job = migrations.find(connection, call.path["job_id"])
    if job is None or job.dataset != dataset.number:
        raise not_found(_("Schema migration job not found."))
    return json_response(_record(job, dataset.id))


def _insist_on_task_group(connection: Connection, dataset: StoredDataset, schema: Schema) -> None:
    """Refuse another task group column once there are datapoints, or some are being written (wire.md 4.9)."""
    is_filled = dataset.datapoint_count or imports.is_running(connection, dataset.number)
    if dataset.schema is None or not is_filled:
        return
    if dataset.schema.task_group_field != schema.task_group_field:
        sentence = _("The task group column cannot change once the dataset has datapoints.")
        raise bad_request({"schema": [sentence]})


def _migrate(connection: Connection, dataset: StoredDataset, now: int) -> StoredMigration:
    migration = migrations.add(connection, dataset=dataset.number, version=dataset.schema_version, now=now)
    lane = jobs.dataset_lane(dataset.number)
    jobs.add(connection, StoredJobKind.MIGRATION, lane=lane, subject=migration.number, now=now)
    return migration


def _record(job: StoredMigration, dataset_id: str) -> JsonObject:
    """The record of wire.md 4.10: which counts there are depends on the status."""
    record: dict[str, Json] = {
        "dataset_id": dataset_id,
        "job_id": job.id,
        "schema_version": job.version,
        "status": job.status,
        "created_at": timestamp(job.created_at),
        "updated_at": timestamp(job.updated_at),
    }
    if job.status in (MigrationStatus.COMPLETE, MigrationStatus.PARTIAL):
        record["reprocessed_count"] = job.reprocessed_count
    if job.status is MigrationStatus.PARTIAL:
        record |= {"failed_count": job.failed_count, "errors": job.errors}
    if job.status is MigrationStatus.FAILED:
        record["reason"] = job.reason
    return record
