"""Changing the attributes of a node."""

from dataclasses import dataclass, replace
from typing import ClassVar

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import JsonObject
from batchwright.layout.item_types.base import Item
from batchwright.layout.model import Layout
from batchwright.layout.nodes import Node, ObjectNode
from batchwright.layout.selection import EditRejected, select_node
from batchwright.layout.serialization import INSIDE, read_item


@dataclass(frozen=True)
class SetAttributes:
    """Set and unset attributes of a node; setting `type` converts an item to that type."""

    label: ClassVar[str] = N_("Change")

    key: str
    values: JsonObject
    unset: tuple[str, ...] = ()

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRejected`."""
        path, node = select_node(layout, self.key)
        return layout.with_node(path, self._changed(node))

    def _changed(self, node: Node) -> Node:
        if not isinstance(node, ObjectNode):
            raise EditRejected(_("This entry cannot be edited, only moved or removed."))
        if INSIDE.get(node.level) in {*self.values, *self.unset}:
            raise EditRejected(_("What is inside is changed by adding, moving and removing it."))
        remaining = {name: value for name, value in node.attributes.items() if name not in self.unset}
        attributes = {**remaining, **self.values}
        if isinstance(node, Item):
            return read_item(attributes, iter((node.key,)))
        return replace(node, attributes=attributes)
