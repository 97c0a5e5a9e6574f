"""Imports of files into V4 and V3 datasets.

Datapoints are written in slices, each in one transaction with the progress of the import, so that an
interrupted import resumes where it stopped. They become visible when the import ends: a file that turns
out to be unreadable leaves nothing behind.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import BinaryIO

from batchwright.base.i18n import _
from batchwright.base.json_values import Json
from batchwright.data_files.formats import FormatKind
from batchwright.data_files.reader import read_records
from batchwright.data_files.rows import ParsedRecord, UnreadableFile
from batchwright.data_files.text_rows.v3_csv import V3Table, csv_in
from batchwright.schema.model import Schema
from batchwright.schema.record_validator import RAW, Record, RecordError, RecordValidator
from batchwright.service.jobs.context import JobContext, JobHandler
from batchwright.service.store import datasets, imports, jobs
from batchwright.service.store.database import ROWS_PER_TRANSACTION
from batchwright.service.store.imports import MAX_ERRORS, StoredImport
from batchwright.service.store.jobs import StoredJob
from batchwright.wire.imports import ImportStatus

MAX_CHARACTERS_PER_TRANSACTION = 16_000_000
"""The most characters of records in one transaction, since they are in memory together."""


class V4Import(JobHandler):
    """The import of a file into a V4 dataset (specification, Import job status)."""

    def start(self, context: JobContext, job: StoredJob) -> None:
        """Set the import to `processing`."""
        _start(context, job)

    def run(self, context: JobContext, job: StoredJob) -> None:
        """Import the file, continuing where an earlier run stopped."""
        stored_import = _start(context, job)
        with context.database.read() as connection:
            dataset = datasets.get(connection, stored_import.dataset)
        schema = dataset.schema
        kind = FormatKind.of(stored_import.filename)
        if stored_import.blob is None or schema is None or kind is None:
            raise ValueError(f"import {stored_import.id} is not ready to be processed")
        writer = _ImportWriter(context, job, stored_import, dataset.schema_version)
        try:
            with context.blobs.open(stored_import.blob) as stream:
                for entries in _in_bounded_transactions(read_records(stream, kind, RecordValidator(schema))):
                    writer.write(entries)
        except UnreadableFile as error:
            self.fail(context, job, error.reason)
            return
        except FileNotFoundError:
            self.fail(context, job, _lost_file_reason())
            return
        if writer.unreadable is not None:
            self.fail(context, job, writer.unreadable)
            return
        status = ImportStatus.PARTIAL if writer.rejected else ImportStatus.COMPLETE
        with context.database.write() as connection:
            datasets.set_datapoint_count(connection, stored_import.dataset, writer.end)
            imports.finish(connection, stored_import.row_id, status, context.clock())
            jobs.delete(connection, job.row_id)

    def fail(self, context: JobContext, job: StoredJob, reason: str) -> None:
        """End the import as `failed`, without any of its records."""
        stored_import = _delete_partial_import(context, job)
        with context.database.write() as connection:
            imports.finish(connection, stored_import.row_id, ImportStatus.FAILED, context.clock(), reason)
            jobs.delete(connection, job.row_id)


class V3Import(JobHandler):
    """The import of a file into a V3 dataset (specification, Dataset V3 status; wire reference, section 4.7).

    A file is imported completely or not at all, since errors of single rows cannot be reported. Its rows
    follow those of earlier files, whose tasks do not change; new columns are added.
    """

    def start(self, context: JobContext, job: StoredJob) -> None:
        """Record the position of the first row; the dataset has been `PROCESSING` since the upload."""
        _start(context, job)

    def run(self, context: JobContext, job: StoredJob) -> None:
        """Import the file, continuing where an earlier run stopped."""
        stored_import = _start(context, job)
        try:
            with _open_csv(context, stored_import) as stream:
                table = V3Table(stream)
                with context.database.read() as connection:
                    before = datasets.get(connection, stored_import.dataset)
                schema = _merged_columns(before.schema, table.schema)
                version = before.schema_version + (schema != before.schema)
                writer = _ImportWriter(context, job, stored_import, version)
                for entries in _in_bounded_transactions(table.records()):
                    writer.write(entries)
        except UnreadableFile as error:
            self.fail(context, job, error.reason)
            return
        except FileNotFoundError:
            self.fail(context, job, _lost_file_reason())
            return
        with context.database.write() as connection:
            if version > before.schema_version:
                datasets.set_schema(connection, stored_import.dataset, schema)
            datasets.set_datapoint_count(connection, stored_import.dataset, writer.end)
            imports.finish(connection, stored_import.row_id, ImportStatus.COMPLETE, context.clock())
            datasets.mark_file_processed(connection, stored_import.dataset)
            jobs.delete(connection, job.row_id)

    def fail(self, context: JobContext, job: StoredJob, reason: str) -> None:
        """Set the dataset to `ERROR`, with the rows that it had before."""
        stored_import = _delete_partial_import(context, job)
        with context.database.write() as connection:
            imports.finish(connection, stored_import.row_id, ImportStatus.FAILED, context.clock(), reason)
            datasets.mark_file_processed(connection, stored_import.dataset, reason=reason)
            jobs.delete(connection, job.row_id)


def _in_bounded_transactions(entries: Iterable[ParsedRecord[Record]]) -> Iterator[list[ParsedRecord[Record]]]:
    """The entries in slices of the size of one transaction, smaller if records are long."""
    entries_of_slice: list[ParsedRecord[Record]] = []
    characters = 0
    for entry in entries:
        entries_of_slice.append(entry)
        characters += _character_count(entry.content)
        if len(entries_of_slice) == ROWS_PER_TRANSACTION or characters > MAX_CHARACTERS_PER_TRANSACTION:
            yield entries_of_slice
            entries_of_slice, characters = [], 0
    if entries_of_slice:
        yield entries_of_slice


def _start(context: JobContext, job: StoredJob) -> StoredImport:
    """Set the import to `processing`, and return it."""
    with context.database.write() as connection:
        stored_import = imports.get(connection, job.subject)
        dataset = datasets.get(connection, stored_import.dataset)
        imports.start(connection, job.subject, dataset.datapoint_count, context.clock())
        return imports.get(connection, job.subject)


def _delete_partial_import(context: JobContext, job: StoredJob) -> StoredImport:
    """Delete the datapoints that an import has written, which are not visible yet."""
    with context.database.read() as connection:
        stored_import = imports.get(connection, job.subject)
    deleted = ROWS_PER_TRANSACTION if stored_import.first_position is not None else 0
    while deleted:
        with context.database.write() as connection:
            first = stored_import.first_position or 0
            deleted = datasets.delete_datapoints_from(
                connection, stored_import.dataset, first, limit=ROWS_PER_TRANSACTION
            )
    return stored_import


class _ImportWriter:
    """Writes the records of an import, which conform to the schema of `version`; `rejected` counts errors."""

    def __init__(
        self, context: JobContext, job: StoredJob, stored_import: StoredImport, version: int
    ) -> None:
        self._context = context
        self._job = job
        self._import = stored_import
        self._version = version
        self._accepted = stored_import.accepted_count
        self._errors: list[Json] = list(stored_import.errors)
        self._read_count = stored_import.accepted_count + stored_import.rejected_count
        self._any_read = False
        self._first_error: RecordError | None = None
        self.rejected = stored_import.rejected_count

    @property
    def unreadable(self) -> str | None:
        """The reason if no record of the file could be parsed; otherwise None."""
        if self._any_read or self._first_error is None:
            return None
        return _("No record of the file can be read. The first error: {reason}").format(
            reason=self._first_error.reason
        )

    @property
    def end(self) -> int:
        """The number of datapoints of the dataset including those of this import."""
        return (self._import.first_position or 0) + self._accepted

    def write(self, entries: list[ParsedRecord[Record]]) -> None:
        """Write the next records, except those that an earlier run wrote."""
        self._check_readable(entries)
        new_entries = [entry for entry in entries if entry.record_index >= self._read_count]
        if not new_entries:
            return
        records = [entry.content for entry in new_entries if not isinstance(entry.content, RecordError)]
        self._errors += [
            _error(entry.record_index, entry.content)
            for entry in new_entries
            if isinstance(entry.content, RecordError)
        ][: MAX_ERRORS - len(self._errors)]
        with self._context.database.write() as connection:
            datasets.insert_datapoints(connection, self._import.dataset, self.end, records, self._version)
            self._accepted += len(records)
            self.rejected += len(new_entries) - len(records)
            imports.advance(
                connection,
                self._import.row_id,
                accepted=self._accepted,
                rejected=self.rejected,
                errors=self._errors,
                now=self._context.clock(),
            )
            jobs.reset_attempts(connection, self._job.row_id)

    def _check_readable(self, entries: list[ParsedRecord[Record]]) -> None:
        """Record whether any record could be parsed, even if the schema rejects it."""
        for entry in entries:
            if self._any_read:
                return
            if isinstance(entry.content, RecordError) and entry.content.field == RAW:
                self._first_error = self._first_error or entry.content
            else:
                self._any_read = True


def _character_count(content: Record | RecordError) -> int:
    return 0 if isinstance(content, RecordError) else sum(map(len, map(str, content.values())))


def _error(index: int, error: RecordError) -> Json:
    return {"record_index": index, "field": error.field, "reason": error.reason}


def _lost_file_reason() -> str:
    return _("The uploaded file no longer exists in the data folder of the service. Upload it again.")


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
