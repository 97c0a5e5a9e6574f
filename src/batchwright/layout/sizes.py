"""The size of a layout or a node, to be compared with the limits for layouts."""

from collections.abc import Iterable
from typing import NamedTuple

from batchwright.base.json_values import Json, is_array, is_object
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
    items = values = 0
    nodes: list[Node] = [node]
    contents: list[Json] = []
    while nodes:
        node = nodes.pop()
        items += isinstance(node, Item)
        if isinstance(node, InvalidNode):
            contents.append(node.value)
        elif isinstance(node, ObjectNode):
            contents.append(node.attributes)
            nodes += node.children
            values += 1  # the list of children
    inner_values, characters = _size_of_values(contents)
    return Size(items, values + inner_values, characters)


def _size_of_values(contents: list[Json]) -> tuple[int, int]:
    """The numbers of JSON values and of characters in these values."""
    count, characters = 0, 0
    pending: list[Iterable[Json]] = [contents]
    while pending:
        for value in pending.pop():
            count += 1
            if isinstance(value, str):
                characters += len(value)
            elif isinstance(value, int):
                characters += value.bit_length() // 3
            elif is_object(value):
                characters += sum(map(len, value))
                pending.append(value.values())
            elif is_array(value):
                pending.append(value)
    return count, characters
