"""The details of sheets in `.xls` and `.xlsb` files: formats of numbers, errors, what is merged or hidden.

Both have records with a type and a size, of which only those with details are read: [MS-XLS] and [MS-XLSB].
"""

import struct
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from batchwright.base.i18n import _
from batchwright.data_files.archive_members import open_member
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.sources.compound_file import compound_stream
from batchwright.data_files.sources.excel_parts import related_parts
from batchwright.data_files.sources.merged_cells import MergedCell
from batchwright.data_files.sources.number_formats import BUILT_IN, is_date_format, number_format
from batchwright.data_files.sources.sheet_details import RowDetails, SheetDetails, WriteNumber
from batchwright.data_files.sources.spreadsheet_values import FIRST_DAY, FIRST_DAY_1904, early_date

XLSB_WORKBOOK = "xl/workbook.bin"
"""The part that `.xlsb` files have."""

_RELATIONS, _STYLES = "xl/_rels/workbook.bin.rels", "xl/styles.bin"
_ERRORS = {
    0x00: "#NULL!",
    0x07: "#DIV/0!",
    0x0F: "#VALUE!",
    0x17: "#REF!",
    0x1D: "#NAME?",
    0x24: "#NUM!",
    0x2A: "#N/A",
    0x2B: "#GETTING_DATA",
}


class _Cell(NamedTuple):
    """A cell with a value; the row and the column are counted from 0."""

    row: int
    column: int
    style: int
    number: float | None = None
    error: int | None = None


_Record = tuple[int, bytes]
"""The type of a record, and its content."""


@dataclass
class _Styles:
    """What the records before the sheets say about its cells."""

    codes: dict[int, str] = field(default_factory=lambda: dict(BUILT_IN))
    formats: list[int] = field(default_factory=list)
    """The id of the format of each style."""
    first_day: datetime = FIRST_DAY

    def writers(self) -> dict[int, WriteNumber]:
        """How the numbers of cells are written, by style."""
        writers = {style: number_format(self.codes.get(id, "")) for style, id in enumerate(self.formats)}
        return {style: write for style, write in writers.items() if write is not None}

    def dates(self) -> set[int]:
        """The styles of dates."""
        return {style for style, id in enumerate(self.formats) if is_date_format(self.codes.get(id, ""))}


def sheet_details(path: Path, sheet: str, width: int) -> SheetDetails:
    """The details of a sheet with `width` columns.

    Raises, while rows are read:
        UnreadableFile: it has cells that are not read.
        OSError, RuntimeError: it is damaged, or cannot be read.
    """
    details = SheetDetails(iter(()))
    details.rows = _rows(path, sheet, width, details)
    return details


def merged_cells(path: Path, sheet: str) -> list[MergedCell]:
    """The merged cells of a sheet in an `.xlsb` file."""
    with zipfile.ZipFile(path) as archive:
        records = _xlsb_records(_xlsb_sheet(archive, sheet))
        spans = [
            struct.unpack("<4I", content) for type, content in records if type == 176 and len(content) == 16
        ]
    return [MergedCell(top + 1, left, bottom + 1, right) for top, bottom, left, right in spans]


def _rows(path: Path, sheet: str, width: int, details: SheetDetails) -> Iterator[tuple[int, RowDetails]]:
    styles = _Styles()
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                _read_xlsb_styles(archive, styles)
                content = _xlsb_sheet(archive, sheet)
            cells = _xlsb_cells(_xlsb_records(content), width, details)
        else:
            workbook = compound_stream(path, "Workbook")
            start = _read_xls_globals(workbook, sheet, styles)
            cells = _xls_cells(_xls_records(workbook, start), width, details) if start else iter(())
            content = workbook[start:]
        details.are_known = bool(content)
        yield from _details_of(cells, styles, details)
    except (struct.error, IndexError):
        raise RuntimeError(_("a record is not complete")) from None


