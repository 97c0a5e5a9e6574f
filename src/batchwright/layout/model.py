"""The layout: pages of rows of columns of items, each kept just as it came.

A layout may hold anything a JSON array can hold. What Batchwright knows of an entry it reads
from the entry's attributes when asked; whether those are right is the business of the rules.
Writing a layout back is therefore exact, whatever it holds.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Self, TypeVar

from batchwright.layout.item_types.base import Instruction, Item
from batchwright.layout.nodes import InvalidNode, Level, Node, NodePath, ObjectNode

I = TypeVar("I", bound=Item)  # noqa: E741 - the name style.md uses


@dataclass(frozen=True, eq=False)
class Column(ObjectNode):
    """Items one below the other."""

    level = Level.COLUMN
    items: tuple[Item | InvalidNode, ...] = ()

    @property
    def children(self) -> tuple[Node, ...]:
        """The entries directly inside this one."""
        return self.items

    def with_children(self, entries: Sequence[Node]) -> Self:
        """The same column with other items."""
        return replace(self, items=_only(Item, entries))


@dataclass(frozen=True, eq=False)
class Row(ObjectNode):
    """One column, or two side by side."""

    level = Level.ROW
    columns: tuple[Column | InvalidNode, ...] = ()

    @property
    def children(self) -> tuple[Node, ...]:
        """The entries directly inside this one."""
        return self.columns

    def with_children(self, entries: Sequence[Node]) -> Self:
        """The same row with other columns."""
        return replace(self, columns=_only(Column, entries))


@dataclass(frozen=True, eq=False)
class Page(ObjectNode):
    """One screen: rows one below the other."""

    level = Level.PAGE
    rows: tuple[Row | InvalidNode, ...] = ()

    @property
    def position(self) -> str:
        """`intro`, `body` or `outro` (wire.md 12)."""
        position = self.attributes.get("display_position")
        return position if position in ("intro", "outro") and isinstance(position, str) else "body"

    def nodes_with_paths(self) -> Iterator[tuple[NodePath, Node]]:
        """Every entry of every level inside the page, in reading order, with its place in the page."""
        for r, row in enumerate(self.rows):
            yield NodePath(None, r), row
            for c, column in enumerate(row.children):
                yield NodePath(None, r, c), column
                for i, item in enumerate(column.children):
                    yield NodePath(None, r, c, i), item

    def walk(self) -> Iterator[tuple[NodePath, Item]]:
        """Every item of the page, in reading order, with its place in the page."""
        for place, entry in self.nodes_with_paths():
            if isinstance(entry, Item):
                yield place, entry

    @property
    def children(self) -> tuple[Node, ...]:
        """The entries directly inside this one."""
        return self.rows

    def with_children(self, entries: Sequence[Node]) -> Self:
        """The same page with other rows."""
        return replace(self, rows=_only(Row, entries))

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of all that is inside, for finding the page that holds one."""
        return frozenset(
            entry.key
            for row in self.rows
            for entry in (
                row,
                *row.children,
                *chain.from_iterable(column.children for column in row.children),
            )
        )


E = TypeVar("E", bound=ObjectNode)


def _only(kind: type[E], entries: Sequence[Node]) -> tuple[E | InvalidNode, ...]:
    fitting = tuple(entry for entry in entries if isinstance(entry, (kind, InvalidNode)))
    if len(fitting) != len(entries):
        raise TypeError(f"only {kind.__name__} entries belong here")
    return fitting


@dataclass(frozen=True)
class Layout:
    """What a participant is shown: pages in order, each a stack of rows."""

    pages: tuple[Page | InvalidNode, ...] = ()

    def with_children(self, entries: Sequence[Node]) -> "Layout":
        """The layout of other pages."""
        return Layout(_only(Page, entries))

    def walk(self) -> Iterator[tuple[NodePath, Item]]:
        """Every item, in reading order, with its place: the one walk through the tree."""
        for p, page in enumerate(self.pages):
            if isinstance(page, Page):
                for place, item in page.walk():
                    yield place._replace(page=p), item

    def items(self, kind: type[I]) -> Iterator[tuple[NodePath, I]]:
        """Every item of one kind, with its place."""
        for place, item in self.walk():
            if isinstance(item, kind):
                yield place, item

    def walk_all(self) -> Iterator[Node]:
        """Every entry of every level, outer before inner: the order in which `read` hands out keys."""
        for page in self.pages:
            yield from page.walk_all()

    def paths(self, keys: Collection[str]) -> dict[str, NodePath]:
        """Where the entries with these keys stand, in reading order; keys that are not there are left out."""
        wanted = frozenset(keys)
        found: dict[str, NodePath] = {}
        for p, page in enumerate(self.pages):
            if len(found) == len(wanted):
                break
            if page.key in wanted:
                found[page.key] = NodePath(p)
            if isinstance(page, Page) and not wanted.isdisjoint(page.keys):
                for place, entry in page.nodes_with_paths():
                    if entry.key in wanted:
                        found[entry.key] = place._replace(page=p)
        return found

    def at(self, place: NodePath) -> Node:
        """The entry at a place.

        Raises:
            IndexError: nothing stands there.
        """
        first, *rest = place.path
        entry: Node = self.pages[first]
        for number in rest:
            entry = entry.children[number]
        return entry

    def with_node(self, place: NodePath, entry: Node) -> "Layout":
        """The layout with another entry at a place where one stands."""
        return self.with_children(_replaced(self.pages, place.path, entry))

    def find(self, key: str) -> Node | None:
        """The entry with this key, if it is in the layout."""
        place = self.paths((key,)).get(key)
        return None if place is None else self.at(place)

    def instructions(self) -> Iterator[tuple[NodePath, Instruction]]:
        """Every item that asks for an answer, with its place."""
        return self.items(Instruction)


def _replaced(entries: Sequence[Node], path: tuple[int, ...], entry: Node) -> list[Node]:
    first, *rest = path
    changed = list(entries)
    outer = changed[first]
    changed[first] = outer.with_children(_replaced(outer.children, tuple(rest), entry)) if rest else entry
    return changed
