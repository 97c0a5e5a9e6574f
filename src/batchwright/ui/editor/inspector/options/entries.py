"""Options and units as plain lists: what typing, moving, pasting and presets make of them.

Every function gives a new list. Entries that are no objects, and keys that nobody knows, are kept.
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
    """The value that a label suggests: its letters and digits, small, joined by underscores."""
    parts = "".join(letter if letter.isalnum() else " " for letter in label.casefold()).split()
    return "_".join(parts)[:_LONGEST_VALUE].rstrip("_")


def option_at(entries: Entries, row: int) -> JsonObject:
    """One entry; an empty one where none stands, or something that is none."""
    entry = entries[row] if 0 <= row < len(entries) else None
    return entry if is_object(entry) else {}


def has_own_value(entry: JsonObject) -> bool:
    """Whether an entry says anything for a value."""
    return entry.get("value", "") not in (None, "")


def with_label(entries: Entries, row: int, label: str) -> list[Json]:
    """Another label; a value that nobody has touched follows it."""
    entry = option_at(entries, row)
    before, value = as_text(entry.get("label", "")), entry.get("value", "")
    changed: dict[str, Json] = {**entry, "label": label}
    if value == "" or _follows(value, before):
        changed["value"] = _free(value_from_label(label), [_value(one) for one in _others(entries, row)])
    return _put(entries, row, changed)


def with_attribute(entries: Entries, row: int, name: str, value: Json) -> list[Json]:
    """Another attribute of one entry; None takes it away."""
    changed = {
        key: inner for key, inner in option_at(entries, row).items() if key != name or value is not None
    }
    return _put(entries, row, changed if value is None and name not in changed else {**changed, name: value})


def moved(entries: Entries, row: int, to: int) -> list[Json]:
    """One entry at another place, counted with the entry lifted out."""
    rest = [*entries[:row], *entries[row + 1 :]]
    return [*rest[:to], entries[row], *rest[to:]]


def removed(entries: Entries, row: int) -> list[Json]:
    """One entry less."""
    return [*entries[:row], *entries[row + 1 :]]


def added(entries: Entries, attribute: Attribute) -> list[Json]:
    """One more entry, still to be filled in."""
    return [*entries, attribute.new_entry()]


def from_preset(entries: Entries, preset: Preset, attribute: Attribute) -> list[Json]:
    """The options of a preset; what else stood in the entries at these places stays."""
    return [
        {**attribute.new_entry(), **(option_at(entries, row)), "label": label, "value": value}
        for row, (label, value) in enumerate(preset.options)
    ]


def _follows(value: Json, label: str) -> bool:
    """Whether a value is what its label suggested, with or without a number to tell it from others."""
    base = value_from_label(label)
    return (
        isinstance(value, str)
        and bool(base)
        and re.fullmatch(re.escape(base) + r"(_\d+)?", value) is not None
    )


def _free(base: str, used_values: Sequence[Json]) -> str:
    """A value that no other entry has."""
    used_keys = {comparison_key(value) for value in used_values}
    names: Iterator[str] = iter([base]) if not base else (f"{base}_{n}" if n > 1 else base for n in count(1))
    return next((name for name in names if comparison_key(name) not in used_keys), base)


def _others(entries: Entries, row: int) -> list[Json]:
    return removed(entries, row)


def _value(entry: Json) -> Json:
    return entry.get("value") if is_object(entry) else None


def _put(entries: Entries, row: int, entry: JsonObject) -> list[Json]:
    return [*entries[:row], entry, *entries[row + 1 :]]
