"""Tables for spreadsheet programs: CSV files that are safe to open, and text that is pasted into cells.

This is the one place that writes CSV.

A spreadsheet program runs a cell that starts like a formula, also if a participant has typed it. In a safe
file such a text has an apostrophe in front, which shows it as text; numbers stay numbers. `original_cell`
takes the apostrophe away again. A text that has apostrophes before the sign gets one more, so that every text
of a safe file is read back as it was.
"""

import csv
import re
from collections.abc import Iterable
from typing import Any, TextIO

_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""First characters of cells that a spreadsheet program may run as a formula: https://owasp.org/www-community/attacks/CSV_Injection."""
_APOSTROPHE = "'"
_NUMBER_PATTERN = r"[+-]([0-9]+([.,][0-9]+)*|[.,][0-9]+)([eE][+-]?[0-9]{1,3})?%?"
_NUMBER = re.compile(_NUMBER_PATTERN)

PRECEDED = f"^'+[\ufeff ]*[{re.escape(''.join(_FORMULA_SIGNS))}]"
"""A regular expression of cells whose first apostrophe was added, unless they match `PRECEDED_NUMBER` whole.

Both are for other programs: they have nothing that only some regular expressions know.
"""
PRECEDED_NUMBER = f"'+{_NUMBER_PATTERN}"


def safe_cell(text: str) -> str:
    """The text, preceded by an apostrophe if a spreadsheet program might run it as a formula."""
    return f"{_APOSTROPHE}{text}" if _is_formula(text.lstrip(_APOSTROPHE)) else text


def original_cell(text: str) -> str:
    """The text that a cell of a safe file was written from."""
    is_preceded = text.startswith(_APOSTROPHE) and _is_formula(text.lstrip(_APOSTROPHE))
    return text[1:] if is_preceded else text


def _is_formula(text: str) -> bool:
    return text.lstrip("\ufeff ").startswith(_FORMULA_SIGNS) and _NUMBER.fullmatch(text) is None


def tab_separated(rows: Iterable[Iterable[str]]) -> str:
    """Rows as text that spreadsheets paste into cells, each with a line end."""
    return "".join("\t".join(map(_pasted, row)) + "\n" for row in rows)


def _pasted(text: str) -> str:
    """A cell as spreadsheets paste it: quoted if it has a tab or line break, or begins with a quote."""
    if "\t" in text or "\n" in text or "\r" in text or text.startswith('"'):
        return '"' + text.replace('"', '""') + '"'
    return text


class CsvWriter:
    """Writes rows to a text file as CSV (RFC 4180).

    Args:
        file: an open text file with `newline=""`.
        is_spreadsheet_safe: whether `safe_cell` is applied to all texts, headings included. Files that a
            service reads, and those that it writes, are literal.
        form: delimiter, quotes and line ends, as for `csv.writer`.
    """

    def __init__(self, file: TextIO, *, is_spreadsheet_safe: bool, **form: Any) -> None:
        self._writer = csv.writer(file, **form)
        self._is_spreadsheet_safe = is_spreadsheet_safe

    def writerow(self, row: Iterable[Any]) -> None:
        """Write one row."""
        self._writer.writerow(map(_safe, row) if self._is_spreadsheet_safe else row)

    def writerows(self, rows: Iterable[Iterable[Any]]) -> None:
        """Write rows."""
        for row in rows:
            self.writerow(row)


def _safe(value: Any) -> Any:
    return safe_cell(value) if isinstance(value, str) else value
