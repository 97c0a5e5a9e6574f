"""Tables in spreadsheets: Excel (`.xlsx`, `.xlsm`, `.xls`, `.xlsb`) and OpenDocument (`.ods`)."""

import re
import sys
import zipfile
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, time
from itertools import chain, islice
from pathlib import Path
from types import ModuleType
from typing import Any

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from batchwright.base.i18n import _, ngettext
from batchwright.data_files.archive_members import require_likely_sizes
from batchwright.data_files.rows import EmptyFile, UnreadableFile
from batchwright.data_files.sources import binary_details, excel_details, opendocument_details
from batchwright.data_files.sources.headers import (
    ROWS_FOR_HEADER,
    continued,
    header_rows_choice,
    joined_names,
    proposed_header,
)
from batchwright.data_files.sources.merged_cells import MergedCell, MergedCells
from batchwright.data_files.sources.sheet_details import RowDetails, SheetDetails
from batchwright.data_files.sources.source import Row, SourceChoice, SourceOptions, SourceTable
from batchwright.data_files.sources.spreadsheet_values import cell_text, has_time

FIRST_ONLY = "first"
"""The value of the option `merged` that leaves the other rows and columns of merged cells empty."""

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ROWS_FOR_DATES = 1000
"""Rows among which columns with dates are looked for."""

_MANY_CELLS = 1_000_000
"""Cells of a sheet that needs more than 150 MB."""

_Texts = tuple[int, Sequence[str]]
"""The number of a row counted from 1, and the texts of its cells."""


@contextmanager
def open_table(path: Path, options: SourceOptions) -> Iterator[SourceTable]:
    """Open the table of a sheet; a sheet or header row that does not exist is replaced by the proposed one.

    Raises:
        UnreadableFile: it is protected by a password or damaged, or has no sheet with a table or a duration
            that is too long.
        OSError: it cannot be opened.
    """
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                require_likely_sizes(archive)
        yield _table(path, options)
    except PasswordError:
        raise UnreadableFile(
            _("“{name}” is protected by a password.").format(name=path.name),
            _("Open it in the program that created it, remove the password, and save a copy."),
        ) from None
    except OverflowError:
        raise UnreadableFile(
            _("The sheet has a duration of more than 999,999,999 days; perhaps it is another number."),
            _("Give the cell the format of numbers, and save the file again."),
        ) from None
    except (CalamineError, RuntimeError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise UnreadableFile(
            _("The spreadsheet is damaged: {reason}.").format(reason=error),
            _("Open it in the program that created it, and save it again."),
        ) from None


def _table(path: Path, options: SourceOptions) -> SourceTable:
    """The table of the chosen sheet, or of the first one that has cells, preferably a visible one."""
    workbook = _workbook(path)
    worksheets = [sheet for sheet in workbook.sheets_metadata if sheet.typ is SheetTypeEnum.WorkSheet]
    names = [sheet.name for sheet in worksheets]
    visible = [sheet.name for sheet in worksheets if sheet.visible is SheetVisibleEnum.Visible]
    chosen = [options.sheet] if options.sheet in names else []
    sheets = map(workbook.get_sheet_by_name, dict.fromkeys((*chosen, *visible, *names)))
    sheet = next((sheet for sheet in sheets if sheet.start is not None), None)
    if sheet is None:
        raise EmptyFile
    notes = []
    if chosen and sheet.name != options.sheet:
        notes.append(_("The sheet “{name}” is empty.").format(name=options.sheet))
    if hidden := len(names) - len(visible):
        text = ngettext("{count} sheet is hidden.", "{count} sheets are hidden.", hidden)
        notes.append(text.format(count=hidden))
    table = _table_of(sheet, path, options, notes)
    table.choices = (SourceChoice("sheet", _("Sheet"), _as_values(names), sheet.name), *table.choices)
    return table


def _workbook(path: Path) -> CalamineWorkbook:
    try:
        return CalamineWorkbook.from_path(path)
    except PasswordError:
        raise
    except CalamineError:
        if _details_module(path) is not opendocument_details:
            raise
        return CalamineWorkbook.from_filelike(opendocument_details.without_indents(path))


def _as_values(names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, name) for name in names)


def _table_of(sheet: CalamineSheet, path: Path, options: SourceOptions, notes: list[str]) -> SourceTable:
    """The table of a sheet that has cells; its columns start with the first one that has any."""
    _top, left = sheet.start or (0, 0)
    bottom, right = sheet.end or (0, 0)
    kind = _details_module(path)
    details = kind.sheet_details(path, sheet.name, right + 1)
    shown = _shown(sheet.iter_rows(), details, left, _columns_with_times(sheet))
    first = list(islice(shown, ROWS_FOR_HEADER))
    merged = _merged_cells(sheet, path, left, kind)
    header_row, header_rows = _header(first, merged, options)
    names = _column_names(first[:header_row], header_rows, merged) or ("",) * (right + 1 - left)
    used = _used_columns(names, sheet, header_row)
    choices = _header_choices(len(first), header_row, header_rows)
    if in_rows := [cell for cell in merged if cell.last_row > header_row]:
        notes.append(_merged_note(len(in_rows)))
        choices += (_merged_choice(options.merged),)
    if (bottom + 1) * (right + 1 - left) > _MANY_CELLS:
        notes.append(_("A spreadsheet is read into memory whole: as CSV or Parquet, this table needs less."))
    fill = MergedCells(() if options.merged == FIRST_ONLY else in_rows).filled
    rows = ((number, fill(number, cells)) for number, cells in chain(first[header_row:], shown))
    return SourceTable(
        tuple(names[column] for column in used),
        _noted(_without_empty(rows, used, len(names)), details, notes),
        choices,
        notes,
        bottom + 1 - header_row,
    )


