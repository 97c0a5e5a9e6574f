"""Tables in text files: CSV and other texts with delimiters, and JSON Lines with or without nested values."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import is_object
from batchwright.data_files.column_names import listed
from batchwright.data_files.file_types import DELIMITER_LINE
from batchwright.data_files.format_names import delimiter_name, encoding_name
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.reader import decode_errors_as_unreadable, lines, unchecked
from batchwright.data_files.sources.headers import names_in_two_rows
from batchwright.data_files.sources.nested_values import Records, flat_table
from batchwright.data_files.sources.source import Row, SourceChoice, SourceOptions, SourceTable, UnreadableRow
from batchwright.data_files.text_rows.csv_rows import CsvRows
from batchwright.data_files.text_rows.encodings import COMMON_ENCODINGS, ENCODINGS
from batchwright.data_files.text_rows.jsonl_rows import read_value
from batchwright.data_files.text_rows.row_limits import BoundedRowReader
from batchwright.data_files.text_rows.sniffing import DELIMITERS, sniff
from batchwright.schema.record_validator import RecordError

_MOST_NAMED = 5
"""Rows that were left out and are named in a note."""


@contextmanager
def open_table(path: Path, options: SourceOptions) -> Iterator[SourceTable]:
    """Open the table; lines of JSON that cannot be read are left out and named in its notes.

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

    A first line that names the delimiter to Excel is skipped.

    Raises:
        UnreadableFile: as `open_table` does.
    """
    if file_format.kind is FormatKind.JSONL:
        left_out = _DamagedLines(_left_out)
        table = flat_table(_records(stream, file_format, left_out), options)
        table.notes = left_out.notes
        return table
    file_format = replace(
        file_format,
        encoding=options.encoding if options.encoding in ENCODINGS else file_format.encoding,
        delimiter=options.delimiter if len(options.delimiter) == 1 else file_format.delimiter,
        header=file_format.header if options.header_rows is None else options.header_rows != 0,
    )
    header_rows = (options.header_rows or 1) if file_format.header else 0
    with decode_errors_as_unreadable(file_format):
        all_lines = iter(lines(stream, file_format))
        first = next(all_lines, "")
        names_delimiter = DELIMITER_LINE.fullmatch(first) is not None
        text = BoundedRowReader(all_lines if names_delimiter else chain((first,), all_lines))
        csv_rows = CsvRows(text, file_format, 1 + names_delimiter)
        columns = tuple(name.strip() for name in csv_rows.header())
    rejected = _DamagedLines(_rejected)
    rows = _cells(csv_rows, text, file_format, len(columns), rejected)
    if header_rows == 2:
        _number, names = next(rows, (0, UnreadableRow("")))
        if not isinstance(names, UnreadableRow):
            columns = names_in_two_rows(columns, [str(name).strip() for name in names])
    return SourceTable(columns, rows, _choices(file_format, header_rows), rejected.notes)


def _choices(file_format: Format, header_rows: int) -> tuple[SourceChoice, ...]:
    encodings = dict.fromkeys((*COMMON_ENCODINGS, file_format.encoding))
    delimiters = dict.fromkeys((*DELIMITERS, file_format.delimiter))
    headers = (
        (1, _("Header in row {number}").format(number=1)),
        (2, _("Two header rows")),
        (0, _("No header")),
    )
    return (
        SourceChoice(
            "encoding",
            _("Encoding"),
            tuple((name, encoding_name(name)) for name in encodings),
            file_format.encoding,
        ),
        SourceChoice(
            "delimiter",
            _("Delimiter"),
            tuple((sign, delimiter_name(sign)) for sign in delimiters),
            file_format.delimiter,
        ),
        SourceChoice("header_rows", _("Header"), headers, header_rows),
    )


def _records(stream: BinaryIO, file_format: Format, left_out: "_DamagedLines") -> Records:
    with decode_errors_as_unreadable(file_format):
        for number, text in enumerate(lines(stream, file_format), 1):
            if text.isspace():
                continue
            value = read_value(text)
            if isinstance(value, RecordError):
                left_out.add(number)
            else:
                yield number, value if is_object(value) else {"value": value}
    left_out.finish()


def _cells(
    table: CsvRows, text: BoundedRowReader, file_format: Format, width: int, rejected: "_DamagedLines"
) -> Iterator[Row | tuple[int, UnreadableRow]]:
    """The rows; one that is damaged or has another number of cells is rejected by checks at its line."""
    with decode_errors_as_unreadable(file_format):
        text.next_row()
        for entry in table.records(unchecked):
            text.next_row()
            if not isinstance(entry.content, RecordError) and len(entry.content) == width:
                yield entry.line, entry.content
                continue
            rejected.add(entry.line)
            if isinstance(entry.content, RecordError):
                yield entry.line, UnreadableRow(entry.content.reason)
            else:
                yield entry.line, UnreadableRow(entry.content)
    rejected.finish()


class _DamagedLines:
    """Counts lines that are no records; `notes` has a sentence about them once all were read."""

    def __init__(self, text: Callable[[int], str]) -> None:
        self.notes: list[str] = []
        self._text, self._count, self._first = text, 0, list[int]()

    def add(self, number: int) -> None:
        self._count += 1
        if len(self._first) < _MOST_NAMED:
            self._first.append(number)

    def finish(self) -> None:
        if self._count:
            named = listed(self._first) + (" …" if self._count > len(self._first) else "")
            self.notes.append(self._text(self._count).format(count=self._count, lines=named))


def _left_out(count: int) -> str:
    return ngettext(
        "{count} line was left out, because it is damaged: {lines}.",
        "{count} lines were left out, because they are damaged: {lines}.",
        count,
    )


def _rejected(count: int) -> str:
    return ngettext(
        "{count} line is rejected, because it has another number of cells or is damaged: {lines}.",
        "{count} lines are rejected, because they have another number of cells or are damaged: {lines}.",
        count,
    )
