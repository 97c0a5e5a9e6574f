"""Hit testing for the outline: whether a position on a row means before, after or inside its node."""

from dataclasses import dataclass
from enum import Enum, auto

from batchwright.layout.edits import InsertionPoint
from batchwright.layout.nodes import Level, ObjectNode
from batchwright.ui.editor.outline.model import OutlineNode

_EDGE = 0.3
"""Fraction of the height at the top and bottom of a container's row that means before and after it."""


class Side(Enum):
    """The side of an insertion point, relative to the row under the pointer."""

    BEFORE = auto()
    INSIDE = auto()
    AFTER = auto()


@dataclass(frozen=True)
class OutlineDropPosition:
    """An insertion point, and the side of the row on which it is drawn."""

    insertion_point: InsertionPoint
    side: Side


def drop_position(node: OutlineNode, share: float, level: Level, *, is_open: bool) -> OutlineDropPosition:
    """The drop position for a payload of a level.

    `share` is the vertical position as a fraction of the row height; `is_open` is set if the children are
    shown. On rows of deeper levels, the insertion point is after their ancestor at the level of the payload.
    """
    if _level(node) > level:
        holder = node
        while holder.outer is not None and _level(holder) > level:
            holder = holder.outer
        return OutlineDropPosition(_insertion_point_after(holder, 1), Side.AFTER)
    can_contain = _level(node) < level and isinstance(node.entry, ObjectNode) and _level(node) < Level.ITEM
    edge = _EDGE if can_contain else 0.5
    if share < edge:
        return OutlineDropPosition(_insertion_point_after(node, 0), Side.BEFORE)
    if share <= 1 - edge and can_contain:
        return OutlineDropPosition(InsertionPoint(node.entry.key, len(node.entry.children)), Side.INSIDE)
    if is_open and can_contain:
        return OutlineDropPosition(InsertionPoint(node.entry.key, 0), Side.AFTER)
    return OutlineDropPosition(_insertion_point_after(node, 1), Side.AFTER)


def _insertion_point_after(node: OutlineNode, after: int) -> InsertionPoint:
    outer = node.outer
    return InsertionPoint(None if outer is None else outer.entry.key, node.number + after)


def _level(node: OutlineNode) -> Level:
    """The depth of a node in the tree, which is its level even if the node is invalid."""
    depth = 0
    while node.outer is not None:
        node, depth = node.outer, depth + 1
    return Level(depth)
