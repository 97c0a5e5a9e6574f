"""The details of sheets in `.xlsx` files: formats of numbers, long integers, errors, what is hidden.

The XML of a sheet is searched block by block while its rows are read, for signs that most blocks do not have.
It is not parsed: that would take longer than everything else. A file that writes XML in an unusual way, such
as with prefixes of names or without the names of cells, has no details.
"""

import re
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from html import unescape
from pathlib import Path
from typing import BinaryIO

from batchwright.data_files.archive_members import open_member
from batchwright.data_files.sources.excel_parts import attributes, part_text, related_parts
from batchwright.data_files.sources.number_formats import BUILT_IN, is_date_format, number_format
from batchwright.data_files.sources.sheet_details import RowDetails, SheetDetails
from batchwright.data_files.sources.spreadsheet_values import FIRST_DAY, FIRST_DAY_1904, early_date

_BLOCK_BYTES = 1 << 20
_MAX_ROW_BYTES = 1 << 25
"""Bytes that are searched for the end of a row."""
_MAX_TAG_BYTES = 200
_MAX_BYTES_BEFORE = 2000
"""Bytes before a sign that are searched for the beginning of its cell: its tag, and its formula."""
_COLUMN_LETTERS = 26
_FROM_1904 = re.compile(r'<workbookPr\s[^>]*date1904="(?:1|true)"')

_WORKBOOK, _RELATIONS, _STYLES = "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml"
_SHEET = re.compile(r"<sheet\s[^>]*>")
_FORMAT, _CELL_FORMAT = re.compile(r"<numFmt\s[^>]*>"), re.compile(r"<xf\s[^>]*>")


def sheet_details(path: Path, sheet: str, width: int) -> SheetDetails:
    """The details of a sheet with `width` columns.

    Raises, while rows are read:
        BadZipFile, OSError, RuntimeError: the file is damaged, or cannot be read.
    """
    details = SheetDetails(iter(()))
    details.rows = _rows(path, sheet, width, details)
    return details


def _rows(path: Path, sheet: str, width: int, details: SheetDetails) -> Iterator[tuple[int, RowDetails]]:
    with zipfile.ZipFile(path) as archive:
        parts = {*archive.namelist()}
        part = _part_of(archive, sheet) if {_WORKBOOK, _RELATIONS} <= parts else ""
        if part not in parts:
            return
        codes = _format_codes(part_text(archive, _STYLES)) if _STYLES in parts else []
        first_day = FIRST_DAY_1904 if _FROM_1904.search(part_text(archive, _WORKBOOK)) else FIRST_DAY
        with open_member(archive, part) as stream:
            search = _Search(codes, first_day, width, details)
            for block in _blocks(stream):
                if b"<sheetData" in block:
                    details.are_known = _CELL_WITHOUT_NAME.search(block) is None
                yield from sorted(search.rows_in(block).items(), key=lambda row: row[0])
                if last := _LAST_ROW.match(block, max(0, block.rfind(b"<row "))):
                    yield int(last[1]), RowDetails()  # the next block is read when its rows are


def _part_of(archive: zipfile.ZipFile, sheet: str) -> str:
    """The name of the file of a sheet in the archive."""
    sheets = map(attributes, _SHEET.findall(part_text(archive, _WORKBOOK)))
    ids = {tag.get("name", ""): tag.get("r:id", "") for tag in sheets}
    return related_parts(archive, _RELATIONS).get(ids.get(sheet, ""), "")


def _format_codes(styles: str) -> list[str]:
    """The formats of the styles that cells refer to, in their order; an unknown one is empty."""
    codes = {str(id): code for id, code in BUILT_IN.items()}
    codes.update(
        (tag.get("numFmtId", ""), tag.get("formatCode", ""))
        for tag in map(attributes, _FORMAT.findall(styles))
    )
    cell_formats = styles.partition("<cellXfs")[2].partition("</cellXfs>")[0]
    return [codes.get(attributes(tag).get("numFmtId", ""), "") for tag in _CELL_FORMAT.findall(cell_formats)]


def _blocks(stream: BinaryIO) -> Iterator[bytes]:
    """The XML of a sheet in blocks that end where a row ends."""
    rest = b""
    while (data := stream.read(_BLOCK_BYTES)) and len(rest) < _MAX_ROW_BYTES:
        before, end, after = data.rpartition(b"</row>")
        if end:
            yield rest + before + end
            rest = after
        else:
            rest += data
    yield rest


