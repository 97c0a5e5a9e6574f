"""Merged cells of a sheet, whose text is filled into all rows and columns that they take."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class MergedCell(NamedTuple):
    """The rows and columns of a merged cell, counted from 1 and from 0."""

    first_row: int
    first_column: int
    last_row: int
    last_column: int


class MergedCells:
    """Fills rows, which must be given in their order. What overlaps an earlier merged cell is ignored."""

    def __init__(self, cells: Iterable[MergedCell]) -> None:
        self._by_row: dict[int, list[MergedCell]] = defaultdict(list)
        for cell in sorted(cells):
            self._by_row[cell.first_row].append(cell)
        self._from_above: dict[int, tuple[str, int]] = {}
        """By column, the text of a merged cell that was begun in an earlier row, and its last row."""

    def filled(self, number: int, cells: Sequence[str]) -> Sequence[str]:
        """The texts of a row with those of merged cells."""
        if not self._from_above and number not in self._by_row:
            return cells
        row = list(cells)
        self._from_above = {
            column: (text, last) for column, (text, last) in self._from_above.items() if last >= number
        }
        for column, (text, _last) in self._from_above.items():
            row[column] = text
        free = 0
        for cell in self._by_row.pop(number, ()):
            if (
                cell.first_column < free
                or cell.first_column in self._from_above
                or cell.first_column >= len(row)
            ):
                continue
            free = min(cell.last_column + 1, len(row))
            for column in range(cell.first_column, free):
                row[column] = cells[cell.first_column]
                if cell.last_row > number:
                    self._from_above[column] = row[column], cell.last_row
        return row
