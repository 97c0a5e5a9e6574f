"""Moving pages, rows, columns and items, by drag or by key."""

from dataclasses import dataclass
from typing import ClassVar

from batchwright.base.i18n import N_, _
from batchwright.layout.edits.base import CreatesNodes
from batchwright.layout.model import Layout
from batchwright.layout.nodes import Level
from batchwright.layout.selection import EditRejected, Selection, select
from batchwright.layout.serialization import derived_keys
from batchwright.layout.tree_edits import InsertionPoint, replace_subtrees, wrap_to_level


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
        goal = self.to.level(layout)
        selection = _outermost_parents(layout, selection, goal)
        added = wrap_to_level(selection.nodes, selection.level, goal, derived_keys(self.seed))
        return replace_subtrees(layout, removed=selection.nodes, added=added, gap=self.to)


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


def _outermost_parents(layout: Layout, selection: Selection, goal: Level) -> Selection:
    """The nodes to move in place of `selection`: parents that hold nothing else, as far up as the goal."""
    while selection.level > goal:
        holders = {path.parent for path in selection.paths}
        if len(holders) > 1:
            break
        holder = layout.at(holders.pop())
        if len(holder.children) > len(selection.nodes):
            break
        selection = select(layout, (holder.key,))
    return selection
