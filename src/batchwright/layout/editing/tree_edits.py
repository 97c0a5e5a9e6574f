"""Removing nodes from a layout and inserting others: the basis of all edits of the tree."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import is_
from typing import Self

from batchwright.base.i18n import _
from batchwright.layout.editing.selection import EditRejected, select_node
from batchwright.layout.model import Column, Layout, Page, Row
from batchwright.layout.nodes import Level, Node, NodePath

MAX_COLUMNS = 2
"""The maximum number of columns in a row (specification, batch_items layout)."""


@dataclass(frozen=True)
class InsertionPoint:
    """A position between nodes: in the node `parent` (None for the layout), before its child `index`.

    `index` counts the children before the edit, as they are visible during a drag; an index past
    the end means the end.
    """

    parent: str | None
    index: int

    @classmethod
    def after(cls, layout: Layout, path: NodePath) -> Self:
        """The insertion point after the node at a path."""
        holder = path.parent
        return cls(layout.at(holder).key if holder.indices else None, path.indices[-1] + 1)

    def level(self, layout: Layout) -> Level:
        """The level of the nodes that can be inserted here.

        Raises:
            EditRejected: the parent is not in the layout, or cannot have children.
        """
        if self.parent is None:
            return Level.PAGE
        parent = select_node(layout, self.parent)[1]
        if not isinstance(parent, (Page, Row, Column)):
            raise EditRejected(_("This cannot contain anything."))
        return Level(parent.level + 1)


def replace_subtrees(
    layout: Layout,
    *,
    removed: Sequence[Node] = (),
    added: Sequence[Node] = (),
    insertion_point: InsertionPoint | None = None,
) -> Layout:
    """The layout without the nodes `removed` and with `added` at the insertion point.

    Columns and rows that become empty are removed too: the service would reject them (wire reference, section
    2.3). An empty page stays, because the user has it open and may fill it again. Unaffected pages and nodes
    are the same objects afterwards.

    Raises:
        EditRejected: a row would have more columns than allowed and than before, or a node
            to be added is already in the layout.
    """
    _require_unique(layout, removed, added)
    insertions = {} if insertion_point is None else {insertion_point.parent: (insertion_point.index, added)}
    return _SubtreeReplacement(frozenset(node.key for node in removed), insertions).pages_after(layout)


def insert_copies(layout: Layout, copies: Mapping[InsertionPoint, Sequence[Node]]) -> Layout:
    """The layout with new nodes at several insertion points, at most one in each parent.

    Raises:
        EditRejected: a row would have more columns than allowed and than before, or a node
            to be added is already in the layout.
    """
    _require_unique(layout, (), list(chain.from_iterable(copies.values())))
    insertions = {point.parent: (point.index, added) for point, added in copies.items()}
    return _SubtreeReplacement(frozenset(), insertions).pages_after(layout)


def wrap_to_level(
    nodes: Sequence[Node], level: Level, target_level: Level, keys: Iterator[str]
) -> tuple[Node, ...]:
    """Nodes of one level, wrapped in a new column, row or page for insertion at another level.

    Raises:
        EditRejected: the goal is deeper than the level, or the new row would be too wide.
    """
    if target_level > level:
        raise EditRejected(_allowed_positions_text(level))
    wrapped = tuple(nodes)
    for outer in (Column, Row, Page):
        if target_level <= outer.level < level:
            _require_width(outer, len(wrapped), MAX_COLUMNS)
            wrapped = (outer(next(keys), {}).with_children(wrapped),)
    return wrapped


@dataclass(frozen=True)
class _SubtreeReplacement:
    removed_keys: frozenset[str]
    insertions: Mapping[str | None, tuple[int, Sequence[Node]]]
    """By parent, the nodes to insert and the index before which they are inserted."""

    def pages_after(self, layout: Layout) -> Layout:
        """The layout after the change; only affected pages are visited."""
        if None in self.insertions:
            return layout.with_children(self.children_after(None, layout.pages))
        numbers = layout.page_numbers(self._affected_keys)
        if not numbers:
            return layout
        start, end = numbers[0], numbers[-1] + 1
        return layout.with_pages(start, end, self.children_after(None, layout.pages[start:end]))

    def children_after(self, parent: str | None, before: Sequence[Node]) -> list[Node]:
        """The children of a node after the change."""
        slots: list[Sequence[Node]] = [self.node_after(node) for node in before]
        if parent in self.insertions:
            index, added = self.insertions[parent]
            slots.insert(max(0, index), added)
        return list(chain.from_iterable(slots))

    def node_after(self, node: Node) -> tuple[Node, ...]:
        """The node after the change; empty if it is removed."""
        if node.key in self.removed_keys:
            return ()
        if isinstance(node, Page) and self._is_unaffected(node):
            return (node,)
        after = self.children_after(node.key, node.children)
        if len(after) == len(node.children) and all(map(is_, after, node.children)):
            return (node,)
        if not after and not isinstance(node, Page):
            return ()
        _require_width(type(node), len(after), max(MAX_COLUMNS, len(node.children)))
        return (node.with_children(after),)

    @cached_property
    def _affected_keys(self) -> frozenset[str]:
        """The keys of removed nodes and of the parents that nodes are added to."""
        return self.removed_keys | {parent for parent in self.insertions if parent is not None}

    def _is_unaffected(self, page: Page) -> bool:
        """Whether nothing changes on a page."""
        return self._affected_keys.isdisjoint(page.keys)


def _allowed_positions_text(level: Level) -> str:
    """The message for nodes that cannot be inserted at a deeper level; items can be everywhere."""
    messages = {
        Level.PAGE: _("Pages can only be placed between pages."),
        Level.ROW: _("Rows can only be placed between rows or between pages."),
        Level.COLUMN: _("Columns can only be placed beside columns, between rows, or between pages."),
    }
    return messages[level]


def _require_width(kind: type[Node], columns: int, max_columns: int) -> None:
    if kind is Row and columns > max_columns:
        raise EditRejected(_("A row has at most {count} columns.").format(count=MAX_COLUMNS))


def _require_unique(layout: Layout, removed: Sequence[Node], added: Sequence[Node]) -> None:
    keys = Counter(node.key for outer in added for node in outer.walk_all())
    new = keys.keys() - {node.key for outer in removed for node in outer.walk_all()}
    if keys.total() > len(keys) or layout.paths(new):
        raise EditRejected(_("This is in the layout already."))
