"""The size of a layout or a node, to be compared with the limits for layouts."""

from collections.abc import Iterable, Sequence
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
    """The size of a node with all its descendants; not recursive, so that deep layouts are safe."""
    nodes: list[Node] = [node]
    for inner in nodes:  # which grows
        nodes.extend(inner.children)
    return size_of_nodes(nodes)


def size_of_nodes(nodes: Sequence[Node]) -> Size:
    """The size of nodes without their children."""
    objects = [node.attributes for node in nodes if isinstance(node, ObjectNode)]
    invalid = [node.value for node in nodes if isinstance(node, InvalidNode)]
    values, characters = _size_of_values([*objects, *invalid])
    items = sum(isinstance(node, Item) for node in nodes)
    return Size(items, values + len(objects), characters)  # each object has a list of children


def _size_of_values(values: list[Json]) -> tuple[int, int]:
    """The numbers of JSON values and of characters in these values, whose inner values are appended."""
    texts: list[str] = []
    digits = 0
    for value in values:  # which grows
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, int):
            digits += value.bit_length() // 3
        elif is_array(value):
            values += value
        elif value is not None and is_object(value):
            texts += value
            values += value.values()
    return len(values), sum(map(len, texts)) + digits