def _details_of(
    cells: Iterable[_Cell], styles: _Styles, details: SheetDetails
) -> Iterator[tuple[int, RowDetails]]:
    writers, dates = styles.writers(), styles.dates()
    row, special = 0, RowDetails()
    for cell in cells:
        if cell.row != row:
            yield row + 1, special
            row, special = cell.row, RowDetails()
        if cell.error is not None:
            details.errors += 1
            special.texts[cell.column] = _ERRORS.get(cell.error, "#N/A")
        elif cell.number is not None and cell.number < 0 and cell.style in dates:
            special.texts[cell.column] = early_date(styles.first_day, cell.number)
        elif cell.style in writers:
            special.formats[cell.column] = writers[cell.style]
    yield row + 1, special


class _HiddenRows:
    """Counts hidden rows that have cells."""

    def __init__(self, details: SheetDetails) -> None:
        self._details, self._hidden = details, set[int]()

    def add(self, row: int) -> None:
        self._hidden.add(row)

    def count(self, row: int) -> None:
        if row in self._hidden:
            self._hidden.discard(row)
            self._details.hidden_rows += 1


def _count_hidden_columns(first: int, last: int, width: int, details: SheetDetails) -> None:
    details.hidden_columns += max(0, min(last + 1, width) - first)


def _rk_number(rk: int) -> float:
    """A number in the short form of both types of files."""
    if rk & 2:
        number = float((rk >> 2) - (1 << 30 if rk & 1 << 31 else 0))
    else:
        number = struct.unpack("<d", struct.pack("<Q", (rk & ~3) << 32))[0]
    return number / 100 if rk & 1 else number


def _xls_records(stream: bytes, start: int) -> Iterator[_Record]:
    """The records from a position to the end of their part."""
    while start + 4 <= len(stream):
        type, size = struct.unpack_from("<HH", stream, start)
        yield type, stream[start + 4 : start + 4 + size]
        if type == _XLS_END:
            return
        start += 4 + size


_XLS_END = 0x0A


def _read_xls_globals(workbook: bytes, sheet: str, styles: _Styles) -> int:
    """Read the styles; returns the position of a sheet, 0 if there is none."""
    position = 0
    for type, content in _xls_records(workbook, 0):
        match type:
            case 0x22 if content[:1] == b"\1":
                styles.first_day = FIRST_DAY_1904
            case 0x41E:
                id, length = struct.unpack_from("<HH", content)
                styles.codes[id] = _xls_text(content[4:], length)
            case 0xE0:
                styles.formats.append(struct.unpack_from("<H", content, 2)[0])
            case 0x85 if _xls_text(content[7:], content[6]) == sheet:
                position = struct.unpack_from("<I", content)[0]
    return position


def _xls_text(content: bytes, length: int) -> str:
    is_wide = content[0] & 1
    text = content[1 : 1 + length * (2 if is_wide else 1)]
    return text.decode("utf-16-le" if is_wide else "latin-1", "replace")


def _xls_cells(records: Iterable[_Record], width: int, details: SheetDetails) -> Iterator[_Cell]:
    rows = _HiddenRows(details)
    for type, content in records:
        match type:
            case 0x208:  # row
                if struct.unpack_from("<H", content, 12)[0] & 0x20:
                    rows.add(struct.unpack_from("<H", content)[0])
            case 0x7D:  # columns
                first, last, _width, _style, flags = struct.unpack_from("<5H", content)
                if flags & 1:
                    _count_hidden_columns(first, last, width, details)
            case 0x203 | 0x06 | 0x205 | 0x27E | 0xFD | 0x204:
                row, column, style = struct.unpack_from("<3H", content)
                rows.count(row)
                yield _xls_cell(type, content, row, column, style)
            case 0xBD:  # several numbers
                row, column = struct.unpack_from("<2H", content)
                rows.count(row)
                for start in range(4, len(content) - 6, 6):
                    style, rk = struct.unpack_from("<HI", content, start)
                    yield _Cell(row, column, style, _rk_number(rk))
                    column += 1


