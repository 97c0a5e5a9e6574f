"""Imports of files into V3 datasets (specification, Dataset V3 status; wire reference, section 4.7).

A file is imported completely or not at all, since errors of single rows cannot be reported. Its rows follow
those of earlier files, whose tasks do not change; new columns are added.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import BinaryIO

from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.v3_csv import V3Table, csv_in
from batchwright.schema.model import Schema
from batchwright.service.jobs import import_writer
from batchwright.service.jobs.context import JobContext
from batchwright.service.jobs.import_writer import ImportWriter, in_bounded_transactions
from batchwright.service.store import datasets, imports, jobs
from batchwright.service.store.imports import StoredImport
from batchwright.service.store.jobs import StoredJob
from batchwright.wire.imports import ImportStatus


def start(context: JobContext, job: StoredJob) -> None:
    """Record the position of the first row; the dataset has been `PROCESSING` since the upload."""
    import_writer.start(context, job)


def run(context: JobContext, job: StoredJob) -> None:
    """Import the file, continuing where an earlier run stopped."""
    stored_import = import_writer.start(context, job)
    try:
        with _open_csv(context, stored_import) as stream:
            table = V3Table(stream)
            with context.database.read() as connection:
                before = datasets.get(connection, stored_import.dataset)
            schema = _merged_columns(before.schema, table.schema)
            version = before.schema_version + (schema != before.schema)
            writer = ImportWriter(context, job, stored_import, version)
            for entries in in_bounded_transactions(table.records()):
                writer.write(entries)
    except UnreadableFile as error:
        fail(context, job, error.reason)
        return
    with context.database.write() as connection:
        if version > before.schema_version:
            datasets.set_schema(connection, stored_import.dataset, schema)
        datasets.set_datapoint_count(connection, stored_import.dataset, writer.end)
        imports.finish(connection, stored_import.row_id, ImportStatus.COMPLETE, context.clock())
        datasets.mark_file_processed(connection, stored_import.dataset)
        jobs.delete(connection, job.row_id)


def fail(context: JobContext, job: StoredJob, reason: str) -> None:
    """Set the dataset to `ERROR`, with the rows that it had before."""
    stored_import = import_writer.delete_partial_import(context, job)
    with context.database.write() as connection:
        imports.finish(connection, stored_import.row_id, ImportStatus.FAILED, context.clock(), reason)
        datasets.mark_file_processed(connection, stored_import.dataset, reason=reason)
        jobs.delete(connection, job.row_id)


@contextmanager
def _open_csv(context: JobContext, stored_import: StoredImport) -> Iterator[BinaryIO]:
    """The uploaded CSV file, or the one in the uploaded archive."""
    if stored_import.blob is None:
        raise ValueError(f"the file of import {stored_import.id} has not arrived")
    if PurePath(stored_import.filename).suffix.lower() == ".zip":
        with csv_in(context.blobs.path(stored_import.blob)) as stream:
            yield stream
    else:
        with context.blobs.open(stored_import.blob) as stream:
            yield stream


def _merged_columns(before: Schema | None, now: Schema) -> Schema:
    """The columns of all files; the type of a column follows from its name, so files cannot conflict."""
    if before is None:
        return now
    if before.fields.keys() >= now.fields.keys():
        return before
    return Schema(False, {**before.fields, **now.fields})
