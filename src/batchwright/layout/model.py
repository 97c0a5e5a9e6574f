"""The layout: pages of rows of columns of items, as frozen values over attributes kept verbatim.

A layout may contain anything that a JSON array can contain, and must be written back exactly, with `1`, `1.0`
and `true` distinct; models that convert values would have to remember what they converted. Known attributes
are therefore read from the JSON on access, and whether they are valid is decided by the rules
(`layout.rules`). Every change returns a new layout that shares the unchanged parts, so undo keeps earlier
layouts. Ids of the service are not part of the layout: nodes have local keys, and `layout.ids` joins the ids
in when a request is written.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, compress, count
from operator import attrgetter, is_, not_
from typing import Self, TypeVar

from batchwright.layout.item_types.base import Instruction, Item
from batchwright.layout.nodes import InvalidNode, Level, Node, NodePath, ObjectNode

I = TypeVar("I", bound=Item)  # noqa: E741

_KEYS = attrgetter("keys")


@dataclass(frozen=True, eq=False)
class Column(ObjectNode):
    """A column: a vertical list of items."""

    level = Level.COLUMN
    items: tuple[Item | InvalidNode, ...] = ()

    @property
    def children(self) -> tuple[Node, ...]:
        """The nodes directly inside this one."""
        return self.items

    def with_children(self, nodes: Sequence[Node]) -> Self:
        """The same column with other items."""
        return replace(self, items=_children_of_type(Item, nodes))


@dataclass(frozen=True, eq=False)
class Row(ObjectNode):
    """A row: one column, or two side by side."""

    level = Level.ROW
    columns: tuple[Column | InvalidNode, ...] = ()

    @property
    def children(self) -> tuple[Node, ...]:
        """The nodes directly inside this one."""
        return self.columns

    def with_children(self, nodes: Sequence[Node]) -> Self:
        """The same row with other columns."""
        return replace(self, columns=_children_of_type(Column, nodes))


@dataclass(frozen=True, eq=False)
class Page(ObjectNode):
    """A page: a vertical list of rows."""

    level = Level.PAGE
    rows: tuple[Row | InvalidNode, ...] = ()

    @cached_property
    def position(self) -> str:
        """`intro`, `body` or `outro` (wire reference, section 12)."""
        position = self.attributes.get("display_position")
        return position if position in ("intro", "outro") and isinstance(position, str) else "body"

    def nodes_with_paths(self) -> Iterator[tuple[NodePath, Node]]:
        """Every descendant of the page with its path from the page, in reading order."""
        for r, row in enumerate(self.rows):
            yield NodePath(None, r), row
            for c, column in enumerate(row.children):
                yield NodePath(None, r, c), column
                for i, item in enumerate(column.children):
                    yield NodePath(None, r, c, i), item

    @cached_property
    def paths(self) -> Mapping[str, NodePath]:
        """The paths of all descendants from the page, by key: several searches follow each edit."""
        return {node.key: path for path, node in self.nodes_with_paths()}

    def walk(self) -> Iterator[tuple[NodePath, Item]]:
        """Every item of the page with its path from the page, in reading order."""
        for path, node in self.nodes_with_paths():
            if isinstance(node, Item):
                yield path, node

    @property
    def children(self) -> tuple[Node, ...]:
        """The nodes directly inside this one."""
        return self.rows

    def with_children(self, nodes: Sequence[Node]) -> Self:
        """The same page with other rows."""
        return replace(self, rows=_children_of_type(Row, nodes))

    @cached_property
    def item_offsets(self) -> Sequence[int]:
        """The number of items before each row; an unreadable row or column counts as one."""
        return (0, *accumulate(map(_count_items, self.rows)))

    @cached_property
    def items_by_type(self) -> Mapping[type[Item], Sequence[Item]]:
        """The items by their type, each list in reading order."""
        items: dict[type[Item], list[Item]] = {}
        for _path, item in self.walk():
            items.setdefault(type(item), []).append(item)
        return items

    @property
    def item_count(self) -> int:
        """The number of items."""
        return sum(map(len, self.items_by_type.values()))


def _count_items(row: Row | InvalidNode) -> int:
    if isinstance(row, InvalidNode):
        return 1
    return sum(len(column.items) if isinstance(column, Column) else 1 for column in row.columns)


E = TypeVar("E", bound=ObjectNode)


def _children_of_type(item_type: type[E], nodes: Sequence[Node]) -> tuple[E | InvalidNode, ...]:
    children = tuple(node for node in nodes if isinstance(node, (item_type, InvalidNode)))
    if len(children) != len(nodes):
        raise TypeError(f"only {item_type.__name__} entries belong here")
    return children


@dataclass(frozen=True)
class Layout:
    """A layout: pages in order, each with rows."""

    pages: tuple[Page | InvalidNode, ...] = ()
    _last_numbers: dict[str, int] = field(default_factory=dict, compare=False, repr=False)
    """The page on which a key was last found, in this layout or in one that it was derived from.

    Checked before use, because pages move: several searches for the same few keys follow each edit.
    """

    def with_children(self, nodes: Sequence[Node]) -> "Layout":
        """A layout of these pages."""
        return Layout(_children_of_type(Page, nodes), self._last_numbers)

    def walk(self) -> Iterator[tuple[NodePath, Item]]:
        """Every item with its path, in reading order."""
        for p, page in enumerate(self.pages):
            if isinstance(page, Page):
                for path, item in page.walk():
                    yield path._replace(page=p), item

    def items(self, item_type: type[I]) -> Iterator[tuple[NodePath, I]]:
        """Every item of a type, with its path."""
        for path, item in self.walk():
            if isinstance(item, item_type):
                yield path, item

    def count(self, item_type: type[Item]) -> int:
        """The number of items of a type; fast, because unchanged pages are not counted again."""
        return sum(count for counted, count in self._item_counts.items() if issubclass(counted, item_type))

    @cached_property
    def _item_counts(self) -> Mapping[type[Item], int]:
        counts = Counter[type[Item]]()
        for page in self.pages:
            if isinstance(page, Page):
                for item_type, items in page.items_by_type.items():
                    counts[item_type] += len(items)
        return counts

    def walk_all(self) -> Iterator[Node]:
        """Every node of every level, outer before inner: the order in which `read` assigns keys."""
        for page in self.pages:
            yield from page.walk_all()

    def paths(self, keys: Collection[str]) -> dict[str, NodePath]:
        """The paths of the nodes with these keys, in reading order; unknown keys are omitted."""
        wanted = frozenset(keys)
        paths: dict[str, NodePath] = {}
        for p in self.page_numbers(wanted):
            page = self.pages[p]
            if page.key in wanted:
                paths[page.key] = NodePath(p)
            if isinstance(page, Page):
                inner = page.paths
                on_page = wanted & inner.keys()
                for key in sorted(on_page, key=lambda key: inner[key].indices):
                    paths[key] = inner[key]._replace(page=p)
        return paths

    def page_numbers(self, keys: frozenset[str]) -> list[int]:
        """The indices of the pages that have one of these keys or a node with one, in order."""
        last = ((key, self._last_numbers.get(key)) for key in keys)
        known = {key: number for key, number in last if number is not None and self._is_on_page(key, number)}
        numbers, remaining = set(known.values()), keys - known.keys()
        found = compress(count(), map(not_, map(remaining.isdisjoint, map(_KEYS, self.pages))))
        for number in found if remaining else ():  # the search for the next page runs in C
            numbers.add(number)
            self._last_numbers.update(dict.fromkeys(remaining & self.pages[number].keys, number))
        return sorted(numbers)

    def _is_on_page(self, key: str, number: int) -> bool:
        return number < len(self.pages) and key in self.pages[number].keys

    def at(self, path: NodePath) -> Node:
        """The node at a path.

        Raises:
            IndexError: there is no such node.
        """
        first, *rest = path.indices
        node: Node = self.pages[first]
        for number in rest:
            node = node.children[number]
        return node

    def with_node(self, path: NodePath, node: Node) -> "Layout":
        """The layout with the node at a path replaced."""
        number, *inner = path.indices
        page = self.pages[number]
        if inner:
            node = page.with_children(_replaced(page.children, tuple(inner), node))
        return self.with_pages(number, number + 1, (node,))

    def with_pages(self, start: int, end: int, pages: Sequence[Node]) -> "Layout":
        """The layout with the pages from index `start` up to, not including, `end` replaced."""
        after = (*self.pages[:start], *_children_of_type(Page, pages), *self.pages[end:])
        return Layout(after, self._last_numbers)

    def with_items(self, items: Mapping[str, Item]) -> "Layout":
        """The layout with items replaced, by key. Pages without any of them stay the same objects."""
        pages = list(self.pages)
        for number in self.page_numbers(frozenset(items)):
            page = pages[number]
            pages[number] = _with_items(page, items) if isinstance(page, Page) else page
        return self if all(map(is_, pages, self.pages)) else Layout(tuple(pages), self._last_numbers)

    def find(self, key: str) -> Node | None:
        """The node with this key, if it is in the layout."""
        path = self.paths((key,)).get(key)
        return None if path is None else self.at(path)

    def instructions(self) -> Iterator[tuple[NodePath, Instruction]]:
        """Every instruction, with its path."""
        return self.items(Instruction)


N = TypeVar("N", bound=ObjectNode)


def _with_items(node: N, items: Mapping[str, Item]) -> N:
    """A page, row or column with items replaced, by key."""
    children = [
        items.get(child.key, child)
        if isinstance(child, Item)
        else _with_items(child, items)
        if isinstance(child, ObjectNode)
        else child
        for child in node.children
    ]
    return node if all(map(is_, children, node.children)) else node.with_children(children)


def _replaced(nodes: Sequence[Node], path: tuple[int, ...], node: Node) -> list[Node]:
    first, *rest = path
    changed = list(nodes)
    outer = changed[first]
    changed[first] = outer.with_children(_replaced(outer.children, tuple(rest), node)) if rest else node
    return changed
