"""The header of a table in a spreadsheet: which rows it is in, and the names of the columns in it.

Titles and remarks may stand above it; it may take two rows, of which the upper one has names of groups of
columns.
"""

import re
from collections.abc import Collection, Sequence

from batchwright.base.i18n import _
from batchwright.data_files.sources.source import SourceChoice
from batchwright.data_files.text_rows.sniffing import is_header

ROWS_FOR_HEADER = 20
"""Rows among which the header is looked for."""

_Rows = Sequence[Sequence[str]]

_VALUE = re.compile(r"[^\w]*[0-9][0-9.,:T \-]*[^\w]*|TRUE|FALSE")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")


def proposed_header(rows: _Rows, wide_cells: Collection[int] = ()) -> tuple[int, int]:
    """The last row of the header, counted from 1, and the number of its rows; 0 and 1 if there is none.

    The header is the first row in which more than half of the columns have a text, unless it has values.

    Args:
        rows: the texts of the first rows; they may have different lengths.
        wide_cells: the rows that have cells over several columns, counted from 1.
    """
    counts = [sum(map(bool, map(str.strip, row))) for row in rows]
    widest = max(counts, default=0)
    if not widest:
        return 0, 1
    number = next(number for number, count in enumerate(counts, 1) if 2 * count > widest)
    if not _is_header(rows[number - 1 :]):
        return 0, 1
    is_group_of = number in wide_cells and len(rows) > number and _is_text(rows[number])
    if is_group_of:
        return number + 1, 2
    return number, 1 + _has_groups_above(rows, number, wide_cells)


def joined_names(rows: _Rows) -> tuple[str, ...]:
    """The name of each column: its different texts in the rows, which have the same number of cells."""
    by_column = zip(*rows, strict=True)
    return tuple(" ".join(dict.fromkeys(filter(None, map(_line, cells)))) for cells in by_column)


def names_in_two_rows(groups: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """The names of columns under the names of groups, each of which is written above its first column."""
    above = continued([*groups, *[""] * (len(names) - len(groups))][: len(names)])
    return joined_names([above, names])


def continued(names: Sequence[str]) -> list[str]:
    """Names of groups of columns, each written above the first column of its group, for all columns."""
    current, result = "", []
    for name in names:
        current = name if name.strip() else current
        result.append(current)
    return result


def header_rows_choice(current: int) -> SourceChoice:
    """Whether the names of columns take two rows."""
    counts = ((1, _("One header row")), (2, _("Two header rows")))
    return SourceChoice("header_rows", _("Rows of the header"), counts, current)


def _line(text: str) -> str:
    return " ".join(text.split())


def _is_text(row: Sequence[str]) -> bool:
    """Whether a row has texts, and no values."""
    texts = [text for text in map(str.strip, row) if text]
    return bool(texts) and not any(map(_VALUE.fullmatch, texts))


def _is_header(rows: _Rows) -> bool:
    """Whether the first row is a header: it has names, and values of another kind are below."""
    first, below = rows[0], next((row for row in rows[1:] if any(row)), ())
    names = [_line(text) for text in first if text.strip()]
    if not is_header(names):
        return False
    kinds = [_kind(text) for text in first]
    has_values = any(kind == "value" for kind in kinds)
    return not has_values or kinds != [_kind(text) for text in below[: len(kinds)]]


def _kind(text: str) -> str:
    """The kind of a text in a header; years are names."""
    text = text.strip()
    if not text or _YEAR.fullmatch(text):
        return ""
    return "value" if _VALUE.fullmatch(text) else "text"


def _has_groups_above(rows: _Rows, number: int, wide_cells: Collection[int]) -> bool:
    """Whether the row above the one with this number has names of groups of columns."""
    if number < 2 or not _is_text(rows[number - 2]):
        return False
    groups = [text for text in rows[number - 2] if text.strip()]
    names = [text for text in rows[number - 1] if text.strip()]
    return len(groups) > 1 and (number - 1 in wide_cells or len({*names}) < len(names))
