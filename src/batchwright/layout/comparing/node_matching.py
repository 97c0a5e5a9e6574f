"""Matches the pages and items of two versions of a layout that have no keys in common.

A file that another program has edited has neither keys nor, in most cases, ids. Items are matched by id,
then by content, also if they were moved; of the remaining ones, those of a page and type are matched in
reading order if both versions have the same number of them. Pages are matched by id, then by the items that
they have in common, and the remaining ones likewise in reading order.
"""

import json
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

from batchwright.base.json_values import to_json
from batchwright.layout.collection_pages import items_of
from batchwright.layout.ids import id_of
from batchwright.layout.item_types.base import Item
from batchwright.layout.model import Layout, Page
from batchwright.layout.nodes import InvalidNode, Node, ObjectNode
from batchwright.layout.serialization import read, write
from batchwright.layout.stored_form import as_stored, comparable


@dataclass(frozen=True)
class _Entry:
    """A page or item: its key, that of its page, and what it is matched by."""

    key: str
    page: str
    id: str | None
    type: str
    content: str


def match_nodes(layout: Layout, other: Layout) -> dict[str, str]:
    """The keys in `other` of the pages and items that both layouts have, by their keys in `layout`.

    Contents are compared as a service stores them, since it stores Markdown as HTML.
    """
    pages, other_pages = _pages(layout), _pages(other)
    items, other_items = _items(layout), _items(other)
    matched = _pair_same_items(items, other_items)
    _pair(pages, other_pages, matched, lambda page: page.id)
    _pair_pages_by_items(items, other_items, matched)
    _pair_rest(pages, other_pages, matched, lambda _page: "", lambda _page: "")
    _pair_rest(
        items,
        other_items,
        matched,
        lambda item: (matched.get(item.page), item.type),
        lambda item: (item.page, item.type),
    )
    return matched


def with_keys_of(layout: Layout, other: Layout) -> Layout:
    """The layout with the keys of the nodes that it has in common with another; itself if it shares any key.

    A row or column is the one that has its first matched item in the other layout.
    """
    own_keys = [node.key for node in layout.walk_all()]
    if not {node.key for node in other.walk_all()}.isdisjoint(own_keys):
        return layout
    matched = match_nodes(layout, other)
    taken, parents, other_parents = set(matched.values()), _parents(layout), _parents(other)
    for key in [key for key in own_keys if key in matched]:
        for parent, other_parent in zip(
            parents.get(key, ()), other_parents.get(matched[key], ()), strict=False
        ):
            if parent not in matched and other_parent not in taken:
                matched[parent] = other_parent
                taken.add(other_parent)
    return read(write(layout), (matched.get(key, key) for key in own_keys))


def _parents(layout: Layout) -> dict[str, tuple[str, ...]]:
    """The keys of row and column of each item, by its key."""
    return {
        item.key: (row.key, column.key)
        for page in layout.pages
        for row in page.children
        for column in row.children
        for item in column.children
    }


def has_same_items(layout: Layout, other: Layout) -> bool:
    """Whether at least one item with the same id or the same content is in both layouts."""
    return bool(_pair_same_items(_items(layout), _items(other)))


def _pair_same_items(items: Sequence[_Entry], other_items: Sequence[_Entry]) -> dict[str, str]:
    """Match the items with the same id, then those with the same content."""
    matched: dict[str, str] = {}
    _pair(items, other_items, matched, lambda item: item.id)
    _pair(items, other_items, matched, lambda item: item.content)
    return matched


def _pages(layout: Layout) -> list[_Entry]:
    return [_Entry(page.key, "", id_of(page), "", "") for page in layout.pages]


def _items(layout: Layout) -> list[_Entry]:
    """The items, with their contents as a service stores them."""
    ids = {node.key: id_of(node) for node in layout.walk_all()}
    return [
        _Entry(
            item.key,
            page.key,
            ids[item.key],
            _type(item),
            _content(item),
        )
        for page in comparable(as_stored(layout), {}).pages
        if isinstance(page, Page)
        for item in items_of(page)
    ]


def _type(node: Node) -> str:
    return (node.kind or "") if isinstance(node, Item) else ""


def _content(node: Node) -> str:
    if isinstance(node, InvalidNode):
        return to_json(node.value)
    return json.dumps(node.attributes, sort_keys=True) if isinstance(node, ObjectNode) else ""


def _remaining(entries: Iterable[_Entry], excluded: Iterable[str]) -> list[_Entry]:
    keys = frozenset(excluded)
    return [entry for entry in entries if entry.key not in keys]


def _pair(
    entries: Sequence[_Entry],
    other: Sequence[_Entry],
    matched: dict[str, str],
    identity: Callable[[_Entry], str | None],
) -> None:
    """Match the entries that have the same identity, the first with the first."""
    waiting: defaultdict[str, deque[str]] = defaultdict(deque)
    for entry in _remaining(other, matched.values()):
        if (shared := identity(entry)) is not None:
            waiting[shared].append(entry.key)
    for entry in _remaining(entries, matched):
        shared = identity(entry)
        if shared is not None and waiting[shared]:
            matched[entry.key] = waiting[shared].popleft()


def _pair_pages_by_items(
    items: Sequence[_Entry], other_items: Sequence[_Entry], matched: dict[str, str]
) -> None:
    """Match pages with the ones they have the most items in common with."""
    other_page_of = {item.key: item.page for item in other_items}
    common = Counter((item.page, other_page_of[matched[item.key]]) for item in items if item.key in matched)
    used = set(matched.values())
    for (page, other_page), _count in common.most_common():
        if page not in matched and other_page not in used:
            matched[page] = other_page
            used.add(other_page)


def _pair_rest(
    entries: Sequence[_Entry],
    other: Sequence[_Entry],
    matched: dict[str, str],
    group: Callable[[_Entry], Hashable],
    other_group: Callable[[_Entry], Hashable],
) -> None:
    """Match the remaining entries of each group in order, if both sides have the same number of them."""
    groups: defaultdict[Hashable, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for entry in _remaining(entries, matched):
        groups[group(entry)][0].append(entry.key)
    for entry in _remaining(other, matched.values()):
        groups[other_group(entry)][1].append(entry.key)
    for keys, other_keys in groups.values():
        if len(keys) == len(other_keys):
            matched.update(zip(keys, other_keys, strict=True))
