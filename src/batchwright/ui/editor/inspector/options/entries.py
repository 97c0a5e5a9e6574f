"""Pure functions on lists of options or units: typing, moving, pasting, applying presets.

Every function returns a new list. Elements that are not objects, and unknown keys, are preserved.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import count

from batchwright.base.json_values import Json, JsonObject, is_object
from batchwright.layout.attributes import Attribute
from batchwright.layout.option_values import as_text, comparison_key
from batchwright.ui.editor.inspector.presets import Preset

Entries = Sequence[Json]

_LONGEST_VALUE = 40


def value_from_label(label: str) -> str:
    """The value suggested by a label: its letters and digits in lower case, joined by underscores.

    The value has at most 40 characters.
    """
    parts = "".join(letter if letter.isalnum() else " " for letter in label.casefold()).split()
    return "_".join(parts)[:_LONGEST_VALUE].rstrip("_")


def option_at(entries: Entries, row: int) -> JsonObject:
    """The option at an index, or an empty object if there is none or it is not an object."""
    entry = entries[row] if 0 <= row < len(entries) else None
    return entry if is_object(entry) else {}


def has_own_value(entry: JsonObject) -> bool:
    """Whether an option has a value that is neither null nor empty."""
    return entry.get("value", "") not in (None, "")


def with_label(entries: Entries, row: int, label: str) -> list[Json]:
    """Set the label of an option.

    A value that was derived from the previous label, or is empty, follows it.
    """
    entry = option_at(entries, row)
    before, value = as_text(entry.get("label", "")), entry.get("value", "")
    changed: dict[str, Json] = {**entry, "label": label}
    if value == "" or _follows(value, before):
        changed["value"] = _free(value_from_label(label), [_value(one) for one in _others(entries, row)])
    return _put(entries, row, changed)


def with_attribute(entries: Entries, row: int, name: str, value: Json) -> list[Json]:
    """Set an attribute of one option, or remove it if `value` is None."""
    changed = {
        key: inner for key, inner in option_at(entries, row).items() if key != name or value is not None
    }
    return _put(entries, row, changed if value is None and name not in changed else {**changed, name: value})


def moved(entries: Entries, row: int, to: int) -> list[Json]:
    """Move one option to index `to`, counted after it is removed."""
    rest = [*entries[:row], *entries[row + 1 :]]
    return [*rest[:to], entries[row], *rest[to:]]


def removed(entries: Entries, row: int) -> list[Json]:
    """Remove one option."""
    return [*entries[:row], *entries[row + 1 :]]


def added(entries: Entries, attribute: Attribute) -> list[Json]:
    """Append a new option with empty attributes."""
    return [*entries, attribute.new_entry()]


def from_preset(entries: Entries, preset: Preset, attribute: Attribute) -> list[Json]:
    """The options of a preset. Other attributes of the options at the same indexes are kept."""
    return [
        {**attribute.new_entry(), **(option_at(entries, row)), "label": label, "value": value}
        for row, (label, value) in enumerate(preset.options)
    ]


def _follows(value: Json, label: str) -> bool:
    """Whether a value is the one suggested by a label, possibly with a number that makes it unique."""
    base = value_from_label(label)
    return (
        isinstance(value, str)
        and bool(base)
        and re.fullmatch(re.escape(base) + r"(_\d+)?", value) is not None
    )


def _free(base: str, used_values: Sequence[Json]) -> str:
    """A value based on `base` that no other option has."""
    used_keys = {comparison_key(value) for value in used_values}
    names: Iterator[str] = iter([base]) if not base else (f"{base}_{n}" if n > 1 else base for n in count(1))
    return next((name for name in names if comparison_key(name) not in used_keys), base)


def _others(entries: Entries, row: int) -> list[Json]:
    return removed(entries, row)


def _value(entry: Json) -> Json:
    return entry.get("value") if is_object(entry) else None


def _put(entries: Entries, row: int, entry: JsonObject) -> list[Json]:
    return [*entries[:row], entry, *entries[row + 1 :]]
