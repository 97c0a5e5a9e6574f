"""Tables in spreadsheets: Excel (`.xlsx`, `.xlsm`, `.xls`, `.xlsb`) and OpenDocument (`.ods`)."""

import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeAlias

from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetTypeEnum, SheetVisibleEnum

from batchwright.base.i18n import _, ngettext
from batchwright.data_files.archive_members import require_likely_sizes
from batchwright.data_files.rows import EmptyFile, UnreadableFile
from batchwright.data_files.sources.source import Choice, Row, SourceOptions, SourceTable

_Cells: TypeAlias = tuple[int, Sequence[Any]]
"""The number of a row, and its cells as the library returns them."""

ROWS_FOR_HEADER = 20
"""Rows among which the header is looked for."""


@contextmanager
def open_table(path: Path, options: SourceOptions) -> Iterator[SourceTable]:
    """Open the table of a sheet; a sheet or header row that does not exist is replaced by the proposed one.

    Raises:
        UnreadableFile: it is protected by a password or damaged, or has no sheet with a table.
        OSError: it cannot be opened.
    """
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                require_likely_sizes(archive)
        yield _table(CalamineWorkbook.from_path(path), options)
    except PasswordError:
        raise UnreadableFile(
            _("“{name}” is protected by a password.").format(name=path.name),
            _("Open it in the program that created it, remove the password, and save a copy."),
        ) from None
    except (CalamineError, RuntimeError, zipfile.BadZipFile) as error:
        raise UnreadableFile(
            _("The spreadsheet is damaged: {reason}.").format(reason=error),
            _("Open it in the program that created it, and save it again."),
        ) from None


def _table(workbook: CalamineWorkbook, options: SourceOptions) -> SourceTable:
    sheets = [sheet for sheet in workbook.sheets_metadata if sheet.typ is SheetTypeEnum.WorkSheet]
    visible = [sheet.name for sheet in sheets if sheet.visible is SheetVisibleEnum.Visible]
    names = [sheet.name for sheet in sheets]
    if not names:
        raise EmptyFile
    sheet = workbook.get_sheet_by_name(_proposed_sheet(workbook, names, visible, options.sheet))
    rows: Iterator[_Cells] = enumerate(sheet.iter_rows(), 1)
    first = list(islice(rows, ROWS_FOR_HEADER))
    header_row = options.header_row
    if header_row is None or header_row > len(first):
        header_row = _proposed_header_row([cells for _number, cells in first])
    table = SourceTable(
        _columns(first, header_row, sheet.total_width),
        _rows(chain(first[header_row:], rows)),
        (_sheet_choice(names, sheet.name), _header_choice(first, header_row)),
        row_count=sheet.total_height - header_row,
    )
    hidden = len(names) - len(visible)
    if hidden:
        text = ngettext("{count} sheet is hidden.", "{count} sheets are hidden.", hidden)
        table.notes.append(text.format(count=hidden))
    return table


def _proposed_sheet(
    workbook: CalamineWorkbook, names: Sequence[str], visible: Sequence[str], chosen: str
) -> str:
    """The chosen sheet; otherwise the first visible one with cells, or the first."""
    if chosen in names:
        return chosen
    return next((name for name in visible if workbook.get_sheet_by_name(name).total_height), names[0])


def _proposed_header_row(rows: Sequence[Sequence[Any]]) -> int:
    """The first row with the largest number of texts; 0 if no row has any."""
    counts = [sum(isinstance(cell, str) and bool(cell.strip()) for cell in cells) for cells in rows]
    return counts.index(max(counts)) + 1 if any(counts) else 0


def _columns(first: Sequence[_Cells], header_row: int, width: int) -> tuple[str, ...]:
    if not header_row:
        return tuple(f"column_{number}" for number in range(1, width + 1))
    return tuple(cell_text(cell).strip() for cell in first[header_row - 1][1])


def _rows(rows: Iterator[_Cells]) -> Iterator[Row]:
    for number, cells in rows:
        texts = [cell_text(cell) for cell in cells]
        if any(texts):
            yield number, texts


def cell_text(cell: Any) -> str:
    """The text of a cell."""
    match cell:
        case str():
            return cell
        case bool():
            return "TRUE" if cell else "FALSE"
        case float():
            return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
        case datetime():
            return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ")
        case date() | time():
            return cell.isoformat()
        case timedelta():
            return str(cell)
    return str(cell)


def _sheet_choice(names: Sequence[str], current: str) -> Choice:
    return Choice("sheet", _("Sheet"), tuple((name, name) for name in names), current)


def _header_choice(first: Sequence[_Cells], current: int) -> Choice:
    rows = tuple((number, _("Header in row {number}").format(number=number)) for number, _cells in first)
    return Choice("header_row", _("Header"), (*rows, (0, _("No header"))), current)
