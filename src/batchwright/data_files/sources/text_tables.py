"""Tables in text files: CSV and other texts with delimiters, and JSON Lines with or without nested values."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from batchwright.base.i18n import ngettext
from batchwright.base.json_values import is_object
from batchwright.data_files.column_names import listed
from batchwright.data_files.csv_rows import CsvRows
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.reader import decode_errors_as_unreadable, lines, rows, unchecked
from batchwright.data_files.row_limits import BoundedRowReader
from batchwright.data_files.sniffing import sniff
from batchwright.data_files.sources.nested_values import Records, flat_table
from batchwright.data_files.sources.source import Row, SourceOptions, SourceTable
from batchwright.schema.record_validator import RecordError

_MOST_NAMED = 5
"""Rows that were left out and are named in a note."""


@contextmanager
def open_table(path: Path, options: SourceOptions) -> Iterator[SourceTable]:
    """Open the table; rows that cannot be read are left out and named in its notes.

    Raises:
        UnreadableFile: when the block is entered or rows are read, the file is empty, or its encoding is not
            the detected one.
        OSError: it cannot be opened.
    """
    file_format = sniff(path)
    with path.open("rb", buffering=0) as stream:
        yield text_table(stream, file_format, options)


def text_table(stream: BinaryIO, file_format: Format, options: SourceOptions) -> SourceTable:
    """The table in a stream, read from its current position; it must stay open.

    Raises:
        UnreadableFile: as `open_table` does.
    """
    left_out = _RowsLeftOut()
    if file_format.kind is FormatKind.JSONL:
        table = flat_table(_records(stream, file_format, left_out), options)
        table.notes = left_out.notes
        return table
    with decode_errors_as_unreadable(file_format):
        text = BoundedRowReader(lines(stream, file_format))
        csv_rows = CsvRows(text, file_format)
        columns = tuple(name.strip() for name in csv_rows.header())
    cells = _cells(csv_rows, text, file_format, len(columns), left_out)
    return SourceTable(columns, cells, notes=left_out.notes)


def _records(stream: BinaryIO, file_format: Format, left_out: "_RowsLeftOut") -> Records:
    for entry in rows(stream, file_format):
        if isinstance(entry.content, RecordError):
            left_out.add(entry.line)
        else:
            yield entry.line, entry.content if is_object(entry.content) else {"value": entry.content}
    left_out.finish()


def _cells(
    table: CsvRows, text: BoundedRowReader, file_format: Format, width: int, left_out: "_RowsLeftOut"
) -> Iterator[Row]:
    with decode_errors_as_unreadable(file_format):
        text.next_row()
        for entry in table.records(unchecked):
            text.next_row()
            if isinstance(entry.content, RecordError) or len(entry.content) != width:
                left_out.add(entry.line)
            else:
                yield entry.line, entry.content
    left_out.finish()


class _RowsLeftOut:
    """Counts rows that cannot be read; `notes` has a sentence about them once all were read."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self._count, self._first = 0, list[int]()

    def add(self, number: int) -> None:
        self._count += 1
        if len(self._first) < _MOST_NAMED:
            self._first.append(number)

    def finish(self) -> None:
        if not self._count:
            return
        text = ngettext(
            "{count} line was left out, because it has another number of cells or is damaged: {lines}.",
            "{count} lines were left out, because they have another number of cells or are damaged: {lines}.",
            self._count,
        )
        named = listed(self._first) + (" …" if self._count > len(self._first) else "")
        self.notes.append(text.format(count=self._count, lines=named))
