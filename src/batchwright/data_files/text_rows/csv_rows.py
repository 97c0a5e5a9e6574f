"""Reads the rows of a CSV file strictly; a row that cannot be parsed is reported by itself."""

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar

from batchwright.base.i18n import _
from batchwright.base.json_values import is_valid_unicode
from batchwright.data_files.formats import Format
from batchwright.data_files.rows import EmptyFile, ParsedRecord, UnreadableFile
from batchwright.schema.record_validator import RAW, RecordError

if TYPE_CHECKING:
    from _csv import Reader

T = TypeVar("T")

MAX_CELL_CHARS = 10_000_000
"""Characters in one cell; Python's default limit of 131,072 is too low for a long document."""

MAX_COLUMNS = 16_384
"""The limit of common spreadsheet programs; each column costs time in every row."""

BATCH_ROWS = 64
"""Rows that are checked together."""


class CsvRows:
    """The rows of a CSV file: RFC 4180 with the delimiter and quote of the format.

    `line` and `index` are the numbers of the first physical line and of the first record in `lines`.
    """

    def __init__(
        self, lines: Iterable[str], file_format: Format, line_number: int = 1, index: int = 0
    ) -> None:
        self._format = file_format
        self._index = index
        self._line_number = self._first_line_number = line_number
        self._pending_rows: list[list[str]] = []
        self._reader = csv_reader(lines, file_format)

    @property
    def record_count(self) -> int:
        """The number of records read so far, if reading started with the first one."""
        return self._index

    def header(self) -> list[str]:
        """The names of the columns: the first row that is not blank. Must be called before reading rows.

        The columns of a file without a header are called "column_1", "column_2" and so on.

        Raises:
            UnreadableFile: there is no row, or it cannot be parsed.
        """
        try:
            first = self._first_row()
        except csv.Error:
            raise UnreadableFile(
                _("The first line cannot be read. {reason}").format(reason=_quoting_error())
            ) from None
        if first is None:
            raise EmptyFile
        if not all(map(is_valid_unicode, first)):
            raise UnreadableFile(_("The first line is not encoded as UTF-8. Save the file as UTF-8."))
        if len(first) > MAX_COLUMNS:
            reason = _("The first line has {count} columns, and at most {most} are read.")
            raise UnreadableFile(reason.format(count=len(first), most=MAX_COLUMNS))
        if not self._format.header:
            self._pending_rows.append(first)
            return [f"column_{number}" for number in range(1, len(first) + 1)]
        self._line_number = self._next_line_number()
        return first

    def records(self, check: Callable[[Sequence[str]], T | RecordError]) -> Iterator[ParsedRecord[T]]:
        """The result of `check` for each row; a row that cannot be parsed yields an error."""
        reader, first_line = self._reader, self._first_line_number
        index, line_number, pending = self._index, self._line_number, self._pending_rows
        while True:
            try:
                for row in chain(pending, reader):
                    if row:
                        yield ParsedRecord(index, line_number, check(row))
                        index += 1
                    line_number = reader.line_num + first_line
            except csv.Error:
                yield ParsedRecord(index, line_number, RecordError(RAW, _quoting_error()))
                index += 1
                line_number = reader.line_num + first_line
                pending = []
            else:
                return

    def errors(
        self,
        check: Callable[[Sequence[str]], T | RecordError],
        are_valid: Callable[[Sequence[Sequence[str]]], bool],
    ) -> Iterator[ParsedRecord[T]]:
        """The errors among `entries`, found faster by checking many rows at once.

        `are_valid` returns whether `check` would accept each of many rows. Afterwards, `taken` includes all
        records.
        """
        while True:
            rows, is_last_unreadable = self._next_batch()
            if not rows and not is_last_unreadable:
                return
            if not rows or are_valid(rows):
                self._index += len(rows)
            else:
                yield from filter(_is_error, self._errors_in(rows, check))
            if is_last_unreadable:
                line_number = self._line_number + sum(map(_line_count, rows))
                yield ParsedRecord(self._index, line_number, RecordError(RAW, _quoting_error()))
                self._index += 1
            self._line_number = self._next_line_number()

    def _next_batch(self) -> tuple[list[list[str]], bool]:
        """The next rows, including blank ones, and whether an unreadable row follows them."""
        rows, self._pending_rows = self._pending_rows, []
        try:
            for row in islice(self._reader, BATCH_ROWS):
                rows.append(row)  # not lost if reading the next row raises
        except csv.Error:
            return rows, True
        return rows, False

    def _errors_in(
        self, rows: Sequence[Sequence[str]], check: Callable[[Sequence[str]], T | RecordError]
    ) -> Iterator[ParsedRecord[T]]:
        line_number = self._line_number
        for row in rows:
            if row:
                yield ParsedRecord(self._index, line_number, check(row))
                self._index += 1
            line_number += _line_count(row)

    def _first_row(self) -> list[str] | None:
        for row in self._reader:
            if row:
                return row
            self._line_number = self._next_line_number()
        return None

    def _next_line_number(self) -> int:
        return self._reader.line_num + self._first_line_number


def csv_reader(lines: Iterable[str], file_format: Format) -> "Reader":
    """A reader of the standard library for this format, strict about quotation marks."""
    csv.field_size_limit(MAX_CELL_CHARS)
    return csv.reader(
        lines,
        delimiter=file_format.delimiter,
        quotechar=file_format.quote or None,
        quoting=csv.QUOTE_MINIMAL if file_format.quote else csv.QUOTE_NONE,
        strict=True,
    )


def _is_error(record: ParsedRecord[object]) -> bool:
    return isinstance(record.content, RecordError)


def _line_count(row: Sequence[str]) -> int:
    """The number of physical lines of a row, whose cells contain their line ends unchanged."""
    ends = (cell.count("\n") + cell.count("\r") - cell.count("\r\n") for cell in row)
    return 1 + sum(ends)


def _quoting_error() -> str:
    return _(
        "A quotation mark is not closed, or text follows a closing one. Inside a cell, quotation marks"
        " are doubled."
    )
