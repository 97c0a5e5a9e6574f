"""Taking files into V4 datasets (specification, Import job status).

Datapoints are written in slices, each in one transaction with how far the file has been read, so
that an interrupted import goes on where it stopped. They count only from the moment the import
ends: until then nobody sees them, and a file that turns out unreadable leaves nothing behind.
"""

from batchwright.records.checking import Fault, Record, RecordChecker
from batchwright.records.json_values import Json
from batchwright.service.store import datasets, imports, jobs
from batchwright.service.store.database import ROWS_PER_TRANSACTION
from batchwright.service.store.imports import MOST_ERRORS, StoredImport
from batchwright.service.store.jobs import Job
from batchwright.service.workers.bench import Bench, in_slices
from batchwright.tables.entries import Entry, Unreadable
from batchwright.tables.formats import Kind
from batchwright.tables.reading import read_records
from batchwright.wire.imports import ImportStatus


def begin(bench: Bench, job: Job) -> None:
    """Show the import as `processing`."""
    with bench.database.write() as connection:
        known = imports.get(connection, job.subject)
        dataset = datasets.get(connection, known.dataset)
        imports.begin(connection, job.subject, dataset.datapoint_count, bench.clock())


def run(bench: Bench, job: Job) -> None:
    """Read the file, from where an earlier run stopped, to its end."""
    begin(bench, job)
    with bench.database.read() as connection:
        known = imports.get(connection, job.subject)
        dataset = datasets.get(connection, known.dataset)
    schema = dataset.schema
    kind = Kind.of(known.filename)
    if known.blob is None or schema is None or kind is None:
        raise ValueError(f"import {known.id} is not ready to be processed")
    intake = _Intake(bench, job, known, dataset.schema_version)
    try:
        with bench.blobs.open(known.blob) as stream:
            for entries in in_slices(read_records(stream, kind, RecordChecker(schema))):
                intake.take(entries)
    except Unreadable as fault:
        give_up(bench, job, fault.reason)
    else:
        intake.finish()


def give_up(bench: Bench, job: Job, reason: str) -> None:
    """End the import as `failed`, with nothing ingested."""
    with bench.database.read() as connection:
        known = imports.get(connection, job.subject)
    deleted = ROWS_PER_TRANSACTION if known.first_position is not None else 0
    while deleted:
        with bench.database.write() as connection:
            first = known.first_position or 0
            deleted = datasets.delete_datapoints_from(
                connection, known.dataset, first, limit=ROWS_PER_TRANSACTION
            )
    with bench.database.write() as connection:
        imports.finish(connection, known.number, ImportStatus.FAILED, bench.clock(), reason)
        jobs.done(connection, job.number)


class _Intake:
    """One import under way."""

    def __init__(self, bench: Bench, job: Job, known: StoredImport, version: int) -> None:
        self._bench = bench
        self._job = job
        self._import = known
        self._first = known.first_position or 0
        self._accepted = known.accepted_count
        self._rejected = known.rejected_count
        self._errors: list[Json] = list(known.errors)
        self._version = version
        self._done = self._accepted + self._rejected

    def take(self, entries: list[Entry[Record]]) -> None:
        """Write the next records, but for those that an earlier run wrote."""
        fresh = [entry for entry in entries if entry.record_index >= self._done]
        if not fresh:
            return
        records = [entry.content for entry in fresh if not isinstance(entry.content, Fault)]
        self._errors += [
            _error(entry.record_index, entry.content) for entry in fresh if isinstance(entry.content, Fault)
        ][: MOST_ERRORS - len(self._errors)]
        with self._bench.database.write() as connection:
            datasets.insert_datapoints(
                connection, self._import.dataset, self._first + self._accepted, records, self._version
            )
            self._accepted += len(records)
            self._rejected += len(fresh) - len(records)
            imports.advance(
                connection,
                self._import.number,
                accepted=self._accepted,
                rejected=self._rejected,
                errors=self._errors,
                now=self._bench.clock(),
            )
            jobs.progressed(connection, self._job.number)

    def finish(self) -> None:
        """Make the datapoints count, and end the import."""
        status = ImportStatus.PARTIAL if self._rejected else ImportStatus.COMPLETE
        with self._bench.database.write() as connection:
            datasets.set_datapoint_count(connection, self._import.dataset, self._first + self._accepted)
            imports.finish(connection, self._import.number, status, self._bench.clock())
            jobs.done(connection, self._job.number)


def _error(index: int, fault: Fault) -> Json:
    return {"record_index": index, "field": fault.field, "reason": fault.reason}