_CELL = re.compile(
    rb'<c\s(?P<attributes>[^>]*?\br="(?P<column>[A-Z]{1,3})(?P<row>[0-9]{1,7})"[^>]*)>'
    rb"\s*(?:<f[^>]*>[^<]*</f>|<f[^>]*/>)?\s*(?:<v[^>]*>(?P<value>[^<]*)</v>)?"
)
_CELL_WITHOUT_NAME = re.compile(rb'<c(?:>|\s(?![^>]*\br="[A-Z])[^>]*>)')
_LAST_ROW = re.compile(rb'<row\s[^>]{0,200}?\br="([0-9]{1,7})"')
_HIDDEN_ROW = re.compile(rb'<row\s[^>]*hidden="(?:1|true)"[^>]*(?<!/)>')
_COLUMNS = re.compile(r"<col\s[^>]*>")
_ERROR = re.compile(rb' t="e"')
_LONG_INTEGER = re.compile(rb"<v>-?[0-9]{16,400}</v>")
_NO_VALUE = re.compile(rb"</f>\s*(?:<v></v>|<v ?/>)?\s*</c>")


class _Search:
    """Finds the details of rows in blocks of XML, and counts them."""

    def __init__(self, codes: Sequence[str], first_day: datetime, width: int, details: SheetDetails) -> None:
        writers = {b"%d" % style: number_format(code) for style, code in enumerate(codes)}
        dates = [b"%d" % style for style, code in enumerate(codes) if is_date_format(code)]
        self._formats = {style: write for style, write in writers.items() if write is not None}
        self._formatted = _cells_with(self._formats, b"")
        self._early_dates = _cells_with(dates, rb"[^>]*>\s*<v>-")
        self._first_day, self._width, self._details = first_day, width, details

    def rows_in(self, block: bytes) -> dict[int, RowDetails]:
        """The details of the rows in a block, by the number of the row."""
        rows: dict[int, RowDetails] = defaultdict(RowDetails)
        if b' hidden="' in block:
            self._count_hidden(block)
        for match in self._formatted.finditer(block):
            if cell := _cell_at(block, match.start()):
                rows[int(cell["row"])].formats[_column(cell["column"])] = self._formats[match[1]]
        for match in self._early_dates.finditer(block):
            self._add_text(rows, block, match.start(), self._early_date)
        for match in _LONG_INTEGER.finditer(block):
            self._add_text(rows, block, match.start())
        for match in _ERROR.finditer(block):
            self._details.errors += self._add_text(rows, block, match.start())
        for match in _NO_VALUE.finditer(block):
            cell = _cell_at(block, match.start())
            is_without = cell is not None and b't="str"' not in cell["attributes"]
            self._details.formulas_without_value += is_without
        return rows

    def _count_hidden(self, block: bytes) -> None:
        self._details.hidden_rows += len(_HIDDEN_ROW.findall(block))
        before_rows = block.partition(b"<sheetData")[0].decode(errors="replace")
        for tag in map(attributes, _COLUMNS.findall(before_rows)):
            first, last = tag.get("min", ""), tag.get("max", "")
            if tag.get("hidden") in ("1", "true") and first.isdecimal() and last.isdecimal():
                self._details.hidden_columns += max(0, min(int(last), self._width) - int(first) + 1)

    def _add_text(
        self,
        rows: dict[int, RowDetails],
        block: bytes,
        position: int,
        text_of: Callable[[str], str] = unescape,
    ) -> bool:
        """Use the value in the XML for the text of a cell; returns whether it has one."""
        cell = _cell_at(block, position)
        if cell is None or not cell["value"]:
            return False
        text = text_of(cell["value"].decode(errors="replace"))
        rows[int(cell["row"])].texts[_column(cell["column"])] = text
        return True

    def _early_date(self, value: str) -> str:
        try:
            return early_date(self._first_day, float(value))
        except ValueError:
            return value


def _cells_with(styles: Iterable[bytes], then: bytes) -> re.Pattern[bytes]:
    """A pattern of the style of cells that have one of these."""
    return re.compile(rb' s="(' + (b"|".join(styles) or rb"(?!)") + rb')"' + then)


def _cell_at(block: bytes, position: int) -> re.Match[bytes] | None:
    """The cell around a position."""
    start = block.rfind(b"<c ", max(0, position - _MAX_BYTES_BEFORE), position + 1)
    is_tag = start >= 0 and block.find(b">", start, start + _MAX_TAG_BYTES) >= 0
    cell = _CELL.match(block, start) if is_tag else None
    return cell if cell and cell.end() > position else None


def _column(letters: bytes) -> int:
    """The index of a column by its letters, counted from 0."""
    number = 0
    for letter in letters:
        number = number * _COLUMN_LETTERS + letter - ord("A") + 1
    return number - 1
