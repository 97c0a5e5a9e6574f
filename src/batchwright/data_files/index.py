"""Where each record of a file begins, so that any row of a million is at hand at once."""

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import BinaryIO, TypeAlias

from batchwright.base.i18n import _
from batchwright.base.json_values import Json
from batchwright.data_files.csv_rows import CsvRows
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.jsonl_rows import json_entries, read_value
from batchwright.data_files.reader import decode_errors_as_unreadable, identity_judge, lines, open_stream
from batchwright.data_files.rows import ParsedRecord, UnreadableFile

SLICE = 20_000
"""Records between two slices of an index."""


Stamp: TypeAlias = tuple[int, int]
"""Size in bytes, and when it was last written to: a file with another stamp is another file."""


@dataclass(frozen=True)
class IndexChunk:
    """The next records of a file: at which byte and on which physical line each begins."""

    offsets: "array[int]" = field(default_factory=lambda: array("Q"))
    lines: "array[int]" = field(default_factory=lambda: array("L"))

    def __len__(self) -> int:
        return len(self.offsets)


class RowIndex:
    """Gives any row of a file; grows by the slices that `index_file` makes, 16 bytes a record."""

    def __init__(self, path: Path, form: Format) -> None:
        self._path = path
        self._form = form
        self._known = IndexChunk()
        self.stamp = file_stamp(path)

    def __len__(self) -> int:
        return len(self._known)

    def extend(self, more: IndexChunk) -> None:
        """Take in the slice that follows those taken in before."""
        self._known.offsets.extend(more.offsets)
        self._known.lines.extend(more.lines)

    def line(self, record: int) -> int:
        """The physical line on which an indexed record begins."""
        return self._known.lines[record]

    def rows(self, start: int, count: int) -> list[ParsedRecord[Json]]:
        """Up to `count` of the rows indexed so far, the same as `reader.rows` gives.

        Raises:
            UnreadableFile: when the file has changed since the index was begun.
            OSError: when it cannot be opened.
        """
        count = min(count, len(self) - start)
        if count <= 0:
            return []
        if file_stamp(self._path) != self.stamp:
            raise UnreadableFile(_("The file has changed since it was opened."), _("Open it again."))
        at = self._known.offsets[start]
        with open_stream(self._path) as stream, decode_errors_as_unreadable(self._form):
            stream.seek(at)
            return list(islice(self._entries(stream, at, start), count))

    def _entries(self, stream: BinaryIO, at: int, start: int) -> Iterator[ParsedRecord[Json]]:
        line = self._known.lines[start]
        text = lines(stream, self._form, at=at)
        if self._form.kind is FormatKind.JSONL:
            return json_entries(text, read_value, line, start)
        return CsvRows(text, self._form, line, start).entries(identity_judge)


def file_stamp(path: Path) -> Stamp:
    """The stamp of a file as it is now.

    Raises:
        OSError: it cannot be looked at.
    """
    seen = path.stat()
    return seen.st_size, seen.st_mtime_ns


def index_file(path: Path, form: Format, on_slice: Callable[[IndexChunk], None]) -> int:
    """Find where every record of a file begins, slice by slice; returns how many there are.

    Raises:
        UnreadableFile: when the file as a whole cannot be read.
        OSError: when it cannot be opened.
    """
    records = 0
    piece = IndexChunk()
    with open_stream(path) as stream, decode_errors_as_unreadable(form):
        for offset, line in _beginnings(stream, form):
            piece.offsets.append(offset)
            piece.lines.append(line)
            records += 1
            if len(piece) == SLICE:
                on_slice(piece)
                piece = IndexChunk()
    on_slice(piece)
    return records


def _beginnings(stream: BinaryIO, form: Format) -> Iterator[tuple[int, int]]:
    """The byte and the line on which each record begins.

    The records are those of the reader itself, which takes just the lines of one record before it
    gives it out: the lines waiting in `starts` are that record's own, and blank ones before it.
    """
    starts: list[int] = []
    first = 1
    for entry in _unread(lines(stream, form).with_offsets(starts), form):
        yield starts[entry.line - first], entry.line
        first += len(starts)
        starts.clear()


def _unread(text: Iterator[str], form: Format) -> Iterator[ParsedRecord[None]]:
    if form.kind is FormatKind.JSONL:
        return json_entries(text, _nothing)
    table = CsvRows(text, form)
    if form.header:
        table.header()
    return table.entries(_nothing)


def _nothing(_content: object) -> None:
    """Of a record only its place is wanted."""