def _xls_cell(type: int, content: bytes, row: int, column: int, style: int) -> _Cell:
    match type:
        case 0x205 if content[7]:
            return _Cell(row, column, style, error=content[6])
        case 0x06 if content[12:14] == b"\xff\xff":
            return _Cell(row, column, style, error=content[8] if content[6] == 2 else None)
        case 0x203 | 0x06:
            return _Cell(row, column, style, struct.unpack_from("<d", content, 6)[0])
        case 0x27E:
            return _Cell(row, column, style, _rk_number(struct.unpack_from("<I", content, 6)[0]))
    return _Cell(row, column, style)


def _xlsb_sheet(archive: zipfile.ZipFile, sheet: str) -> bytes:
    """The content of a sheet; empty if there is none."""
    parts = related_parts(archive, _RELATIONS) if _RELATIONS in archive.namelist() else {}
    for type, content in _xlsb_records(_part(archive, XLSB_WORKBOOK)):
        if type == 156:
            id, end = _xlsb_text(content, 8)
            name, _end = _xlsb_text(content, end)
            if name == sheet:
                return _part(archive, parts.get(id, ""))
    return b""


def _part(archive: zipfile.ZipFile, name: str) -> bytes:
    if name not in archive.namelist():
        return b""
    with open_member(archive, name) as stream:
        return stream.read()


def _xlsb_records(content: bytes) -> Iterator[_Record]:
    at, end = 0, len(content)
    while at < end:
        type = content[at]
        at += 1
        if type & 0x80:
            type = (type & 0x7F) | (content[at] << 7)
            at += 1
        size = shift = 0
        while True:
            byte = content[at]
            at += 1
            size |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80 or shift > 21:
                break
        yield type, content[at : at + size]
        at += size


def _xlsb_text(content: bytes, start: int) -> tuple[str, int]:
    """A text, and the position after it."""
    length = struct.unpack_from("<I", content, start)[0]
    end = start + 4 + 2 * length
    return content[start + 4 : end].decode("utf-16-le", "replace"), end


def _read_xlsb_styles(archive: zipfile.ZipFile, styles: _Styles) -> None:
    for type, content in _xlsb_records(_part(archive, XLSB_WORKBOOK)):
        if type == 153 and content[0] & 1:
            styles.first_day = FIRST_DAY_1904
    is_in_cells = False
    for type, content in _xlsb_records(_part(archive, _STYLES)):
        match type:
            case 617 | 618:
                is_in_cells = type == 617
            case 44:
                styles.codes[struct.unpack_from("<H", content)[0]] = _xlsb_text(content, 2)[0]
            case 47 if is_in_cells:
                styles.formats.append(struct.unpack_from("<H", content, 2)[0])


def _xlsb_cells(records: Iterable[_Record], width: int, details: SheetDetails) -> Iterator[_Cell]:
    rows, row = _HiddenRows(details), 0
    for type, content in records:
        if type == 0:
            row = struct.unpack_from("<I", content)[0]
            if content[11] & 0x10:
                rows.add(row)
        elif 2 <= type <= 11:
            rows.count(row)
            column, style = struct.unpack_from("<II", content)
            yield _xlsb_cell(type, content, row, column, style & 0xFFFFFF)
        elif type == 60 and content[16] & 1:
            first, last = struct.unpack_from("<II", content)
            _count_hidden_columns(first, last, width, details)
        elif 13 <= type <= 18:
            raise UnreadableFile(
                _("The sheet has cells in a short form that is not read."), _("Save the file as .xlsx.")
            )


def _xlsb_cell(type: int, content: bytes, row: int, column: int, style: int) -> _Cell:
    match type:
        case 3 | 11:
            return _Cell(row, column, style, error=content[8])
        case 5 | 9:
            return _Cell(row, column, style, struct.unpack_from("<d", content, 8)[0])
        case 2:
            return _Cell(row, column, style, _rk_number(struct.unpack_from("<I", content, 8)[0]))
    return _Cell(row, column, style)
