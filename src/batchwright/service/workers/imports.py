"""Taking files into V4 datasets (specification, Import job status)."""

from batchwright.records.checking import RecordChecker
from batchwright.service.store import datasets, imports, jobs
from batchwright.service.store.jobs import Job
from batchwright.service.workers import intakes
from batchwright.service.workers.bench import Bench
from batchwright.service.workers.intakes import Intake, in_light_slices
from batchwright.tables.entries import Unreadable
from batchwright.tables.formats import Kind
from batchwright.tables.reading import read_records
from batchwright.wire.imports import ImportStatus


def begin(bench: Bench, job: Job) -> None:
    """Show the import as `processing`."""
    intakes.begin(bench, job)


def run(bench: Bench, job: Job) -> None:
    """Read the file, from where an earlier run stopped, to its end."""
    known = intakes.begin(bench, job)
    with bench.database.read() as connection:
        dataset = datasets.get(connection, known.dataset)
    schema = dataset.schema
    kind = Kind.of(known.filename)
    if known.blob is None or schema is None or kind is None:
        raise ValueError(f"import {known.id} is not ready to be processed")
    intake = Intake(bench, job, known, dataset.schema_version)
    try:
        with bench.blobs.open(known.blob) as stream:
            for entries in in_light_slices(read_records(stream, kind, RecordChecker(schema))):
                intake.take(entries)
    except Unreadable as fault:
        give_up(bench, job, fault.reason)
        return
    if intake.unreadable is not None:
        give_up(bench, job, intake.unreadable)
        return
    status = ImportStatus.PARTIAL if intake.rejected else ImportStatus.COMPLETE
    with bench.database.write() as connection:
        datasets.set_datapoint_count(connection, known.dataset, intake.end)
        imports.finish(connection, known.number, status, bench.clock())
        jobs.done(connection, job.number)


def give_up(bench: Bench, job: Job, reason: str) -> None:
    """End the import as `failed`, with nothing ingested."""
    known = intakes.take_back(bench, job)
    with bench.database.write() as connection:
        imports.finish(connection, known.number, ImportStatus.FAILED, bench.clock(), reason)
        jobs.done(connection, job.number)
