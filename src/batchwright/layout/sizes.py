"""The size of a layout or a node, to be compared with the limits for layouts."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from batchwright.base.json_values import Json, is_array
from batchwright.layout.item_types.base import Item
from batchwright.layout.nodes import InvalidNode, Node, ObjectNode


class Size(NamedTuple):
    """Numbers of items, JSON values, and characters in texts, keys and integers."""

    items: int
    values: int
    characters: int


NOTHING = Size(0, 0, 0)


def total(sizes: Iterable[Size]) -> Size:
    """The sum of sizes."""
    items = values = characters = 0
    for size in sizes:
        items, values, characters = items + size.items, values + size.values, characters + size.characters
    return Size(items, values, characters)


def size_of(node: Node) -> Size:
    """The size of a node with all its descendants; not recursive, so that deep values are safe."""
    items = values = characters = 0
    nodes: list[Node] = [node]
    pending: list[Json] = []
    while nodes:
        node = nodes.pop()
        items += isinstance(node, Item)
        if isinstance(node, InvalidNode):
            pending.append(node.value)
        elif isinstance(node, ObjectNode):
            pending.append(node.attributes)
            nodes += node.children
            values += 1  # the list of children
    while pending:
        value = pending.pop()
        values += 1
        if isinstance(value, str):
            characters += len(value)
        elif isinstance(value, int):
            characters += value.bit_length() // 3
        elif isinstance(value, Mapping):
            characters += sum(map(len, value))
            pending += value.values()
        elif is_array(value):
            pending += value
    return Size(items, values, characters)
