"""Migrations of datapoints to another version of their schema (specification, Datasets rule 4).

Datapoints are rewritten in slices, each in one transaction with the progress of the migration, and only those
below the target version: an interrupted migration resumes where it stopped and writes nothing twice.
"""

from batchwright.base.json_values import Json, to_json
from batchwright.schema.model import Schema
from batchwright.schema.record_validator import RecordError, RecordValidator
from batchwright.service import enqueue
from batchwright.service.jobs.context import JobContext, JobHandler
from batchwright.service.store import datasets, ids, jobs, migrations, record_digests
from batchwright.service.store.database import ROWS_PER_TRANSACTION
from batchwright.service.store.datasets import parse_record
from batchwright.service.store.jobs import StoredJob
from batchwright.service.store.migrations import (
    MAX_ERRORS,
    MigratedDatapoint,
    OutdatedDatapoint,
    StoredMigration,
)
from batchwright.wire.migrations import MigrationStatus


class Migration(JobHandler):
    """A migration of the datapoints of a dataset."""

    def start(self, _context: JobContext, _job: StoredJob) -> None:
        """Nothing to do: the migration has been `processing` since the request."""

    def run(self, context: JobContext, job: StoredJob) -> None:
        """Rewrite every datapoint below the target version."""
        with context.database.read() as connection:
            migration = migrations.get(connection, job.subject)
            dataset = datasets.get(connection, migration.dataset)
            schema = datasets.schema_at(connection, migration.dataset, migration.version)
        _delete_digests(context, migration.dataset)
        writer = _MigrationWriter(context, job, migration, dataset.id, schema)
        while writer.position < dataset.datapoint_count:
            writer.migrate_to(min(dataset.datapoint_count, writer.position + ROWS_PER_TRANSACTION))
        writer.finish()

    def fail(self, context: JobContext, job: StoredJob, reason: str) -> None:
        """End the migration as `failed`, and restore every datapoint."""
        with context.database.read() as connection:
            migration = migrations.get(connection, job.subject)
        for first in range(0, migration.position, ROWS_PER_TRANSACTION):
            end = min(migration.position, first + ROWS_PER_TRANSACTION)
            with context.database.write() as connection:
                migrations.roll_back(connection, migration.dataset, migration.version, first, end)
        _delete_digests(context, migration.dataset)
        _finish(context, job, migration, MigrationStatus.FAILED, reason)


def _finish(
    context: JobContext,
    job: StoredJob,
    migration: StoredMigration,
    status: MigrationStatus,
    reason: str | None = None,
) -> None:
    """End the migration, and retry the auto-syncs that failed because of it."""
    with context.database.write() as connection:
        migrations.finish(connection, migration.row_id, status, context.clock(), reason)
        enqueue.retry_failed_auto_syncs(connection, migration.dataset, context.clock())
        jobs.delete(connection, job.row_id)


def _delete_digests(context: JobContext, dataset: int) -> None:
    is_unfinished = True
    while is_unfinished:
        with context.database.write() as connection:
            is_unfinished = record_digests.delete(connection, dataset, ROWS_PER_TRANSACTION)


class _MigrationWriter:
    """Rewrites the datapoints of one migration."""

    def __init__(
        self, context: JobContext, job: StoredJob, migration: StoredMigration, dataset_id: str, schema: Schema
    ) -> None:
        self._context, self._job, self._migration = context, job, migration
        self._dataset_id, self._validator = dataset_id, RecordValidator(schema)
        self._reprocessed, self._failed = migration.reprocessed_count, migration.failed_count
        self._errors: list[Json] = list(migration.errors)
        self.position = migration.position
        """The first datapoint that has not been processed."""

    def migrate_to(self, end: int) -> None:
        """Rewrite the datapoints before the position `end`."""
        migration = self._migration
        with self._context.database.write() as connection:
            outdated = migrations.outdated(
                connection, migration.dataset, migration.version, self.position, end
            )
            migrations.write_migrated(
                connection, migration.dataset, migration.version, map(self._migrated, outdated)
            )
            self.position = end
            migrations.advance(
                connection,
                migration.row_id,
                position=end,
                reprocessed=self._reprocessed,
                failed=self._failed,
                errors=self._errors,
                now=self._context.clock(),
            )
            jobs.reset_attempts(connection, self._job.row_id)

    def finish(self) -> None:
        """End the migration."""
        status = MigrationStatus.PARTIAL if self._failed else MigrationStatus.COMPLETE
        _finish(self._context, self._job, self._migration, status)

    def _migrated(self, datapoint: OutdatedDatapoint) -> MigratedDatapoint:
        """A migrated record; values that do not conform to the schema are cleared and reported."""
        record, errors = self._validator.converted(parse_record(datapoint.record))
        if errors:
            self._failed += 1
            free_places = MAX_ERRORS - len(self._errors)
            self._errors += [self._error(datapoint.position, error) for error in errors[:free_places]]
        else:
            self._reprocessed += 1
        return MigratedDatapoint(datapoint.position, datapoint.record, to_json(record))

    def _error(self, position: int, error: RecordError) -> Json:
        return {
            "datapoint_id": ids.datapoint_id(self._dataset_id, position),
            "field": error.field,
            "reason": error.reason,
        }
