"""Columns of tables of results, with the headings and formats of the fields of their rows."""

from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import TypeVar

from PySide6.QtCore import QCollatorSortKey

from batchwright.analysis.store.headings import headings
from batchwright.base.i18n import _
from batchwright.ui.core.formatting import name_order, number
from batchwright.ui.results.statistics.number_texts import decimal, share
from batchwright.ui.results.statistics.row_table import RowColumn

T = TypeVar("T")


def number_column(
    row_type: type[T], name: str, width: int, text: Callable[[T], str] | None = None
) -> RowColumn[T]:
    """The column of a field with numbers, shares or, with `text`, what that writes; sorted by the field."""
    value, is_share = attrgetter(name), headings(row_type)[name].is_share

    def write(of: T) -> str:
        shown = value(of)
        return share(shown) if is_share else decimal(shown) if isinstance(shown, float) else number(shown)

    return RowColumn(heading(row_type, name), text or write, value, width, is_number=True)


def text_column(
    row_type: type[T], name: str, width: int = 0, text: Callable[[T], str] | None = None
) -> RowColumn[T]:
    """The column of a field with texts, written by `text` if it is given; the whole text is the tooltip."""
    value, described = attrgetter(name), headings(row_type)[name]

    def whole(of: T) -> str:
        return described.in_words(value(of), partial(getattr, of))

    def order(of: T) -> QCollatorSortKey:
        return name_order(whole(of))

    return RowColumn(heading(row_type, name), text or whole, order, width, tooltip=whole)


def heading(row_type: type[object], name: str) -> str:
    """The heading of the column of a field."""
    found = headings(row_type)[name]
    return _(found.short or found.text)
