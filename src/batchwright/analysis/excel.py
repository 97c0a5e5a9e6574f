"""Writes Excel files: answers, and every result on a sheet of its own."""

import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from xlsxwriter import Workbook

MAX_ROWS = 1_048_575
"""Maximum number of rows of a sheet below its header."""
_MAX_CHARACTERS = 32_767
_MAX_NAME = 31
_OPTIONS = {
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "constant_memory": True,
}
"""Texts of participants are never formulas or links."""
_CREATED = datetime(1980, 1, 1)


def excel_file(sheets: Iterable[tuple[str, Sequence[str], Iterable[Sequence[Any]]]]) -> bytes:
    """Return a file with sheets, given by name, header and rows.

    Rows beyond the maximum of a sheet are omitted, and texts are truncated to that of a cell.
    """
    content = io.BytesIO()
    workbook = Workbook(content, _OPTIONS)
    workbook.set_properties({"created": _CREATED})
    bold = workbook.add_format({"bold": True})
    for name, header, rows in sheets:
        sheet = workbook.add_worksheet(name[:_MAX_NAME])
        sheet.freeze_panes(1, 0)
        sheet.write_row(0, 0, header, bold)
        for number, row in zip(range(1, MAX_ROWS + 1), rows, strict=False):
            for column, value in enumerate(row):
                if isinstance(value, str):
                    sheet.write_string(number, column, value[:_MAX_CHARACTERS])
                elif value is not None:
                    sheet.write_number(number, column, value)
    workbook.close()
    return content.getvalue()
