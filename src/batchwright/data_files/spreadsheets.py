"""Protects CSV files against formula injection: spreadsheet programs show every cell as text."""

import csv
from pathlib import Path

from batchwright.base.cooperative import yielding_gil
from batchwright.data_files.csv_rows import MAX_CELL_CHARS

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""First characters of cells that a spreadsheet program may run as a formula: https://owasp.org/www-community/attacks/CSV_Injection."""

_APOSTROPHE = "'"


def safe_cell(text: str) -> str:
    """The text, preceded by an apostrophe if a spreadsheet program might run it as a formula."""
    return f"{_APOSTROPHE}{text}" if text.lstrip("\ufeff ").startswith(FORMULA_SIGNS) else text


def write_safe_copy(path: Path, target: Path) -> int:
    """Copy a CSV file with `safe_cell` applied to every cell; returns the number of cells changed.

    Raises:
        csv.Error: the file is not valid CSV.
        OSError: it cannot be read, or the target cannot be written.
    """
    csv.field_size_limit(MAX_CELL_CHARS)
    changed = 0
    with (
        path.open(encoding="utf-8", errors="surrogateescape", newline="") as source,
        target.open("w", encoding="utf-8", errors="surrogateescape", newline="") as out,
    ):
        writer = csv.writer(out)
        for row in yielding_gil(csv.reader(source)):
            safe = [safe_cell(cell) for cell in row]
            changed += sum(one != other for one, other in zip(row, safe, strict=True))
            writer.writerow(safe)
    return changed
