"""Results as tables of cells, from which all files are written."""

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from typing import Any, TypeAlias

from batchwright.analysis.statistics.methods import Method
from batchwright.analysis.store.headings import Heading, headings
from batchwright.base.json_values import JsonObject

Cell: TypeAlias = "str | int | float | None"

_DIGITS = 6
"""Decimal places of written numbers; significant digits of those below 1."""
_NOISE = 1e-12
"""Numbers closer to 0 are rounding errors, and written as 0."""


@dataclass(frozen=True)
class ResultTable:
    """A table with its methods; `name` is the name of its files."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    methods: tuple[Method, ...] = ()
    headings: Mapping[str, Heading] = field(default_factory=dict)
    """Of the columns that the report shows, by their names."""
    notes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What is to be considered with the results of a question, by its id."""

    def without(self, columns: Set[str]) -> "ResultTable":
        """The table without some columns."""
        kept = [index for index, name in enumerate(self.columns) if name not in columns]
        rows = tuple(tuple(row[index] for index in kept) for row in self.rows)
        return replace(self, columns=tuple(self.columns[index] for index in kept), rows=rows)

    def as_json(self) -> JsonObject:
        """The table as JSON: its methods, an object per row, and notes by question where there are some."""
        notes: JsonObject = {question: list(texts) for question, texts in self.notes.items() if texts}
        return {
            "title": self.title,
            "methods": [method.sentence() for method in self.methods],
            **({"notes": notes} if notes else {}),
            "rows": [dict(zip(self.columns, row, strict=True)) for row in self.rows],
        }


def result_table(
    name: str, title: str, row_type: type[Any], rows: Sequence[Any], methods: Sequence[Method] = ()
) -> ResultTable:
    """Create a table from rows of a dataclass; its fields are the columns. NaN is a missing value."""
    columns = tuple(column.name for column in fields(row_type))
    cells: list[tuple[Cell, ...]] = []
    for start in range(0, len(rows), _PART_ROWS):
        by_column = zip(*map(attrgetter(*columns), rows[start : start + _PART_ROWS]), strict=True)
        cells += zip(*map(_cells, by_column), strict=True)
    return ResultTable(name, title, columns, tuple(cells), tuple(methods), headings(row_type))


_PART_ROWS = 10_000
"""Rows whose columns are converted together."""
_PLAIN = {str, int, type(None)}


def _cells(values: Sequence[Any]) -> Sequence[Cell]:
    """The cells of a column. Most columns of long tables are texts and whole numbers, which are cells."""
    return values if {*map(type, values)} <= _PLAIN else [_cell(value) for value in values]


def _cell(value: Any) -> Cell:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _rounded(value) if math.isfinite(value) else None
    return value if isinstance(value, int) or value is None else str(value)


def _rounded(value: float) -> float:
    if abs(value) < _NOISE:
        return 0.0
    return round(value, _DIGITS) if abs(value) >= 1 else float(f"{value:.{_DIGITS}g}")
