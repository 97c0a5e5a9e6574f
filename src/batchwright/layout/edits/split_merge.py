"""Splitting and merging columns and pages."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from batchwright.base.i18n import N_, _
from batchwright.layout.edits.base import CreatesNodes
from batchwright.layout.model import Column, Layout, Page, Row
from batchwright.layout.nodes import Node, ObjectNode
from batchwright.layout.selection import EditRefused, select, select_one
from batchwright.layout.serialization import derived_keys
from batchwright.layout.tree_edits import MOST_COLUMNS, InsertionPoint, replace_subtrees


@dataclass(frozen=True)
class SplitRow(CreatesNodes):
    """Make two columns of a row's one: the items from the `at`-th on stand in the right one."""

    label: ClassVar[str] = N_("Split into two columns")

    row: str
    at: int

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRefused`."""
        row = select_one(layout, self.row)[1]
        column = row.children[0] if isinstance(row, Row) and len(row.columns) == 1 else None
        if not isinstance(column, Column):
            raise EditRefused(_("Only a row with one column can be split."))
        return _split(layout, column, self.at, InsertionPoint(row.key, 1), self.seed)


@dataclass(frozen=True)
class SplitWideRow(CreatesNodes):
    """Put the columns of a row that holds too many into rows of two, one below the other."""

    label: ClassVar[str] = N_("Spread over several rows")

    row: str

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRefused`."""
        place, row = select_one(layout, self.row)
        if not isinstance(row, Row) or len(row.columns) <= MOST_COLUMNS:
            raise EditRefused(_("Only a row with more than two columns can be spread."))
        page, number, keys = layout.at(place.parent), place.path[-1], derived_keys(self.seed)
        more = range(MOST_COLUMNS, len(row.columns), MOST_COLUMNS)
        rows = [Row(next(keys), {}, row.columns[first : first + MOST_COLUMNS]) for first in more]
        narrow = row.with_children(row.columns[:MOST_COLUMNS])
        spread = [*page.children[:number], narrow, *rows, *page.children[number + 1 :]]
        return layout.with_node(place.parent, page.with_children(spread))


@dataclass(frozen=True)
class SplitPage(CreatesNodes):
    """Make two pages of one: the rows from the `at`-th on stand on the second."""

    label: ClassVar[str] = N_("Split page")

    page: str
    at: int

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRefused`."""
        place, page = select_one(layout, self.page)
        if not isinstance(page, Page):
            raise EditRefused(_("Only a page can be split into pages."))
        return _split(layout, page, self.at, InsertionPoint.after(layout, place), self.seed)


@dataclass(frozen=True)
class MergeColumns:
    """Make one column of a row's columns: the first takes the items of the others at its end."""

    label: ClassVar[str] = N_("Merge columns")

    row: str

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRefused`."""
        row = select_one(layout, self.row)[1]
        columns = row.children if isinstance(row, Row) else ()
        if not all(isinstance(column, Column) for column in columns):
            raise EditRefused(_("A column of this row has no form that can be edited. Remove it first."))
        return _merged(layout, columns)


@dataclass(frozen=True)
class MergePages:
    """Make one page of several: the first takes the rows of the others at its end."""

    label: ClassVar[str] = N_("Merge pages")

    pages: tuple[str, ...]

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRefused`."""
        pages = select(layout, self.pages).entries
        if not all(isinstance(page, Page) for page in pages):
            raise EditRefused(_("Only pages can be merged into one."))
        return _merged(layout, pages)


def _split(layout: Layout, entry: ObjectNode, at: int, gap: InsertionPoint, seed: str) -> Layout:
    """Put what is inside an entry from the `at`-th on into one more like it, which is new."""
    moved = entry.children[max(0, at) :]
    if not moved or len(moved) == len(entry.children):
        raise EditRefused(_("There must be something on both sides of the split."))
    other = replace(entry, key=next(derived_keys(seed))).without_attributes("id").with_children(moved)
    return replace_subtrees(layout, gone=moved, added=(other,), gap=gap)


def _merged(layout: Layout, entries: Sequence[Node]) -> Layout:
    """Put what is inside the others at the end of the first; the others go."""
    if len(entries) < 2:
        raise EditRefused(_("There must be at least two to merge."))
    first, *others = entries
    added = [inner for other in others for inner in other.children]
    return replace_subtrees(
        layout, gone=others, added=added, gap=InsertionPoint(first.key, len(first.children))
    )
