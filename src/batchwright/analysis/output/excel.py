"""Writes Excel files: answers, and every result on a sheet of its own."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from xlsxwriter import Workbook
from xlsxwriter.exceptions import FileCreateError
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from batchwright.analysis.output.file_columns import column_names
from batchwright.analysis.output.output_files import OutputFile, OutputSource, count_texts
from batchwright.base.cooperative import yielding_gil
from batchwright.base.i18n import ngettext
from batchwright.base.local_formats import count_text
from batchwright.base.text import without_lone_surrogates

MAX_ROWS = 1_048_575
"""Maximum number of rows of a sheet below its header, in Excel."""
_MAX_COLUMNS = 16_384
_MAX_CHARACTERS = 32_767
"""Limit of a cell, in UTF-16 code units."""
_MAX_NAME = 31
_FIRST_YEAR = 1900
_TIME_FORMAT = "yyyy-mm-dd hh:mm:ss.000"
_OPTIONS = {
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "constant_memory": True,
}
"""Texts of participants are never formulas or links."""
_CREATED = datetime(1980, 1, 1)

Sheet = tuple[str, Sequence[str], Iterable[Sequence[Any]]]
"""Name, header and rows."""


def files(source: OutputSource) -> Iterator[OutputFile]:
    """Yield the file: the answers long and wide, the codebook, and the results."""
    cut = count_texts((*source.long, *source.wide), _is_cut)
    text = ngettext(
        "{count} text is cut in the Excel file, where a cell has at most {most} characters.",
        "{count} texts are cut in the Excel file, where a cell has at most {most} characters.",
        cut,
    )
    note = text.format(count=count_text(cut), most=count_text(_MAX_CHARACTERS)) if cut else ""
    yield OutputFile("answers.xlsx", lambda path: write_excel(path, _sheets(source)), note)


def _sheets(source: OutputSource) -> Iterator[Sheet]:
    for name, columns in (("answers", source.long), ("answers wide", source.wide_with_headings)):
        yield name, column_names(columns), source.rows([column.typed for column in columns])
    for table in (source.codebook, *source.analysis.results):
        yield table.name, table.columns, table.rows


def write_excel(path: Path, sheets: Iterable[Sheet], max_rows: int = MAX_ROWS) -> None:
    """Write a file with sheets; the same sheets give the same bytes.

    Rows beyond `max_rows` and columns beyond the maximum of a sheet continue on further sheets, whose names
    end with a number, and texts are truncated to the maximum of a cell.

    Raises:
        OSError: the file cannot be written.
    """
    workbook = Workbook(str(path), {**_OPTIONS, "tmpdir": str(path.parent)})
    workbook.set_properties({"created": _CREATED})
    bold, time_format = workbook.add_format({"bold": True}), workbook.add_format({"num_format": _TIME_FORMAT})
    for name, header, rows in sheets:
        parts = _add_sheets(workbook, name, 1, header, bold)
        for index, row in enumerate(yielding_gil(rows)):
            number = index % max_rows + 1
            if index and number == 1:
                first = index // max_rows * len(parts) + 1
                parts = _add_sheets(workbook, name, first, header, bold)
            for sheet, columns in parts:
                for column, value in enumerate(row[columns]):
                    if isinstance(value, str):
                        sheet.write_string(number, column, _text(value))
                    elif isinstance(value, datetime):
                        _write_time(sheet, number, column, value, time_format)
                    elif value is not None:
                        sheet.write_number(number, column, value)
    try:
        workbook.close()
    except FileCreateError as error:
        raise error.args[0] from None


def _add_sheets(
    workbook: Workbook, name: str, first: int, header: Sequence[str], bold: Format
) -> list[tuple[Worksheet, slice]]:
    """Add the sheets that all columns need, with the columns of each; `first` is the number of the first."""
    starts = range(0, max(1, len(header)), _MAX_COLUMNS)
    columns = [slice(start, start + _MAX_COLUMNS) for start in starts]
    names = [name if number == 1 else f"{name} {number}" for number in range(first, first + len(columns))]
    return [
        (_add_sheet(workbook, name, header[part], bold), part)
        for name, part in zip(names, columns, strict=True)
    ]


def _add_sheet(workbook: Workbook, name: str, header: Sequence[str], bold: Format) -> Worksheet:
    sheet = workbook.add_worksheet(name[:_MAX_NAME])
    sheet.freeze_panes(1, 0)
    sheet.write_row(0, 0, map(_text, header), bold)
    return sheet


def _write_time(sheet: Worksheet, row: int, column: int, time: datetime, form: Format) -> None:
    """Write a time without its time zone, which is UTC; Excel has no times before 1900, they are texts."""
    if time.year < _FIRST_YEAR:
        sheet.write_string(row, column, time.isoformat())
    else:
        sheet.write_datetime(row, column, time.replace(tzinfo=None), form)


def _is_cut(text: str) -> bool:
    """Whether a text does not fit into a cell."""
    return len(text) * 2 > _MAX_CHARACTERS and len(_text(text)) < len(text)


def _text(text: str) -> str:
    """A text that fits into a cell."""
    valid = without_lone_surrogates(text)
    if len(valid) * 2 <= _MAX_CHARACTERS:
        return valid
    return valid.encode("utf-16-le")[: 2 * _MAX_CHARACTERS].decode("utf-16-le", "ignore")
