"""The nodes of a layout: a local key, attributes as they were read, and children."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from typing import ClassVar, NamedTuple, Self

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject, json_equal
from batchwright.base.local_formats import joined


class Level(IntEnum):
    """The level of a node in the layout."""

    PAGE = 0
    ROW = 1
    COLUMN = 2
    ITEM = 3


class NodePath(NamedTuple):
    """The path of a node: indices counted from zero; a level that does not apply is None."""

    page: int | None = None
    row: int | None = None
    column: int | None = None
    item: int | None = None

    @property
    def indices(self) -> tuple[int, ...]:
        """The indices from the page down to the node; sorts in reading order."""
        return tuple(number for number in self if number is not None)

    @property
    def label(self) -> str:
        """`page 2, row 1, ...`, counted from 1; empty for the layout itself."""
        numbered = zip((_("page"), _("row"), _("column"), _("item")), self, strict=True)
        return joined(f"{level} {number + 1}" for level, number in numbered if number is not None)

    @property
    def parent(self) -> "NodePath":
        """The path of the parent; `NodePath()` for a page."""
        return NodePath(*self.indices[:-1])

    @property
    def level(self) -> Level:
        """The level of the node. `NodePath()`, the layout itself, has no level.

        Raises:
            ValueError: for the layout itself.
        """
        return Level(max(level for level, number in enumerate(self) if number is not None))


@dataclass(frozen=True, eq=False)
class Node:
    """Anything in a layout; `key` is a local identifier that never changes and is never sent."""

    key: str

    @property
    def children(self) -> "tuple[Node, ...]":
        """The nodes directly inside this node."""
        return ()

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of this node and all its descendants, for finding the page of a node."""
        keys: set[str] = set()
        nodes: list[Node] = [self]
        while nodes:
            node = nodes.pop()
            keys.add(node.key)
            nodes += node.children
        return frozenset(keys)

    def walk_all(self) -> "Iterator[Node]":
        """This node and its descendants, outer before inner: the order in which `read` assigns keys."""
        yield self
        for child in self.children:
            yield from child.walk_all()

    def with_children(self, children: "Sequence[Node]") -> Self:
        """The same node with other children.

        Raises:
            TypeError: the node cannot have these children.
        """
        if children:
            raise TypeError(f"{type(self).__name__} holds no entries")
        return self

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return type(self) is type(other) and isinstance(other, Node) and self._equals(other)

    def _equals(self, other: "Node") -> bool:
        return self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@dataclass(frozen=True, eq=False)
class InvalidNode(Node):
    """A value in place of a page, row, column or item that is not valid as one."""

    position: ClassVar[str] = "body"
    """That of a page that is not valid."""

    value: Json

    def _equals(self, other: Node) -> bool:
        return (
            isinstance(other, InvalidNode) and self.key == other.key and json_equal(self.value, other.value)
        )


@dataclass(frozen=True, eq=False)
class ObjectNode(Node):
    """A node that is a JSON object; `attributes` has all its members except the children."""

    level: ClassVar[Level]

    attributes: JsonObject

    @property
    def id(self) -> Json:
        """The `id` from a file or the service; None when there is none."""
        return self.attributes.get("id")

    def with_attributes(self, **changed: Json) -> Self:
        """The same node with some attributes set."""
        return replace(self, attributes={**self.attributes, **changed})

    def without_attributes(self, *names: str) -> Self:
        """The same node without some attributes."""
        remaining = {name: value for name, value in self.attributes.items() if name not in names}
        return replace(self, attributes=remaining)

    def _equals(self, other: Node) -> bool:
        return (
            isinstance(other, ObjectNode)
            and self.key == other.key
            and json_equal(self.attributes, other.attributes)
            and self.children == other.children
        )
