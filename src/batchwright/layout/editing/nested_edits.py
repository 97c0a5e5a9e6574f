"""Edits of what is nested in an item: an inner attribute, an entry of a list, the values of options or units.

They compute the new attributes when they are applied. Thousands of them can be offered for one item, of which
each would otherwise hold a copy of all its options.
"""

from dataclasses import dataclass
from typing import TypeAlias

from batchwright.base.json_values import Json, JsonObject, is_array, is_object, json_equal
from batchwright.layout.editing.edits import ChangeNode, SetAttributes
from batchwright.layout.nodes import Node, ObjectNode
from batchwright.layout.option_values import FreeValues

NamedSteps: TypeAlias = tuple[tuple[str, int | None], ...]
"""The names of the attributes on a path into an item, each with the index of the entry if it is a list."""


@dataclass(frozen=True)
class SetNestedAttribute(ChangeNode):
    """Set the attribute that the last step names; None unsets it."""

    steps: NamedSteps
    value: Json

    def changed(self, node: Node) -> Node:
        """The node afterwards; raises `EditRejected`."""
        attributes = node.attributes if isinstance(node, ObjectNode) else {}
        top = self.steps[0][0]
        values = _changed(attributes, self.steps, self.value)
        if top not in values:
            return SetAttributes(self.key, {}, (top,)).changed(node)
        return SetAttributes(self.key, {top: values[top]}).changed(node)


@dataclass(frozen=True)
class RemoveEntry(ChangeNode):
    """Remove the first entry of a list that equals this one: its index changes when others are removed."""

    name: str
    entry: Json

    def changed(self, node: Node) -> Node:
        """The node afterwards; raises `EditRejected`."""
        entries = _listed(node.attributes.get(self.name)) if isinstance(node, ObjectNode) else []
        number = next((at for at, entry in enumerate(entries) if json_equal(entry, self.entry)), None)
        if number is None:
            return node
        return SetAttributes(self.key, {self.name: entries[:number] + entries[number + 1 :]}).changed(node)


@dataclass(frozen=True)
class MakeValuesUnique(ChangeNode):
    """Give the options or units at these indices of a list values that no other one has."""

    name: str
    numbers: tuple[int, ...]

    def changed(self, node: Node) -> Node:
        """The node afterwards; raises `EditRejected`."""
        entries = _listed(node.attributes.get(self.name)) if isinstance(node, ObjectNode) else []
        free_values = FreeValues(entries)
        for number in self.numbers:
            option = entries[number]
            if is_object(option):
                entries[number] = {**option, "value": free_values.take_for(option)}
        return SetAttributes(self.key, {self.name: entries}).changed(node)


def _changed(holder: Json, steps: NamedSteps, value: Json) -> JsonObject:
    """A copy of an object with a nested attribute set."""
    attributes = holder if is_object(holder) else {}
    (name, number), *further = steps
    inner = attributes.get(name)
    if number is None:
        new = _changed(inner, tuple(further), value) if further else value
        remaining = {key: other for key, other in attributes.items() if key != name}
        return remaining if new is None else {**attributes, name: new}
    entries = _listed(inner)
    entries[number] = _changed(entries[number], tuple(further), value)
    return {**attributes, name: entries}


def _listed(value: Json) -> list[Json]:
    return list(value) if is_array(value) else []
