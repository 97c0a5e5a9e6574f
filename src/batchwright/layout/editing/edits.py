"""Edits: every change of a layout is a frozen value that maps a layout to the next one.

Nodes are identified by key, destinations by an insertion point (the key of the parent and an index).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Protocol

from batchwright.base.i18n import N_, NC_, _
from batchwright.base.json_values import JsonObject
from batchwright.layout.editing.clipboard import clone
from batchwright.layout.editing.selection import EditRejected, Selection, select, select_node
from batchwright.layout.editing.tree_edits import (
    MAX_COLUMNS,
    InsertionPoint,
    insert_copies,
    replace_subtrees,
    wrap_to_level,
)
from batchwright.layout.editing.type_conversion import convert, type_change
from batchwright.layout.item_types.base import Item
from batchwright.layout.model import Column, Layout, Page, Row
from batchwright.layout.nodes import Level, Node, ObjectNode
from batchwright.layout.serialization import INSIDE, derived_keys, random_keys, read_item


class Edit(Protocol):
    """A change of a layout. The same edit of the same layout always returns the same layout.

    If it cannot be applied completely, it raises `EditRejected` with the reason. Drop previews call the edit
    to find out whether a drop is possible.
    """

    @property
    def label(self) -> str:
        """The name in the undo menu, in English; translated where it is shown."""

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards."""


@dataclass(frozen=True, kw_only=True)
class CreatesNodes:
    """An edit that creates nodes. Their keys are derived from `seed`, so that repeating it gives the same."""

    seed: str = field(default_factory=lambda: next(random_keys()))


@dataclass(frozen=True)
class Add(CreatesNodes):
    """Insert nodes of one level; at a higher level they are wrapped in a new column, row or page."""

    label: ClassVar[str] = N_("Add")

    nodes: tuple[Node, ...]
    to: InsertionPoint

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRejected`."""
        target_level = self.to.level(layout)
        level = _level_of(self.nodes, target_level)
        added = wrap_to_level(self.nodes, level, target_level, derived_keys(self.seed))
        return replace_subtrees(layout, added=added, insertion_point=self.to)


class AddPage(Add):
    """Add a page."""

    label = N_("Add page")


class AddItem(Add):
    """Add an item: a drop from the palette."""

    label = N_("Add item")


@dataclass(frozen=True)
class AddBlock(Add):
    """Add copies of the nodes of a block of the user."""

    label = N_("Add block")

    page_names: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    """The names that designers gave to the pages of the block, by key."""


class Paste(Add):
    """Add the nodes that `clipboard.nodes_to_paste` returned."""

    label = N_("Paste")


@dataclass(frozen=True)
class Copy(CreatesNodes):
    """Insert copies of nodes of one level: a drag with Ctrl pressed."""

    label: ClassVar[str] = N_("Copy")

    keys: tuple[str, ...]
    to: InsertionPoint

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRejected`."""
        selection = select(layout, self.keys)
        keys = derived_keys(self.seed)
        copies = tuple(clone(node, keys) for node in selection.nodes)
        added = wrap_to_level(copies, selection.level, self.to.level(layout), keys)
        return replace_subtrees(layout, added=added, insertion_point=self.to)


@dataclass(frozen=True)
class Duplicate(CreatesNodes):
    """Insert copies after the last of the nodes; in each parent if the nodes have several parents."""

    label: ClassVar[str] = N_("Duplicate")

    keys: tuple[str, ...]

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRejected`."""
        selection = select(layout, self.keys)
        keys = derived_keys(self.seed)
        gaps: dict[str | None, InsertionPoint] = {}
        copies: dict[str | None, list[Node]] = {}
        for path, node in zip(selection.paths, selection.nodes, strict=True):
            to = InsertionPoint.after(layout, path)
            gaps[to.parent] = to
            copies.setdefault(to.parent, []).append(clone(node, keys))
        return insert_copies(layout, {to: copies[parent] for parent, to in gaps.items()})


def _level_of(nodes: Sequence[Node], target_level: Level) -> Level:
    """The common level of nodes; invalid nodes are assumed to fit the insertion point."""
    return next((node.level for node in nodes if isinstance(node, ObjectNode)), target_level)


