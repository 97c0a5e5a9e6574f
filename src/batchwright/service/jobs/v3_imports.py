"""Taking files into V3 datasets (specification, Dataset V3 status; wire.md 4.7).

A file is taken in whole or not at all, since nothing tells of single rows. Its rows come behind those of
earlier files, whose tasks stay what they are; columns that no file had before are added.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import BinaryIO

from batchwright.data_files.archives import csv_in
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.v3_csv import V3Table
from batchwright.schema.model import Schema
from batchwright.service.jobs import import_writer
from batchwright.service.jobs.context import JobContext
from batchwright.service.jobs.import_writer import ImportWriter, in_bounded_transactions
from batchwright.service.store import datasets, imports, jobs, v3_datasets
from batchwright.service.store.imports import StoredImport
from batchwright.service.store.jobs import StoredJob
from batchwright.wire.imports import ImportStatus


def begin(bench: JobContext, job: StoredJob) -> None:
    """Note where the rows begin; the dataset has been `PROCESSING` since the file came."""
    import_writer.begin(bench, job)


def run(bench: JobContext, job: StoredJob) -> None:
    """Read the file, from where an earlier run stopped, to its end."""
    known = import_writer.begin(bench, job)
    try:
        with _csv_of(bench, known) as stream:
            table = V3Table(stream)
            with bench.database.read() as connection:
                before = datasets.get(connection, known.dataset)
            schema = _grown(before.schema, table.schema)
            version = before.schema_version + (schema != before.schema)
            intake = ImportWriter(bench, job, known, version)
            for entries in in_bounded_transactions(table.entries()):
                intake.take(entries)
    except UnreadableFile as fault:
        give_up(bench, job, fault.reason)
        return
    with bench.database.write() as connection:
        if version > before.schema_version:
            datasets.set_schema(connection, known.dataset, schema)
        datasets.set_datapoint_count(connection, known.dataset, intake.end)
        imports.finish(connection, known.number, ImportStatus.COMPLETE, bench.clock())
        v3_datasets.mark_file_processed(connection, known.dataset)
        jobs.done(connection, job.number)


def give_up(bench: JobContext, job: StoredJob, reason: str) -> None:
    """Leave the dataset in `ERROR`, with the rows that it had before."""
    known = import_writer.delete_partial_import(bench, job)
    with bench.database.write() as connection:
        imports.finish(connection, known.number, ImportStatus.FAILED, bench.clock(), reason)
        v3_datasets.mark_file_processed(connection, known.dataset, fault=reason)
        jobs.done(connection, job.number)


@contextmanager
def _csv_of(bench: JobContext, known: StoredImport) -> Iterator[BinaryIO]:
    """The CSV file that was uploaded, or the one in the archive that was."""
    if known.blob is None:
        raise ValueError(f"the file of import {known.id} has not arrived")
    if PurePath(known.filename).suffix.lower() == ".zip":
        with csv_in(bench.blobs.path(known.blob)) as stream:
            yield stream
    else:
        with bench.blobs.open(known.blob) as stream:
            yield stream


def _grown(before: Schema | None, now: Schema) -> Schema:
    """The columns of all files: a name says what its column is, so that no two can disagree."""
    if before is None:
        return now
    if before.fields.keys() >= now.fields.keys():
        return before
    return Schema(False, {**before.fields, **now.fields})
