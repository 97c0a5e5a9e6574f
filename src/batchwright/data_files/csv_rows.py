"""The rows of a CSV file, read strictly, with every row that cannot be read standing alone."""

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

LARGEST_CELL = 10_000_000
"""Characters in one cell; Python's own limit of 131,072 is less than a long document."""

MOST_COLUMNS = 16_384
"""As many as spreadsheets have; each costs something in every row."""

BATCH = 64
"""Rows judged together."""


class CsvRows:
    """The rows of a CSV file: RFC 4180, but for the delimiter and the quote of the format.

    `line` and `index` say which physical line and which record the lines begin with.
    """

    def __init__(self, lines: Iterable[str], form: Format, line: int = 1, index: int = 0) -> None:
        self._form = form
        self._index = index
        self._line = self._first_line = line
        self._held: list[list[str]] = []
        self._reader = csv_reader(lines, form)

    @property
    def taken(self) -> int:
        """The index of the next record: how many there were, when the file begins with the first."""
        return self._index

    def header(self) -> list[str]:
        """The names of the columns, asked for before the rows: the first row that is not blank.

        A file without a header line has columns called "column_1", "column_2" and so on.

        Raises:
            UnreadableFile: when there is no row, or it cannot be read.
        """
        try:
            first = self._first()
        except csv.Error:
            raise UnreadableFile(
                _("The first line cannot be read. {fault}").format(fault=_misquoted())
            ) from None
        if first is None:
            raise EmptyFile
        if not all(map(is_valid_unicode, first)):
            raise UnreadableFile(_("The first line is not encoded as UTF-8. Save the file as UTF-8."))
        if len(first) > MOST_COLUMNS:
            reason = _("The first line has {count} columns, and at most {most} are read.")
            raise UnreadableFile(reason.format(count=len(first), most=MOST_COLUMNS))
        if not self._form.header:
            self._held.append(first)
            return [f"column_{number}" for number in range(1, len(first) + 1)]
        self._line = self._next_line()
        return first

    def entries(self, judge: Callable[[Sequence[str]], T | RecordError]) -> Iterator[ParsedRecord[T]]:
        """Every row as `judge` has it; one that cannot be read is a fault, and the next line goes on."""
        reader, first_line = self._reader, self._first_line
        index, line, held = self._index, self._line, self._held
        while True:
            try:
                for row in chain(held, reader):
                    if row:
                        yield ParsedRecord(index, line, judge(row))
                        index += 1
                    line = reader.line_num + first_line
            except csv.Error:
                yield ParsedRecord(index, line, RecordError(RAW, _misquoted()))
                index += 1
                line = reader.line_num + first_line
                held = []
            else:
                return

    def faults(
        self,
        judge: Callable[[Sequence[str]], T | RecordError],
        sound: Callable[[Sequence[Sequence[str]]], bool],
    ) -> Iterator[ParsedRecord[T]]:
        """Those of `entries` that are faults, found the quick way; `taken` counts them all.

        `sound` says of many rows at once whether `judge` would find no fault in any.
        """
        while True:
            rows, broken = self._take()
            if not rows and not broken:
                return
            if not rows or sound(rows):
                self._index += len(rows)
            else:
                yield from filter(_is_fault, self._judged(rows, judge))
            if broken:
                line = self._line + sum(map(_lines_of, rows))
                yield ParsedRecord(self._index, line, RecordError(RAW, _misquoted()))
                self._index += 1
            self._line = self._next_line()

    def _take(self) -> tuple[list[list[str]], bool]:
        """The next rows, blank ones too, and whether one that cannot be read comes after them."""
        rows, self._held = self._held, []
        try:
            for row in islice(self._reader, BATCH):
                rows.append(row)  # what came before a broken row must be kept
        except csv.Error:
            return rows, True
        return rows, False

    def _judged(
        self, rows: Sequence[Sequence[str]], judge: Callable[[Sequence[str]], T | RecordError]
    ) -> Iterator[ParsedRecord[T]]:
        line = self._line
        for row in rows:
            if row:
                yield ParsedRecord(self._index, line, judge(row))
                self._index += 1
            line += _lines_of(row)

    def _first(self) -> list[str] | None:
        for row in self._reader:
            if row:
                return row
            self._line = self._next_line()
        return None

    def _next_line(self) -> int:
        return self._reader.line_num + self._first_line


def csv_reader(lines: Iterable[str], form: Format) -> "Reader":
    """Python's own reader of such lines, strict about quotation marks."""
    csv.field_size_limit(LARGEST_CELL)
    return csv.reader(
        lines,
        delimiter=form.delimiter,
        quotechar=form.quote or None,
        quoting=csv.QUOTE_MINIMAL if form.quote else csv.QUOTE_NONE,
        strict=True,
    )


def _is_fault(entry: ParsedRecord[object]) -> bool:
    return isinstance(entry.content, RecordError)


def _lines_of(row: Sequence[str]) -> int:
    """How many physical lines a row takes: line ends inside its cells are kept as they stand."""
    ends = (cell.count("\n") + cell.count("\r") - cell.count("\r\n") for cell in row)
    return 1 + sum(ends)


def _misquoted() -> str:
    return _("A quotation mark is left open, or text follows a closing one; inside a cell they are doubled.")
