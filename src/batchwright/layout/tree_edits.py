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
from batchwright.layout.selection import EditRejected, select_node

MAX_COLUMNS = 2
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
    def after(cls, layout: Layout, path: NodePath) -> Self:
        """The gap after what stands at a place."""
        holder = path.parent
        return cls(layout.at(holder).key if holder.indices else None, path.indices[-1] + 1)

    def level(self, layout: Layout) -> Level:
        """The level of what may stand in this gap.

        Raises:
            EditRejected: the parent is not in the layout, or holds nothing.
        """
        if self.parent is None:
            return Level.PAGE
        parent = select_node(layout, self.parent)[1]
        if not isinstance(parent, (Page, Row, Column)):
            raise EditRejected(_("Nothing can be put inside this."))
        return Level(parent.level + 1)


def replace_subtrees(
    layout: Layout,
    *,
    removed: Sequence[Node] = (),
    added: Sequence[Node] = (),
    gap: InsertionPoint | None = None,
) -> Layout:
    """The layout without the entries `removed` and with those `added` in the gap.

    A column or row that this empties goes as well: an empty one would be refused (wire reference, section 2.3).
    A page stays, being the screen that a person has open and may fill again. Pages, and entries,
    that nothing happens to are the same objects afterwards.

    Raises:
        EditRejected: a row would hold more columns than are allowed and than it held, or an entry
            to be added is in the layout already.
    """
    _require_unique(layout, removed, added)
    work = _SubtreeReplacement(frozenset(node.key for node in removed), tuple(added), gap)
    return layout.with_children(work.children_after(None, layout.pages))


def wrap_to_level(nodes: Sequence[Node], level: Level, goal: Level, keys: Iterator[str]) -> tuple[Node, ...]:
    """Entries of one level as they can stand at another, in a new column, row or page where needed.

    Raises:
        EditRejected: the goal is deeper than the level, or the new row would be too wide.
    """
    if goal > level:
        raise EditRejected(_allowed_positions_text(level))
    wrapped = tuple(nodes)
    for outer in (Column, Row, Page):
        if goal <= outer.level < level:
            _require_width(outer, len(wrapped), MAX_COLUMNS)
            wrapped = (outer(next(keys), {}).with_children(wrapped),)
    return wrapped


@dataclass(frozen=True)
class _SubtreeReplacement:
    removed_keys: frozenset[str]
    added: tuple[Node, ...]
    gap: InsertionPoint | None

    def children_after(self, parent: str | None, before: Sequence[Node]) -> list[Node]:
        """What stands inside a parent afterwards."""
        slots = [self.node_after(node) for node in before]
        if self.gap is not None and self.gap.parent == parent:
            slots.insert(max(0, self.gap.index), self.added)
        return list(chain.from_iterable(slots))

    def node_after(self, node: Node) -> tuple[Node, ...]:
        """The entry afterwards, or nothing."""
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
        """What goes, and where something is added."""
        return (
            self.removed_keys
            if self.gap is None or self.gap.parent is None
            else self.removed_keys | {self.gap.parent}
        )

    def _is_unaffected(self, page: Page) -> bool:
        """Whether nothing happens in a page."""
        return page.key not in self._affected_keys and self._affected_keys.isdisjoint(page.keys)


def _allowed_positions_text(level: Level) -> str:
    """What to say when something is put too deep; an item fits everywhere."""
    sentences = {
        Level.PAGE: _("A page goes between pages."),
        Level.ROW: _("A row goes between rows, or between pages."),
        Level.COLUMN: _("A column goes beside another, between rows, or between pages."),
    }
    return sentences[level]


def _require_width(kind: type[Node], columns: int, max_columns: int) -> None:
    if kind is Row and columns > max_columns:
        raise EditRejected(_("A row holds at most {count} columns.").format(count=MAX_COLUMNS))


def _require_unique(layout: Layout, removed: Sequence[Node], added: Sequence[Node]) -> None:
    keys = Counter(node.key for outer in added for node in outer.walk_all())
    new = keys.keys() - {node.key for outer in removed for node in outer.walk_all()}
    if keys.total() > len(keys) or layout.paths(new):
        raise EditRejected(_("This is in the layout already."))
