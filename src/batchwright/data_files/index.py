"""The byte offset of each record of a file, for random access to the rows of a large file."""

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import BinaryIO, TypeAlias

from batchwright.base.i18n import _
from batchwright.base.json_values import Json
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.reader import decode_errors_as_unreadable, lines, open_stream, unchecked
from batchwright.data_files.rows import ParsedRecord, UnreadableFile
from batchwright.data_files.text_rows.csv_rows import CsvRows
from batchwright.data_files.text_rows.jsonl_rows import json_records, read_value

CHUNK_RECORDS = 20_000
"""Records in each chunk of an index."""


Stamp: TypeAlias = tuple[int, int]
"""Size in bytes and modification time in nanoseconds, for detecting that a file has changed."""


@dataclass(frozen=True)
class IndexChunk:
    """Byte offset and physical line number of some consecutive records."""

    offsets: "array[int]" = field(default_factory=lambda: array("Q"))
    lines: "array[int]" = field(default_factory=lambda: array("L"))

    def __len__(self) -> int:
        return len(self.offsets)

    def extend(self, more: "IndexChunk") -> None:
        """Add the records that follow."""
        self.offsets.extend(more.offsets)
        self.lines.extend(more.lines)


class RowIndex:
    """Random access to the rows of a file; extended with the chunks of `index_file`, 16 bytes per record.

    A file of another program must not change meanwhile; one that is still being written may.
    """

    def __init__(self, path: Path, file_format: Format, *, may_change: bool = False) -> None:
        self._path = path
        self._format = file_format
        self._may_change = may_change
        self._index = IndexChunk()
        self.stamp = file_stamp(path)

    def __len__(self) -> int:
        return len(self._index)

    def extend(self, more: IndexChunk) -> None:
        """Add the next chunk."""
        self._index.extend(more)

    def line_number(self, record: int) -> int:
        """The physical line on which a record starts, or its row in the source; counted from 1."""
        return self._index.lines[record]

    def rows(self, start: int, count: int) -> list[ParsedRecord[Json]]:
        """Up to `count` of the rows indexed so far, equal to those of `reader.rows`.

        Raises:
            UnreadableFile: the file has changed since the index was created.
            OSError: when it cannot be opened.
        """
        count = min(count, len(self) - start)
        return self._read([range(start, start + count)]) if count > 0 else []

    def rows_at(self, records: Sequence[int]) -> list[ParsedRecord[Json]]:
        """The rows of records indexed so far, in this order; consecutive ones are read together.

        Raises:
            UnreadableFile: the file has changed since the index was created.
            OSError: when it cannot be opened.
        """
        return self._read(_runs([record for record in records if record < len(self)]))

    def _read(self, parts: Sequence[range]) -> list[ParsedRecord[Json]]:
        if not self._may_change and file_stamp(self._path) != self.stamp:
            raise UnreadableFile(_("The file has changed since it was opened."), _("Open it again."))
        entries: list[ParsedRecord[Json]] = []
        with open_stream(self._path) as stream, decode_errors_as_unreadable(self._format):
            for part in parts:
                at = self._index.offsets[part.start]
                stream.seek(at)
                entries += islice(self._records(stream, at, part.start), len(part))
        return [entry._replace(line=self._index.lines[entry.record_index]) for entry in entries]

    def _records(self, stream: BinaryIO, at: int, start: int) -> Iterator[ParsedRecord[Json]]:
        line = self._index.lines[start]
        text = lines(stream, self._format, start=at)
        if self._format.kind is FormatKind.JSONL:
            return json_records(text, read_value, line, start)
        return CsvRows(text, self._format, line, start).records(unchecked)


def _runs(records: Sequence[int]) -> list[range]:
    """Records as ranges of consecutive ones."""
    runs: list[range] = []
    for record in records:
        if runs and runs[-1].stop == record:
            runs[-1] = range(runs[-1].start, record + 1)
        else:
            runs.append(range(record, record + 1))
    return runs


def file_stamp(path: Path) -> Stamp:
    """The current stamp of a file.

    Raises:
        OSError: the file does not exist or cannot be accessed.
    """
    status = path.stat()
    return status.st_size, status.st_mtime_ns


def record_lines(path: Path, file_format: Format) -> "array[int]":
    """The line of each record of a file.

    Raises:
        UnreadableFile: when the file as a whole cannot be read.
        OSError: when it cannot be opened.
    """
    index = IndexChunk()
    index_file(path, file_format, lambda chunk: index.lines.extend(chunk.lines))
    return index.lines


def index_file(path: Path, file_format: Format, on_chunk: Callable[[IndexChunk], None]) -> int:
    """Find the start of every record, and pass them on in chunks; returns the number of records.

    Raises:
        UnreadableFile: when the file as a whole cannot be read.
        OSError: when it cannot be opened.
    """
    records = 0
    chunk = IndexChunk()
    with open_stream(path) as stream, decode_errors_as_unreadable(file_format):
        for offset, line in _record_starts(stream, file_format):
            chunk.offsets.append(offset)
            chunk.lines.append(line)
            records += 1
            if len(chunk) == CHUNK_RECORDS:
                on_chunk(chunk)
                chunk = IndexChunk()
    on_chunk(chunk)
    return records


def _record_starts(stream: BinaryIO, file_format: Format) -> Iterator[tuple[int, int]]:
    """The byte offset and the line of the start of each record.

    The readers consume only the lines of one record before they yield it. So at that time `starts` contains
    the offsets of the lines of that record and of blank lines before it.
    """
    starts: list[int] = []
    first = 1
    for entry in _unparsed_records(lines(stream, file_format).with_offsets(starts), file_format):
        yield starts[entry.line - first], entry.line
        first += len(starts)
        starts.clear()


def _unparsed_records(text: Iterator[str], file_format: Format) -> Iterator[ParsedRecord[None]]:
    if file_format.kind is FormatKind.JSONL:
        return json_records(text, _ignore_content)
    table = CsvRows(text, file_format)
    if file_format.header:
        table.header()
    return table.records(_ignore_content)


def _ignore_content(_content: object) -> None:
    """Accept every row: its content does not matter for finding where it starts."""
