"""Sample records for the canvas and the preview: the first records of the study's data file."""

import asyncio
from itertools import islice
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from batchwright.base.json_values import Json, JsonObject, is_array, is_object
from batchwright.data_files.formats import Format
from batchwright.data_files.reader import columns, rows
from batchwright.schema.record_validator import RecordError

MAX_RECORDS = 400
"""Maximum number of sample records."""


class SampleRecords(QObject):
    """The first records of a file, and the index of the current one."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._records: tuple[JsonObject, ...] = ()
        self._index = 0
        self._source: tuple[Path, Format] | None = None

    @property
    def count(self) -> int:
        """The number of sample records."""
        return len(self._records)

    @property
    def all(self) -> tuple[JsonObject, ...]:
        """All sample records."""
        return self._records

    @property
    def index(self) -> int:
        """The index of the current record."""
        return self._index

    @property
    def record(self) -> JsonObject | None:
        """The current record; None without data."""
        return self._records[self._index] if self._records else None

    def step(self, by: int) -> None:
        """Move by a number of records, at most to the first or last one."""
        self.show_record(self._index + by)

    def show_record(self, number: int) -> None:
        """Make the record at an index the current one; the index is clamped to the valid range."""
        index = max(0, min(number, self.count - 1))
        if index != self._index:
            self._index = index
            self.changed.emit()

    def set_records(self, records: tuple[JsonObject, ...]) -> None:
        """Replace the records. The index of the current record is kept if there are enough records."""
        self._records = records
        self._index = max(0, min(self._index, len(records) - 1))
        self.changed.emit()

    async def load(self, path: Path, form: Format) -> None:
        """Load the first records of a file, unless they are loaded already.

        Raises:
            Unreadable: the file cannot be read.
            OSError: it cannot be opened.
        """
        if self._source != (path, form):
            self.set_records(await asyncio.to_thread(first_records, path, form))
            self._source = (path, form)

    def clear(self) -> None:
        """Remove all records."""
        self._source = None
        self.set_records(())


def first_records(path: Path, form: Format, most: int = MAX_RECORDS) -> tuple[JsonObject, ...]:
    """The first records of a file as JSON objects; invalid rows are omitted.

    Raises:
        Unreadable: the file cannot be read.
        OSError: it cannot be opened.
    """
    names = columns(path, form)
    entries = (entry.content for entry in islice(rows(path, form), most))
    records = (_record(content, names) for content in entries if not isinstance(content, RecordError))
    return tuple(record for record in records if record is not None)


def _record(content: Json, names: tuple[str, ...]) -> JsonObject | None:
    if is_object(content):
        return content
    if is_array(content):
        return dict(zip(names, content, strict=False))
    return None
