"""Changing an item into another type: the attributes it gets, and those that would be lost.

Which types an item can change into is declared by its type (`Item.type_changes`). Attributes that both types
have are kept, and so are keys that neither type knows.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject, is_array, is_object, json_equal, to_json
from batchwright.base.local_formats import joined
from batchwright.layout.attributes import Attribute, AttributeType
from batchwright.layout.item_types.base import TypeChange
from batchwright.layout.item_types.registry import ITEM_TYPES, Item
from batchwright.layout.nodes import Node
from batchwright.layout.option_values import as_text, label_of


class LostValue(NamedTuple):
    """A value without an attribute in the new type: its title, such as `option 2, heading`, and its text."""

    title: str
    text: str


class TypeConversion(NamedTuple):
    """The attributes of an item after a change of its type, without its id, and what is lost."""

    attributes: JsonObject
    lost: tuple[LostValue, ...]


def type_change(node: Node, to: str) -> TypeChange | None:
    """The change of a node into another type; None if it is not possible."""
    changes = node.type_changes if isinstance(node, Item) else ()
    return next((change for change in changes if change.to == to and to in ITEM_TYPES), None)


def convert(item: Item, change: TypeChange) -> TypeConversion:
    """Change an item into another type."""
    target = ITEM_TYPES[change.to]
    lost: list[LostValue] = []
    remaining = _converted(item.attributes, item.known_attributes, target.known_attributes, "", lost)
    derived = change.derive(item)
    new = {**target.new_attributes(), **derived}
    attributes = {name: value for name, value in remaining.items() if name != "id"} | {"type": change.to}
    attributes |= {name: value for name, value in new.items() if attributes.get(name) is None}
    for attribute in item.known_attributes:
        if attribute.name not in remaining and attribute.name not in change.sources:
            text = _lost_text(attribute, item.attributes.get(attribute.name), derived)
            if text:
                lost.append(LostValue(_(attribute.title), text))
    return TypeConversion(attributes, tuple(lost))


def _converted(
    values: JsonObject,
    source: Sequence[Attribute],
    target: Sequence[Attribute],
    path: str,
    lost: list[LostValue],
) -> dict[str, Json]:
    """The values that an object of another type has too; values lost inside of shared ones are appended."""
    source_names = {attribute.name for attribute in source}
    shared = {attribute.name: attribute for attribute in target}
    before = {attribute.name: attribute for attribute in source}
    remaining: dict[str, Json] = {}
    for name, value in values.items():
        if name not in source_names:
            remaining[name] = value
        elif name in shared and shared[name].kind is before[name].kind:
            remaining[name] = _converted_inside(value, before[name], shared[name], path, lost)
    return remaining


def _converted_inside(
    value: Json, source: Attribute, target: Attribute, path: str, lost: list[LostValue]
) -> Json:
    """A shared value with the nested attributes of the other type: of an object, or of a list of objects."""
    if source.nested == target.nested:
        return value
    if source.kind is AttributeType.OBJECTS and is_array(value):
        return [
            _converted_entry(entry, source, target, f"{path}{_(source.entry_title)} {number}, ", lost)
            for number, entry in enumerate(value, 1)
        ]
    if source.kind is AttributeType.OBJECT:
        return _converted_entry(value, source, target, f"{path}{_(source.title)}, ", lost)
    return value


def _converted_entry(
    entry: Json, source: Attribute, target: Attribute, path: str, lost: list[LostValue]
) -> Json:
    if not is_object(entry):
        return entry
    remaining = _converted(entry, source.nested, target.nested, path, lost)
    lost.extend(_lost_inside(entry, remaining, source, path))
    return {
        **remaining,
        **{name: value for name, value in target.new_entry().items() if name not in remaining},
    }


def _lost_inside(
    entry: JsonObject, remaining: JsonObject, source: Attribute, path: str
) -> Iterator[LostValue]:
    for attribute in source.nested:
        value = entry.get(attribute.name)
        if attribute.name not in remaining and not _is_unset(value, attribute):
            yield LostValue(f"{path}{_(attribute.title)}", _text(value))


def _is_unset(value: Json, attribute: Attribute) -> bool:
    """Whether a value says nothing: it is absent, empty, or the default or initial one."""
    if value is None or value == "" or ((is_array(value) or is_object(value)) and not value):
        return True
    return json_equal(value, attribute.default) or json_equal(value, attribute.start)


def _lost_text(attribute: Attribute, value: Json, derived: JsonObject) -> str:
    """A lost value, empty if it says nothing; of a list of objects the labels, each with what else is set."""
    if attribute.kind is not AttributeType.OBJECTS or not is_array(value):
        return "" if _is_unset(value, attribute) else _text(value)
    return joined(filter(None, (_entry_text(attribute, entry, derived) for entry in value)))


def _entry_text(attribute: Attribute, entry: Json, derived: JsonObject) -> str:
    if not isinstance(entry, Mapping):
        return _text(entry)
    name = label_of(entry) if entry.get("label") or entry.get("value") not in (None, "") else ""
    details = [
        _(nested.title)
        for nested in attribute.nested
        if nested.name not in {"label", "value", *derived} and not _is_unset(entry.get(nested.name), nested)
    ]
    return f"{name or _('(no label)')} ({', '.join(details)})" if details else name


def _text(value: Json) -> str:
    return to_json(value) if isinstance(value, Mapping) or is_array(value) else as_text(value)
