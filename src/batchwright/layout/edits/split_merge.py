"""Splitting and merging columns and pages."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from batchwright.base.i18n import N_, _
from batchwright.layout.edits.base import CreatesNodes
from batchwright.layout.model import Column, Layout, Page, Row
from batchwright.layout.nodes import Node, ObjectNode
from batchwright.layout.selection import EditRejected, select, select_node
from batchwright.layout.serialization import derived_keys
from batchwright.layout.tree_edits import MAX_COLUMNS, InsertionPoint, replace_subtrees


@dataclass(frozen=True)
class SplitRow(CreatesNodes):
    """Split the only column of a row in two: the items from index `at` on move to the right one."""

    label: ClassVar[str] = N_("Split into two columns")

    row: str
    at: int

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRejected`."""
        row = select_node(layout, self.row)[1]
        column = row.children[0] if isinstance(row, Row) and len(row.columns) == 1 else None
        if not isinstance(column, Column):
            raise EditRejected(_("Only a row with one column can be split."))
        return _split(layout, column, self.at, InsertionPoint(row.key, 1), self.seed)


@dataclass(frozen=True)
class SplitWideRow(CreatesNodes):
    """Split a row with too many columns into rows of two columns each."""

    label: ClassVar[str] = N_("Spread over several rows")

    row: str

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRejected`."""
        path, row = select_node(layout, self.row)
        if not isinstance(row, Row) or len(row.columns) <= MAX_COLUMNS:
            raise EditRejected(_("Only a row with more than two columns can be spread."))
        page, number, keys = layout.at(path.parent), path.indices[-1], derived_keys(self.seed)
        more = range(MAX_COLUMNS, len(row.columns), MAX_COLUMNS)
        rows = [Row(next(keys), {}, row.columns[first : first + MAX_COLUMNS]) for first in more]
        narrow = row.with_children(row.columns[:MAX_COLUMNS])
        spread = [*page.children[:number], narrow, *rows, *page.children[number + 1 :]]
        return layout.with_node(path.parent, page.with_children(spread))


@dataclass(frozen=True)
class SplitPage(CreatesNodes):
    """Split a page in two: the rows from index `at` on move to the second page."""

    label: ClassVar[str] = N_("Split page")

    page: str
    at: int

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRejected`."""
        path, page = select_node(layout, self.page)
        if not isinstance(page, Page):
            raise EditRejected(_("Only a page can be split into pages."))
        return _split(layout, page, self.at, InsertionPoint.after(layout, path), self.seed)


@dataclass(frozen=True)
class MergeColumns:
    """Merge the columns of a row: the items of the others are appended to the first."""

    label: ClassVar[str] = N_("Merge columns")

    row: str

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRejected`."""
        row = select_node(layout, self.row)[1]
        columns = row.children if isinstance(row, Row) else ()
        if not all(isinstance(column, Column) for column in columns):
            raise EditRejected(_("A column of this row has no form that can be edited. Remove it first."))
        return _merge(layout, columns)


@dataclass(frozen=True)
class MergePages:
    """Merge several pages: the rows of the others are appended to the first."""

    label: ClassVar[str] = N_("Merge pages")

    pages: tuple[str, ...]

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRejected`."""
        pages = select(layout, self.pages).nodes
        if not all(isinstance(page, Page) for page in pages):
            raise EditRejected(_("Only pages can be merged into one."))
        return _merge(layout, pages)


def _split(layout: Layout, node: ObjectNode, index: int, to: InsertionPoint, seed: str) -> Layout:
    """Move the children of a node from an index on to a new node with the same attributes."""
    moved = node.children[max(0, index) :]
    if not moved or len(moved) == len(node.children):
        raise EditRejected(_("There must be something on both sides of the split."))
    second = replace(node, key=next(derived_keys(seed))).without_attributes("id").with_children(moved)
    return replace_subtrees(layout, removed=moved, added=(second,), gap=to)


def _merge(layout: Layout, nodes: Sequence[Node]) -> Layout:
    """Append the children of all nodes to the first one and remove the others."""
    if len(nodes) < 2:
        raise EditRejected(_("There must be at least two to merge."))
    first, *others = nodes
    added = [inner for node in others for inner in node.children]
    return replace_subtrees(
        layout, removed=others, added=added, gap=InsertionPoint(first.key, len(first.children))
    )
