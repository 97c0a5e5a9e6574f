"""Groups of tasks by the values of a dataset field: its values, or ranges of its numbers."""

import math
from collections.abc import Sequence

import numpy as np

from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.text_columns import TextColumn
from batchwright.base.plain_numbers import plain_number, plain_text
from batchwright.prepare.columns import BLOCK, COPY_OF, PAIR_ID, RECORD_ID, SAMPLE, STRATUM, WEIGHT
from batchwright.schema.item_sets import IDENTITY_COLUMNS, SET_ID
from batchwright.schema.model import GROUPING_COLUMN

MAX_GROUPS = 50
"""Maximum number of different values by which answers are grouped: more texts are not categories."""
_RANGES = 4
_GROUPS_OF_DESIGN = frozenset({STRATUM, BLOCK, SAMPLE})
_NO_GROUPS = frozenset({PAIR_ID, SET_ID, RECORD_ID, COPY_OF, WEIGHT, GROUPING_COLUMN, *IDENTITY_COLUMNS})
"""Fields of a preparation that number or weight records, or name the item at one of several places."""


def category_fields(table: AnswerTable) -> list[str]:
    """The fields by which answers can be grouped: with 2 to `MAX_GROUPS` groups.

    Strata, blocks and the parts of a sample come first. A field with a different text or whole number in
    every task is not used: it identifies the record.
    """
    found = [name for name in table.fields if is_category_field(table, name)]
    return sorted(found, key=lambda name: name not in _GROUPS_OF_DESIGN)


def is_category_field(table: AnswerTable, name: str) -> bool:
    """Whether answers can be grouped by a field; false if there is none with this name."""
    return name in table.fields and name not in _NO_GROUPS and _is_category(table.fields[name])


def field_groups(column: TextColumn) -> TextColumn:
    """The groups of tasks by a field, in the order in which they are shown.

    More than `MAX_GROUPS` numbers become ranges with about equally many tasks. Tasks without a value are the
    last group, with an empty name.
    """
    codes, values = column.codes, column.values
    numbers = _numbers(values)
    if numbers is not None and len(values) > MAX_GROUPS:
        codes, values = _ranges(codes, numbers)
        order = list(range(len(values)))
    else:
        order = [code for code in range(len(values)) if values[code]]
        order.sort(key=values.__getitem__ if numbers is None else numbers.__getitem__)
    has_missing = bool((codes < 0).any()) or len(order) < len(values)
    new_codes = np.full(len(values) + 1, len(order), dtype=np.int32)
    new_codes[order] = np.arange(len(order))
    return TextColumn(new_codes[codes], (*(values[code] for code in order), *([""] if has_missing else [])))


def _is_category(column: TextColumn) -> bool:
    different, filled = len(column.values), int((column.codes >= 0).sum())
    if 1 < different <= MAX_GROUPS:
        return different < filled
    numbers = _numbers(column.values) if different > MAX_GROUPS else None
    return numbers is not None and not (different == filled and bool((numbers % 1 == 0).all()))


def _numbers(values: Sequence[str]) -> np.ndarray | None:
    """Texts as numbers, an empty text as NaN; None if one is not a finite number."""
    try:
        numbers = [plain_number(value) if value else math.nan for value in values]
    except ValueError:
        return None
    is_numeric = all(
        math.isfinite(number) or not value for number, value in zip(numbers, values, strict=True)
    )
    return np.array(numbers) if is_numeric and any(values) else None


def _ranges(codes: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, tuple[str, ...]]:
    """The range of each task, -1 without a number, and the names of the ranges."""
    of_tasks = np.append(numbers, math.nan)[codes]
    has_number = np.isfinite(of_tasks)
    finite = of_tasks[has_number]
    edges = np.unique(np.quantile(finite, np.arange(1, _RANGES) / _RANGES, method="inverted_cdf"))
    found, places = np.unique(np.searchsorted(edges, finite), return_inverse=True)
    ranges = np.full(len(codes), -1, dtype=np.int32)
    ranges[has_number] = places.reshape(-1)
    parts = [finite[ranges[has_number] == place] for place in range(len(found))]
    return ranges, _names([(float(part.min()), float(part.max())) for part in parts])


def _names(ranges: Sequence[tuple[float, float]]) -> tuple[str, ...]:
    """The names of ranges, with at least six digits, and as many as tell them apart."""
    for digits in range(6, 18):
        names = tuple(f"{plain_text(low, digits)} – {plain_text(high, digits)}" for low, high in ranges)
        if len(set(names)) == len(names):
            break
    return names
