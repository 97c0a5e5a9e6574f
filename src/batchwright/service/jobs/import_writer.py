"""Writes the records of a file into a dataset; shared by V3 and V4 imports.

Datapoints are written in slices, each in one transaction with the progress of the import, so that an
interrupted import resumes where it stopped. They become visible when the import ends: a file that turns
out to be unreadable leaves nothing behind.
"""

from collections.abc import Iterable, Iterator

from batchwright.base.i18n import _
from batchwright.base.json_values import Json
from batchwright.data_files.rows import ParsedRecord
from batchwright.schema.record_validator import RAW, Record, RecordError
from batchwright.service.jobs.context import JobContext
from batchwright.service.store import datasets, imports, jobs
from batchwright.service.store.database import ROWS_PER_TRANSACTION
from batchwright.service.store.imports import MOST_ERRORS, StoredImport
from batchwright.service.store.jobs import StoredJob

MAX_CHARACTERS_PER_TRANSACTION = 16_000_000
"""The most characters of records in one transaction, since they are in memory together."""


def in_bounded_transactions(entries: Iterable[ParsedRecord[Record]]) -> Iterator[list[ParsedRecord[Record]]]:
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


def start(context: JobContext, job: StoredJob) -> StoredImport:
    """Set the import to `processing`, and return it."""
    with context.database.write() as connection:
        stored_import = imports.get(connection, job.subject)
        dataset = datasets.get(connection, stored_import.dataset)
        imports.start(connection, job.subject, dataset.datapoint_count, context.clock())
        return imports.get(connection, job.subject)


def delete_partial_import(context: JobContext, job: StoredJob) -> StoredImport:
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


class ImportWriter:
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
        fresh = [entry for entry in entries if entry.record_index >= self._read_count]
        if not fresh:
            return
        records = [entry.content for entry in fresh if not isinstance(entry.content, RecordError)]
        self._errors += [
            _error(entry.record_index, entry.content)
            for entry in fresh
            if isinstance(entry.content, RecordError)
        ][: MOST_ERRORS - len(self._errors)]
        with self._context.database.write() as connection:
            datasets.insert_datapoints(connection, self._import.dataset, self.end, records, self._version)
            self._accepted += len(records)
            self.rejected += len(fresh) - len(records)
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