def _columns_with_times(sheet: CalamineSheet) -> frozenset[int]:
    """The columns in which some dates have a time of day, so that midnight is one, too."""
    dates = {
        column
        for cells in islice(sheet.iter_rows(), _ROWS_FOR_DATES)
        for column, cell in enumerate(cells)
        if isinstance(cell, date)
    }
    with_times = set[int]()
    for cells in sheet.iter_rows() if dates else ():
        with_times |= {column for column in dates if has_time(cells[column])}
        if dates == with_times:
            break
    return frozenset(with_times)


def _shown(
    rows: Iterable[Sequence[Any]],
    details: SheetDetails,
    left: int,
    with_times: Collection[int],
) -> Iterator[_Texts]:
    """The texts of all rows; those before column `left` are not in them."""
    next_number, special = next(details.rows, _NO_MORE)
    for number, cells in enumerate(rows, 1):
        while next_number < number:
            next_number, special = next(details.rows, _NO_MORE)
        texts = [cell if type(cell) is str else cell_text(cell) for cell in cells]
        if next_number == number:
            _apply(special, cells, texts, left)
        for column in with_times:
            if type(cells[column]) is not str and _DATE.fullmatch(texts[column]):
                texts[column] += " 00:00:00"
        if not details.are_known:
            details.times_of_zero += sum(cell == time() for cell in cells if type(cell) is time)
        yield number, texts


_NO_MORE = sys.maxsize, RowDetails()


def _apply(special: RowDetails, cells: Sequence[Any], texts: list[str], left: int) -> None:
    """Replace the texts of cells that are shown in another way."""
    for column, write in special.formats.items():
        if left <= column < left + len(cells) and type(cells[column - left]) in (float, int):
            texts[column - left] = write(cells[column - left])
    for column, text in special.texts.items():
        if left <= column < left + len(cells):
            texts[column - left] = text


def _details_module(path: Path) -> ModuleType:
    """The module that reads details of sheets in this type of file."""
    if not zipfile.is_zipfile(path):
        return binary_details
    with zipfile.ZipFile(path) as archive:
        parts = {*archive.namelist()}
    if opendocument_details.CONTENT in parts:
        return opendocument_details
    return binary_details if binary_details.XLSB_WORKBOOK in parts else excel_details


def _merged_cells(sheet: CalamineSheet, path: Path, left: int, kind: ModuleType) -> list[MergedCell]:
    """The merged cells, with columns counted from `left`."""
    ranges = sheet.merged_cell_ranges
    if ranges is None:
        cells: Sequence[MergedCell] = kind.merged_cells(path, sheet.name)
    else:
        cells = [MergedCell(top + 1, first, bottom + 1, last) for (top, first), (bottom, last) in ranges]
    return [
        cell._replace(first_column=cell.first_column - left, last_column=cell.last_column - left)
        for cell in cells
        if cell.first_column >= left
    ]


def _header(first: Sequence[_Texts], merged: Sequence[MergedCell], options: SourceOptions) -> tuple[int, int]:
    """The last row of the header and the number of its rows, as chosen or proposed."""
    wide = {cell.first_row for cell in merged if cell.first_column < cell.last_column}
    proposed = proposed_header([cells for _number, cells in first], wide)
    row = options.header_row
    row, rows = proposed if row is None or row > len(first) or row == proposed[0] else (row, 1)
    return row, min(options.header_rows or rows, max(row, 1))


def _column_names(above: Sequence[_Texts], header_rows: int, merged: Sequence[MergedCell]) -> tuple[str, ...]:
    """The names in the last rows of these."""
    fill = MergedCells(merged).filled
    header = [fill(number, cells) for number, cells in above][-header_rows:]
    groups = above[-header_rows:-1]
    if groups and not any(cell.first_row == groups[0][0] for cell in merged):
        header[0] = continued(header[0])
    return joined_names(header)


def _used_columns(names: Sequence[str], sheet: CalamineSheet, header_row: int) -> list[int]:
    """The columns that have a name or a cell below the header."""
    unused = {column for column, name in enumerate(names) if not name}
    for cells in islice(sheet.iter_rows(), header_row, None) if unused else ():
        unused -= {column for column in unused if cells[column] != ""}
        if not unused:
            break
    return [column for column in range(len(names)) if column not in unused]


def _without_empty(rows: Iterable[_Texts], used: Sequence[int], width: int) -> Iterator[Row]:
    """The rows and columns that have cells."""
    is_all = len(used) == width
    for number, texts in rows:
        if any(texts):
            yield number, texts if is_all else [texts[column] for column in used]


def _noted(rows: Iterator[Row], details: SheetDetails, notes: list[str]) -> Iterator[Row]:
    """The rows; at their end, the notes have what was found in them."""
    yield from rows
    notes += details.notes()


def _header_choices(first: int, header_row: int, header_rows: int) -> tuple[SourceChoice, ...]:
    rows = tuple(
        (number, _("Header in row {number}").format(number=number)) for number in range(1, first + 1)
    )
    choice = SourceChoice("header_row", _("Header"), (*rows, (0, _("No header"))), header_row)
    if header_row < 2:
        return (choice,)
    return choice, header_rows_choice(header_rows)


def _merged_choice(current: str) -> SourceChoice:
    values = (("", _("Merged cells repeated")), (FIRST_ONLY, _("Merged cells in one place")))
    return SourceChoice("merged", _("Merged cells"), values, FIRST_ONLY if current == FIRST_ONLY else "")


def _merged_note(count: int) -> str:
    return ngettext(
        "{count} merged cell takes several rows or columns.",
        "{count} merged cells take several rows or columns.",
        count,
    ).format(count=count)
