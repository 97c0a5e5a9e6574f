"""Changing what an entry says of itself."""

from dataclasses import dataclass, replace
from typing import ClassVar

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import JsonObject
from batchwright.layout.item_types.base import Item
from batchwright.layout.model import Layout
from batchwright.layout.nodes import Node, ObjectNode
from batchwright.layout.selection import EditRefused, select_one
from batchwright.layout.serialization import INSIDE, read_item


@dataclass(frozen=True)
class SetAttributes:
    """Set some attributes of an entry and take others away; a new `type` makes it an item of that type."""

    label: ClassVar[str] = N_("Change")

    key: str
    values: JsonObject
    unset: tuple[str, ...] = ()

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRefused`."""
        place, entry = select_one(layout, self.key)
        return layout.with_node(place, self._changed(entry))

    def _changed(self, entry: Node) -> Node:
        if not isinstance(entry, ObjectNode):
            raise EditRefused(_("This entry cannot be edited, only moved or removed."))
        if INSIDE.get(entry.level) in {*self.values, *self.unset}:
            raise EditRefused(_("What is inside is changed by adding, moving and removing it."))
        kept = {name: value for name, value in entry.attributes.items() if name not in self.unset}
        attributes = {**kept, **self.values}
        if isinstance(entry, Item):
            return read_item(attributes, iter((entry.key,)))
        return replace(entry, attributes=attributes)
