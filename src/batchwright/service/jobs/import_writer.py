"""Taking the records of a file into a dataset, whichever generation it is of.

Datapoints are written in slices, each in one transaction with how far the file has been read, so
that an interrupted import goes on where it stopped. They count only from the moment the import
ends: until then nobody sees them, and a file that turns out unreadable leaves nothing behind.
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

HEAVIEST_SLICE = 16_000_000
"""Characters of records in one transaction: they are all in memory at once."""


def in_bounded_transactions(entries: Iterable[ParsedRecord[Record]]) -> Iterator[list[ParsedRecord[Record]]]:
    """The entries, as many at a time as one transaction may write: fewer where records are long."""
    part: list[ParsedRecord[Record]] = []
    weight = 0
    for entry in entries:
        part.append(entry)
        weight += _weight(entry.content)
        if len(part) == ROWS_PER_TRANSACTION or weight > HEAVIEST_SLICE:
            yield part
            part, weight = [], 0
    if part:
        yield part


def begin(bench: JobContext, job: StoredJob) -> StoredImport:
    """Show the import as `processing`; the import as it stands then."""
    with bench.database.write() as connection:
        known = imports.get(connection, job.subject)
        dataset = datasets.get(connection, known.dataset)
        imports.begin(connection, job.subject, dataset.datapoint_count, bench.clock())
        return imports.get(connection, job.subject)


def delete_partial_import(bench: JobContext, job: StoredJob) -> StoredImport:
    """Delete the datapoints that an import has written; nobody has seen them."""
    with bench.database.read() as connection:
        known = imports.get(connection, job.subject)
    deleted = ROWS_PER_TRANSACTION if known.first_position is not None else 0
    while deleted:
        with bench.database.write() as connection:
            first = known.first_position or 0
            deleted = datasets.delete_datapoints_from(
                connection, known.dataset, first, limit=ROWS_PER_TRANSACTION
            )
    return known


class ImportWriter:
    """One import under way; `version` is that of the schema whose form the records have.

    `end` is the position behind its last datapoint, `rejected` how many records were refused.
    """

    def __init__(self, bench: JobContext, job: StoredJob, known: StoredImport, version: int) -> None:
        self._bench = bench
        self._job = job
        self._import = known
        self._version = version
        self._accepted = known.accepted_count
        self._errors: list[Json] = list(known.errors)
        self._done = known.accepted_count + known.rejected_count
        self._any_read = False
        self._first_fault: RecordError | None = None
        self.rejected = known.rejected_count

    @property
    def unreadable(self) -> str | None:
        """Why nothing of the file can be used: none of its records could be read. None when one could."""
        if self._any_read or self._first_fault is None:
            return None
        return _("No record of the file can be read. The first one: {reason}").format(
            reason=self._first_fault.reason
        )

    @property
    def end(self) -> int:
        """How many datapoints the dataset has with those of this import."""
        return (self._import.first_position or 0) + self._accepted

    def take(self, entries: list[ParsedRecord[Record]]) -> None:
        """Write the next records, but for those that an earlier run wrote."""
        self._look_for_one_that_can_be_read(entries)
        fresh = [entry for entry in entries if entry.record_index >= self._done]
        if not fresh:
            return
        records = [entry.content for entry in fresh if not isinstance(entry.content, RecordError)]
        self._errors += [
            _error(entry.record_index, entry.content)
            for entry in fresh
            if isinstance(entry.content, RecordError)
        ][: MOST_ERRORS - len(self._errors)]
        with self._bench.database.write() as connection:
            datasets.insert_datapoints(connection, self._import.dataset, self.end, records, self._version)
            self._accepted += len(records)
            self.rejected += len(fresh) - len(records)
            imports.advance(
                connection,
                self._import.number,
                accepted=self._accepted,
                rejected=self.rejected,
                errors=self._errors,
                now=self._bench.clock(),
            )
            jobs.reset_attempts(connection, self._job.number)

    def _look_for_one_that_can_be_read(self, entries: list[ParsedRecord[Record]]) -> None:
        """Note whether any record could be read, be it to be rejected by the schema."""
        for entry in entries:
            if self._any_read:
                return
            if isinstance(entry.content, RecordError) and entry.content.field == RAW:
                self._first_fault = self._first_fault or entry.content
            else:
                self._any_read = True


def _weight(content: Record | RecordError) -> int:
    return 0 if isinstance(content, RecordError) else sum(map(len, map(str, content.values())))


def _error(index: int, fault: RecordError) -> Json:
    return {"record_index": index, "field": fault.field, "reason": fault.reason}
