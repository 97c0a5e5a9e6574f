"""Edits that add nodes: from the palette, by pasting, by dragging with Ctrl, by duplicating."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from batchwright.base.i18n import N_
from batchwright.layout.clipboard import clone
from batchwright.layout.edits.base import CreatesNodes
from batchwright.layout.model import Layout
from batchwright.layout.nodes import Level, Node, ObjectNode
from batchwright.layout.selection import select
from batchwright.layout.serialization import derived_keys
from batchwright.layout.tree_edits import InsertionPoint, replace_subtrees, wrap_to_level


@dataclass(frozen=True)
class Add(CreatesNodes):
    """Insert nodes of one level; at a higher level they are wrapped in a new column, row or page."""

    label: ClassVar[str] = N_("Add")

    nodes: tuple[Node, ...]
    to: InsertionPoint

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRejected`."""
        goal = self.to.level(layout)
        level = _level_of(self.nodes, goal)
        added = wrap_to_level(self.nodes, level, goal, derived_keys(self.seed))
        return replace_subtrees(layout, added=added, gap=self.to)


class AddPage(Add):
    """Add a page."""

    label = N_("Add page")


class AddRow(Add):
    """Add a row."""

    label = N_("Add row")


class AddItem(Add):
    """Add an item: a drop from the palette."""

    label = N_("Add item")


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
        return replace_subtrees(layout, added=added, gap=self.to)


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
        for parent, to in gaps.items():
            layout = replace_subtrees(layout, added=copies[parent], gap=to)
        return layout


def _level_of(nodes: Sequence[Node], goal: Level) -> Level:
    """The common level of nodes; invalid nodes are assumed to fit the insertion point."""
    return next((node.level for node in nodes if isinstance(node, ObjectNode)), goal)
