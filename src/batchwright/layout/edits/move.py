"""Moving pages, rows, columns and items, by drag or by key."""

from dataclasses import dataclass
from typing import ClassVar

from batchwright.base.i18n import N_, _
from batchwright.layout.edits.base import CreatesNodes
from batchwright.layout.model import Layout
from batchwright.layout.nodes import Level
from batchwright.layout.selection import EditRefused, Selection, select
from batchwright.layout.serialization import derived_keys
from batchwright.layout.tree_edits import InsertionPoint, replace_subtrees, wrap_to_level


@dataclass(frozen=True)
class Move(CreatesNodes):
    """Move entries of one level, in reading order, into a gap.

    A gap of a higher level gets them in a new column, row or page: items dropped between rows
    make a new row, items dropped beside a column make a second one. When everything inside a
    column, row or page goes, that one moves instead, and so keeps its key, id and attributes.
    """

    label: ClassVar[str]
    level: ClassVar[Level]

    keys: tuple[str, ...]
    to: InsertionPoint

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRefused`."""
        chosen = select(layout, self.keys)
        if chosen.level is not self.level:
            raise EditRefused(_("The selection does not match this move."))
        goal = self.to.level(layout)
        chosen = _carriers(layout, chosen, goal)
        added = wrap_to_level(chosen.entries, chosen.level, goal, derived_keys(self.seed))
        return replace_subtrees(layout, gone=chosen.entries, added=added, gap=self.to)


class MovePages(Move):
    """Move pages between other pages."""

    label = N_("Move page")
    level = Level.PAGE


class MoveRows(Move):
    """Move rows to a page, or between pages as a new one."""

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


def _carriers(layout: Layout, chosen: Selection, goal: Level) -> Selection:
    """What moves when `chosen` is wanted at the goal: what holds just these entries, as far up as it goes."""
    while chosen.level > goal:
        holders = {place.parent for place in chosen.places}
        if len(holders) > 1:
            break
        holder = layout.at(holders.pop())
        if len(holder.children) > len(chosen.entries):
            break
        chosen = select(layout, (holder.key,))
    return chosen
