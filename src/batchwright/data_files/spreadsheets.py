"""CSV files that spreadsheets show as text and never run as formulas."""

import csv
from pathlib import Path

from batchwright.base.cooperative import yielding_gil
from batchwright.data_files.csv_rows import LARGEST_CELL

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""How a cell begins that a spreadsheet may run: https://owasp.org/www-community/attacks/CSV_Injection."""

_APOSTROPHE = "'"


def safe_cell(text: str) -> str:
    """The text with an apostrophe in front, where a spreadsheet might run it as a formula."""
    return f"{_APOSTROPHE}{text}" if text.lstrip("\ufeff ").startswith(FORMULA_SIGNS) else text


def write_safe_copy(path: Path, target: Path) -> int:
    """Write a CSV file again with every cell as `safe_cell` has it; returns how many cells were changed.

    Raises:
        csv.Error: the file is not a table.
        OSError: it cannot be read, or the target cannot be written.
    """
    csv.field_size_limit(LARGEST_CELL)
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
