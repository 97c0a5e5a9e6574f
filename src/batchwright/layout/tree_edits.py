"""Taking entries out of a layout and putting others in: what every edit of the tree is made of."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import is_
from typing import Self

from batchwright.base.i18n import _
from batchwright.layout.model import Column, Layout, Page, Row
from batchwright.layout.nodes import Level, Node, NodePath
from batchwright.layout.selection import EditRefused, select_one

MOST_COLUMNS = 2
"""How many columns stand side by side in a row (specification, batch_items layout)."""


@dataclass(frozen=True)
class InsertionPoint:
    """A place between entries: inside the entry `parent` (None: among the pages), before its `index`-th.

    `index` counts what stands there before the edit, as it is seen when something is dragged
    there; a number past the end means the end.
    """

    parent: str | None
    index: int

    @classmethod
    def after(cls, layout: Layout, place: NodePath) -> Self:
        """The gap after what stands at a place."""
        holder = place.parent
        return cls(layout.at(holder).key if holder.path else None, place.path[-1] + 1)

    def level(self, layout: Layout) -> Level:
        """The level of what may stand in this gap.

        Raises:
            EditRefused: the parent is not in the layout, or holds nothing.
        """
        if self.parent is None:
            return Level.PAGE
        parent = select_one(layout, self.parent)[1]
        if not isinstance(parent, (Page, Row, Column)):
            raise EditRefused(_("Nothing can be put inside this."))
        return Level(parent.level + 1)


def replace_subtrees(
    layout: Layout,
    *,
    gone: Sequence[Node] = (),
    added: Sequence[Node] = (),
    gap: InsertionPoint | None = None,
) -> Layout:
    """The layout without the entries `gone` and with those `added` in the gap.

    A column or row that this empties goes as well: an empty one would be refused (wire.md 2.3).
    A page stays, being the screen that a person has open and may fill again. Pages, and entries,
    that nothing happens to are the same objects afterwards.

    Raises:
        EditRefused: a row would hold more columns than are allowed and than it held, or an entry
            to be added is in the layout already.
    """
    _refuse_doubles(layout, gone, added)
    work = _Graft(frozenset(entry.key for entry in gone), tuple(added), gap)
    return layout.with_children(work.left_in(None, layout.pages))


def wrap_to_level(
    entries: Sequence[Node], level: Level, goal: Level, keys: Iterator[str]
) -> tuple[Node, ...]:
    """Entries of one level as they can stand at another, in a new column, row or page where needed.

    Raises:
        EditRefused: the goal is deeper than the level, or the new row would be too wide.
    """
    if goal > level:
        raise EditRefused(_goes_where(level))
    made = tuple(entries)
    for outer in (Column, Row, Page):
        if goal <= outer.level < level:
            _refuse_width(outer, len(made), MOST_COLUMNS)
            made = (outer(next(keys), {}).with_children(made),)
    return made


@dataclass(frozen=True)
class _Graft:
    gone: frozenset[str]
    added: tuple[Node, ...]
    gap: InsertionPoint | None

    def left_in(self, parent: str | None, before: Sequence[Node]) -> list[Node]:
        """What stands inside a parent afterwards."""
        slots = [self.left_of(entry) for entry in before]
        if self.gap is not None and self.gap.parent == parent:
            slots.insert(max(0, self.gap.index), self.added)
        return list(chain.from_iterable(slots))

    def left_of(self, entry: Node) -> tuple[Node, ...]:
        """The entry afterwards, or nothing."""
        if entry.key in self.gone:
            return ()
        if isinstance(entry, Page) and self._leaves(entry):
            return (entry,)
        after = self.left_in(entry.key, entry.children)
        if len(after) == len(entry.children) and all(map(is_, after, entry.children)):
            return (entry,)
        if not after and not isinstance(entry, Page):
            return ()
        _refuse_width(type(entry), len(after), max(MOST_COLUMNS, len(entry.children)))
        return (entry.with_children(after),)

    @cached_property
    def _touched(self) -> frozenset[str]:
        """What goes, and where something is added."""
        return self.gone if self.gap is None or self.gap.parent is None else self.gone | {self.gap.parent}

    def _leaves(self, page: Page) -> bool:
        """Whether nothing happens in a page."""
        return page.key not in self._touched and self._touched.isdisjoint(page.keys)


def _goes_where(level: Level) -> str:
    """What to say when something is put too deep; an item fits everywhere."""
    sentences = {
        Level.PAGE: _("A page goes between pages."),
        Level.ROW: _("A row goes between rows, or between pages."),
        Level.COLUMN: _("A column goes beside another, between rows, or between pages."),
    }
    return sentences[level]


def _refuse_width(kind: type[Node], columns: int, most: int) -> None:
    if kind is Row and columns > most:
        raise EditRefused(_("A row holds at most {count} columns.").format(count=MOST_COLUMNS))


def _refuse_doubles(layout: Layout, gone: Sequence[Node], added: Sequence[Node]) -> None:
    keys = Counter(entry.key for outer in added for entry in outer.walk_all())
    new = keys.keys() - {entry.key for outer in gone for entry in outer.walk_all()}
    if keys.total() > len(keys) or layout.paths(new):
        raise EditRefused(_("This is in the layout already."))
