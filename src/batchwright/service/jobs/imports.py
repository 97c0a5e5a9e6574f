"""Taking files into V4 datasets (specification, Import job status)."""

from batchwright.data_files.formats import FormatKind
from batchwright.data_files.reader import read_records
from batchwright.data_files.rows import UnreadableFile
from batchwright.schema.record_validator import RecordValidator
from batchwright.service.jobs import import_writer
from batchwright.service.jobs.context import JobContext
from batchwright.service.jobs.import_writer import ImportWriter, in_bounded_transactions
from batchwright.service.store import datasets, imports, jobs
from batchwright.service.store.jobs import StoredJob
from batchwright.wire.imports import ImportStatus


def begin(bench: JobContext, job: StoredJob) -> None:
    """Show the import as `processing`."""
    import_writer.begin(bench, job)


def run(bench: JobContext, job: StoredJob) -> None:
    """Read the file, from where an earlier run stopped, to its end."""
    known = import_writer.begin(bench, job)
    with bench.database.read() as connection:
        dataset = datasets.get(connection, known.dataset)
    schema = dataset.schema
    kind = FormatKind.of(known.filename)
    if known.blob is None or schema is None or kind is None:
        raise ValueError(f"import {known.id} is not ready to be processed")
    intake = ImportWriter(bench, job, known, dataset.schema_version)
    try:
        with bench.blobs.open(known.blob) as stream:
            for entries in in_bounded_transactions(read_records(stream, kind, RecordValidator(schema))):
                intake.take(entries)
    except UnreadableFile as fault:
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


def give_up(bench: JobContext, job: StoredJob, reason: str) -> None:
    """End the import as `failed`, with nothing ingested."""
    known = import_writer.delete_partial_import(bench, job)
    with bench.database.write() as connection:
        imports.finish(connection, known.number, ImportStatus.FAILED, bench.clock(), reason)
        jobs.done(connection, job.number)
