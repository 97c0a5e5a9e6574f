"""Imports of files into V4 datasets (specification, Import job status)."""

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


def start(context: JobContext, job: StoredJob) -> None:
    """Set the import to `processing`."""
    import_writer.start(context, job)


def run(context: JobContext, job: StoredJob) -> None:
    """Import the file, continuing where an earlier run stopped."""
    stored_import = import_writer.start(context, job)
    with context.database.read() as connection:
        dataset = datasets.get(connection, stored_import.dataset)
    schema = dataset.schema
    kind = FormatKind.of(stored_import.filename)
    if stored_import.blob is None or schema is None or kind is None:
        raise ValueError(f"import {stored_import.id} is not ready to be processed")
    writer = ImportWriter(context, job, stored_import, dataset.schema_version)
    try:
        with context.blobs.open(stored_import.blob) as stream:
            for entries in in_bounded_transactions(read_records(stream, kind, RecordValidator(schema))):
                writer.write(entries)
    except UnreadableFile as error:
        fail(context, job, error.reason)
        return
    if writer.unreadable is not None:
        fail(context, job, writer.unreadable)
        return
    status = ImportStatus.PARTIAL if writer.rejected else ImportStatus.COMPLETE
    with context.database.write() as connection:
        datasets.set_datapoint_count(connection, stored_import.dataset, writer.end)
        imports.finish(connection, stored_import.row_id, status, context.clock())
        jobs.delete(connection, job.row_id)


def fail(context: JobContext, job: StoredJob, reason: str) -> None:
    """End the import as `failed`, without any of its records."""
    stored_import = import_writer.delete_partial_import(context, job)
    with context.database.write() as connection:
        imports.finish(connection, stored_import.row_id, ImportStatus.FAILED, context.clock(), reason)
        jobs.delete(connection, job.row_id)
