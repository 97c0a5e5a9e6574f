"""Bringing datapoints to another version of their schema (specification, Datasets rule 4).

Datapoints are rewritten in slices, each in one transaction with how far the migration has come, and only
those below the target version: an interrupted migration goes on where it stopped and writes nothing twice.
"""

from batchwright.base.json_values import Json, to_json
from batchwright.schema.model import Schema
from batchwright.schema.record_validator import RecordError, RecordValidator
from batchwright.service import enqueue
from batchwright.service.jobs.context import JobContext
from batchwright.service.store import datasets, ids, jobs, migrations, record_digests
from batchwright.service.store.database import ROWS_PER_TRANSACTION
from batchwright.service.store.datasets import record_in
from batchwright.service.store.jobs import StoredJob
from batchwright.service.store.migrations import (
    MOST_ERRORS,
    MigratedDatapoint,
    OutdatedDatapoint,
    StoredMigration,
)
from batchwright.wire.migrations import MigrationStatus


def begin(_bench: JobContext, _job: StoredJob) -> None:
    """Nothing more is to be seen: a migration is `processing` from the request on."""


def run(bench: JobContext, job: StoredJob) -> None:
    """Rewrite every datapoint below the target version."""
    with bench.database.read() as connection:
        known = migrations.get(connection, job.subject)
        dataset = datasets.get(connection, known.dataset)
        schema = datasets.schema_at(connection, known.dataset, known.version)
    _forget_identities(bench, known.dataset)
    work = _Work(bench, job, known, dataset.id, schema)
    while work.position < dataset.datapoint_count:
        work.take(min(dataset.datapoint_count, work.position + ROWS_PER_TRANSACTION))
    work.finish()


def give_up(bench: JobContext, job: StoredJob, reason: str) -> None:
    """End the migration as `failed`, with every datapoint as it was before it."""
    with bench.database.read() as connection:
        known = migrations.get(connection, job.subject)
    for first in range(0, known.position, ROWS_PER_TRANSACTION):
        end = min(known.position, first + ROWS_PER_TRANSACTION)
        with bench.database.write() as connection:
            migrations.roll_back(connection, known.dataset, known.version, first, end)
    _end(bench, job, known, MigrationStatus.FAILED, reason)


def _end(
    bench: JobContext,
    job: StoredJob,
    known: StoredMigration,
    status: MigrationStatus,
    reason: str | None = None,
) -> None:
    """End the migration, and let the syncs begin that it was in the way of."""
    with bench.database.write() as connection:
        migrations.finish(connection, known.number, status, bench.clock(), reason)
        enqueue.retry_failed_auto_syncs(connection, known.dataset, bench.clock())
        jobs.done(connection, job.number)


def _forget_identities(bench: JobContext, dataset: int) -> None:
    left = True
    while left:
        with bench.database.write() as connection:
            left = record_digests.forget(connection, dataset, ROWS_PER_TRANSACTION)


class _Work:
    """One migration under way."""

    def __init__(
        self, bench: JobContext, job: StoredJob, known: StoredMigration, dataset_id: str, schema: Schema
    ) -> None:
        self._bench, self._job, self._migration = bench, job, known
        self._dataset_id, self._checker = dataset_id, RecordValidator(schema)
        self._reprocessed, self._failed = known.reprocessed_count, known.failed_count
        self._errors: list[Json] = list(known.errors)
        self.position = known.position
        """The datapoints before it have been looked at."""

    def take(self, end: int) -> None:
        """Rewrite the datapoints up to a position."""
        known = self._migration
        with self._bench.database.write() as connection:
            found = migrations.below(connection, known.dataset, known.version, self.position, end)
            migrations.write_migrated(connection, known.dataset, known.version, map(self._renewed, found))
            self.position = end
            migrations.advance(
                connection,
                known.number,
                position=end,
                reprocessed=self._reprocessed,
                failed=self._failed,
                errors=self._errors,
                now=self._bench.clock(),
            )
            jobs.reset_attempts(connection, self._job.number)

    def finish(self) -> None:
        """End the migration."""
        status = MigrationStatus.PARTIAL if self._failed else MigrationStatus.COMPLETE
        _end(self._bench, self._job, self._migration, status)

    def _renewed(self, datapoint: OutdatedDatapoint) -> MigratedDatapoint:
        """A record in its new form; values that do not fit are taken out and told of."""
        record, faults = self._checker.renewed(record_in(datapoint.record))
        if faults:
            self._failed += 1
            room = MOST_ERRORS - len(self._errors)
            self._errors += [self._error(datapoint.position, fault) for fault in faults[:room]]
        else:
            self._reprocessed += 1
        return MigratedDatapoint(datapoint.position, datapoint.record, to_json(record))

    def _error(self, position: int, fault: RecordError) -> Json:
        return {
            "datapoint_id": ids.datapoint_id(self._dataset_id, position),
            "field": fault.field,
            "reason": fault.reason,
        }
