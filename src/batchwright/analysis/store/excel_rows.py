"""Reads the rows of a table in an Excel workbook as texts, with `python-calamine`.

Numbers are written without the formats of cells, and times as the program writes them, in UTC. Rows of a
sheet that is full continue on the sheets that follow it: `answers`, `answers 2` and so on.
"""

import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook

from batchwright.base.cooperative import yielding_gil
from batchwright.base.i18n import _
from batchwright.base.plain_numbers import plain_text
from batchwright.data_files.archive_members import require_likely_sizes
from batchwright.data_files.file_types import FileType, rejection
from batchwright.data_files.rows import UnreadableFile

IsTable = Callable[[Sequence[str]], bool]
"""Whether names of columns are those of the table that is wanted."""


def excel_columns(path: Path, is_table: IsTable) -> tuple[str, ...]:
    """The names in the first row of the sheet with the table; those of the first sheet if none has it.

    Raises:
        UnreadableFile: the file is no workbook, or damaged.
        OSError: it cannot be opened.
    """
    with _workbook(path) as workbook:
        return workbook.columns(workbook.sheets_of_table(is_table)[0])


def excel_rows(path: Path, is_table: IsTable) -> Iterator[Mapping[str, str]]:
    """Yield the rows of the table; cells without a text are omitted, and rows without one.

    Raises:
        UnreadableFile: the file is no workbook, or damaged.
        OSError: it cannot be opened.
    """
    with _workbook(path) as workbook:
        for name in workbook.sheets_of_table(is_table):
            columns = workbook.columns(name)
            for cells in yielding_gil(workbook.rows(name)):
                if row := {
                    column: text for column, text in zip(columns, cells, strict=True) if column and text
                }:
                    yield row


@contextmanager
def _workbook(path: Path) -> "Iterator[_Workbook]":
    if not zipfile.is_zipfile(path):
        raise rejection(FileType.EXCEL, path.name)
    try:
        with zipfile.ZipFile(path) as archive:
            require_likely_sizes(archive)
        yield _Workbook(CalamineWorkbook.from_path(path))
    except (CalamineError, RuntimeError, zipfile.BadZipFile) as error:
        raise UnreadableFile(_("The Excel workbook is damaged: {reason}.").format(reason=error)) from None


class _Workbook:
    """The sheets of a workbook; each is read when it is needed, and once."""

    def __init__(self, workbook: CalamineWorkbook) -> None:
        self._names = workbook.sheet_names
        self._sheet: Callable[[str], CalamineSheet] = cache(workbook.get_sheet_by_name)

    def sheets_of_table(self, is_table: IsTable) -> list[str]:
        """The names of the first sheet with the table, or else the first, and of those where it continues."""
        first = next((name for name in self._names if is_table(self.columns(name))), self._names[0])
        more = [name for name in self._names if re.fullmatch(re.escape(first) + r" \d+", name)]
        return [first, *(name for name in more if self.columns(name) == self.columns(first))]

    def columns(self, name: str) -> tuple[str, ...]:
        """The texts in the first row of a sheet."""
        return tuple(_text(cell).strip() for cell in next(self._sheet(name).iter_rows(), ()))

    def rows(self, name: str) -> Iterator[list[str]]:
        """Yield the texts in the cells of each row below the first."""
        rows = self._sheet(name).iter_rows()
        next(rows, None)
        yield from (list(map(_text, cells)) for cells in rows)


def _text(cell: Any) -> str:
    match cell:
        case bool():
            return "true" if cell else "false"
        case float():
            return plain_text(cell)
        case datetime():
            return f"{cell.isoformat(timespec='milliseconds')}Z"
    return str(cell)