@dataclass(frozen=True)
class Move(CreatesNodes):
    """Move nodes of one level, in reading order, to an insertion point.

    At a higher level they are wrapped in a new column, row or page: items dropped between rows
    create a new row, items dropped beside a column create a second one. When all children of a
    column, row or page are moved, the parent is moved instead and so keeps its key, id and attributes.
    """

    label: ClassVar[str]
    level: ClassVar[Level]

    keys: tuple[str, ...]
    to: InsertionPoint

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRejected`."""
        selection = select(layout, self.keys)
        if selection.level is not self.level:
            raise EditRejected(_("The selection does not match this move."))
        target_level = self.to.level(layout)
        selection = _outermost_parents(layout, selection, target_level)
        added = wrap_to_level(selection.nodes, selection.level, target_level, derived_keys(self.seed))
        return replace_subtrees(layout, removed=selection.nodes, added=added, insertion_point=self.to)


class MovePages(Move):
    """Move pages between other pages."""

    label = N_("Move page")
    level = Level.PAGE


class MoveRows(Move):
    """Move rows to a page, or between pages as a new page."""

    label = N_("Move row")
    level = Level.ROW


class MoveColumns(Move):
    """Move columns to a row, or to a page as a new row."""

    label = N_("Move column")
    level = Level.COLUMN


class MoveItems(Move):
    """Move items to a column, beside one as a new column, or between rows as a new row."""

    label = N_("Move item")
    level = Level.ITEM


def _outermost_parents(layout: Layout, selection: Selection, target_level: Level) -> Selection:
    """The nodes to move in place of `selection`: parents that hold nothing else, as far up as the goal."""
    while selection.level > target_level:
        parents = {path.parent for path in selection.paths}
        if len(parents) > 1:
            break
        parent_node = layout.at(parents.pop())
        if len(parent_node.children) > len(selection.nodes):
            break
        selection = select(layout, (parent_node.key,))
    return selection


@dataclass(frozen=True)
class Remove:
    """Remove nodes of any level, and columns and rows that become empty."""

    label: ClassVar[str] = N_("Remove")

    keys: tuple[str, ...]

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRejected`."""
        return replace_subtrees(layout, removed=select(layout, self.keys).nodes)


@dataclass(frozen=True)
class Cut(Remove):
    """Remove nodes that have been copied to the clipboard."""

    label = N_("Cut")


@dataclass(frozen=True)
class ChangeNode:
    """An edit of the attributes of one node."""

    label: ClassVar[str] = NC_("what can be undone", "Change")

    key: str

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRejected`."""
        path, node = select_node(layout, self.key)
        return layout.with_node(path, self.changed(node))

    def changed(self, node: Node) -> Node:
        """The node afterwards; raises `EditRejected`."""
        raise NotImplementedError


@dataclass(frozen=True)
class SetAttributes(ChangeNode):
    """Set and unset attributes of a node; setting `type` converts an item to that type."""

    values: JsonObject
    unset: tuple[str, ...] = ()

    def changed(self, node: Node) -> Node:
        """The node afterwards; raises `EditRejected`."""
        if not isinstance(node, ObjectNode):
            raise EditRejected(_("This entry cannot be edited, only moved or removed."))
        if INSIDE.get(node.level) in {*self.values, *self.unset}:
            raise EditRejected(_("Children are changed by adding, moving and removing them."))
        remaining = {name: value for name, value in node.attributes.items() if name not in self.unset}
        attributes = {**remaining, **self.values}
        if isinstance(node, Item):
            return read_item(attributes, iter((node.key,)))
        return replace(node, attributes=attributes)


@dataclass(frozen=True)
class ChangeType(CreatesNodes):
    """Change items into another type; those that have it already stay as they are.

    Each changed item is a new node. The service would keep the id of an item whose type changes, and with it
    the answers, which have the form of the old type.
    """

    label: ClassVar[str] = N_("Change type")

    keys: tuple[str, ...]
    to: str

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRejected`."""
        selection, keys = select(layout, self.keys), derived_keys(self.seed)
        for path, node in zip(selection.paths, selection.nodes, strict=True):
            if isinstance(node, Item) and node.kind == self.to:
                continue
            change = type_change(node, self.to)
            if change is None or not isinstance(node, Item):
                raise EditRejected(_("The selection cannot be changed into this type."))
            layout = layout.with_node(path, read_item(convert(node, change).attributes, keys))
        return layout


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
    return replace_subtrees(layout, removed=moved, added=(second,), insertion_point=to)


def _merge(layout: Layout, nodes: Sequence[Node]) -> Layout:
    """Append the children of all nodes to the first one and remove the others."""
    if len(nodes) < 2:
        raise EditRejected(_("There must be at least two to merge."))
    first, *others = nodes
    added = [inner for node in others for inner in node.children]
    return replace_subtrees(
        layout, removed=others, added=added, insertion_point=InsertionPoint(first.key, len(first.children))
    )
