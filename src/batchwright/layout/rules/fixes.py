"""Fixes that rules offer: edits with the words of a button."""

from collections.abc import Mapping

from batchwright.layout.edits import Remove, SetAttributes
from batchwright.layout.entries import Entry
from batchwright.layout.model import Item
from batchwright.layout.rules.problems import Fix
from batchwright.records.json_values import Json, is_array, is_object
from batchwright.words import _


def put(entry: Entry, label: str, **values: Json) -> Fix:
    """Set attributes of an entry."""
    return Fix(label, SetAttributes(entry.key, values))


def drop(entry: Entry, label: str, *names: str) -> Fix:
    """Take attributes of an entry away."""
    return Fix(label, SetAttributes(entry.key, {}, names))


def remove(entry: Entry) -> Fix:
    """Remove an entry."""
    return Fix(_("Remove it"), Remove((entry.key,)))


def put_in_entry(item: Item, name: str, number: int, label: str, **values: Json) -> Fix:
    """Set attributes of one entry of a list, as of an option; None takes one away."""
    given = item.attributes.get(name)
    entries = list(given) if is_array(given) else []
    entry = entries[number]
    changed = {**(entry if is_object(entry) else {}), **values}
    entries[number] = {key: value for key, value in changed.items() if value is not None or key not in values}
    return put(item, label, **{name: entries})


def put_rule(item: Item, unit: int | None, rule: Mapping[str, Json], label: str) -> Fix:
    """Set the validation of an item, or of one of its units."""
    if unit is None:
        return put(item, label, validation=rule)
    return put_in_entry(item, "unit_options", unit, label, validation=rule)
