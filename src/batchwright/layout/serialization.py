"""Lossless conversion of `batch_items` JSON to a layout and back (wire reference, section 6)."""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from secrets import token_hex
from typing import NamedTuple

from batchwright.base.json_values import Json, JsonObject, is_array, is_object
from batchwright.layout.item_types.registry import ITEM_TYPES, Item
from batchwright.layout.model import Column, Layout, Page, Row
from batchwright.layout.nodes import InvalidNode, Level, Node, ObjectNode

INSIDE: Mapping[Level, str] = {Level.PAGE: "rows", Level.ROW: "columns", Level.COLUMN: "items"}
"""The attribute that contains the children, by level."""


def random_keys() -> Iterator[str]:
    """Globally unique keys."""
    while True:
        yield token_hex(16)


def sequential_keys() -> Iterator[str]:
    """Keys `0`, `1`, ... for a layout that is not edited."""
    return map(str, itertools.count())


def derived_keys(seed: str) -> Iterator[str]:
    """Keys derived from a seed: always the same, so that repeating an edit gives the same layout."""
    return (f"{seed}.{number}" for number in itertools.count())


def read(pages: Iterable[Json], keys: Iterator[str]) -> Layout:
    """The layout of a `batch_items` array; nodes get the keys in order, outer before inner."""
    return Layout(tuple(_page(page, keys) for page in pages))


def write(layout: Layout) -> list[Json]:
    """The `batch_items` array of a layout, with the ids it was read with."""
    return [node_to_json(page) for page in layout.pages]


def node_to_json(node: Node) -> Json:
    """A node with all its descendants as JSON."""
    match node:
        case InvalidNode():
            return node.value
        case Item():
            return dict(node.attributes)
        case ObjectNode():
            return {
                **node.attributes,
                INSIDE[node.level]: [node_to_json(inner) for inner in node.children],
            }
    raise TypeError(f"{type(node).__name__} is no entry of a layout")


def read_node(value: Json, level: Level, keys: Iterator[str]) -> Node:
    """A single page, row, column or item with all its descendants."""
    match level:
        case Level.PAGE:
            return _page(value, keys)
        case Level.ROW:
            return _row(value, keys)
        case Level.COLUMN:
            return _column(value, keys)
        case Level.ITEM:
            return read_item(value, keys)


def read_item(value: Json, keys: Iterator[str]) -> Item | InvalidNode:
    """An item of any type."""
    key = next(keys)
    if not is_object(value):
        return InvalidNode(key, value)
    kind = value.get("type")
    return ITEM_TYPES.get(kind if isinstance(kind, str) else "", Item)(key, value)


def _page(value: Json, keys: Iterator[str]) -> Page | InvalidNode:
    key = next(keys)
    content = _inside(value, INSIDE[Level.PAGE])
    if content is None:
        return InvalidNode(key, value)
    return Page(key, content.attributes, tuple(_row(row, keys) for row in content.entries))


def _row(value: Json, keys: Iterator[str]) -> Row | InvalidNode:
    key = next(keys)
    content = _inside(value, INSIDE[Level.ROW])
    if content is None:
        return InvalidNode(key, value)
    return Row(key, content.attributes, tuple(_column(column, keys) for column in content.entries))


def _column(value: Json, keys: Iterator[str]) -> Column | InvalidNode:
    key = next(keys)
    content = _inside(value, INSIDE[Level.COLUMN])
    if content is None:
        return InvalidNode(key, value)
    return Column(key, content.attributes, tuple(read_item(item, keys) for item in content.entries))


class _Inside(NamedTuple):
    attributes: JsonObject
    entries: Sequence[Json]


def _inside(parent: Json, name: str) -> _Inside | None:
    if not is_object(parent):
        return None
    entries = parent.get(name)
    if not is_array(entries):
        return None
    return _Inside({key: value for key, value in parent.items() if key != name}, entries)
