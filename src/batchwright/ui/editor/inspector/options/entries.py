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

Options = Sequence[Json]

_MAX_VALUE_CHARACTERS = 40


def value_from_label(label: str) -> str:
    """The value suggested by a label: its letters and digits in lower case, joined by underscores.

    The value has at most 40 characters.
    """
    parts = "".join(letter if letter.isalnum() else " " for letter in label.casefold()).split()
    return "_".join(parts)[:_MAX_VALUE_CHARACTERS].rstrip("_")


def option_at(options: Options, row: int) -> JsonObject:
    """The option at an index, or an empty object if there is none or it is not an object."""
    option = options[row] if 0 <= row < len(options) else None
    return option if is_object(option) else {}


def has_own_value(option: JsonObject) -> bool:
    """Whether an option has a value that is neither null nor empty."""
    return option.get("value", "") not in (None, "")


def with_label(options: Options, row: int, label: str) -> list[Json]:
    """Set the label of an option.

    A value that was derived from the previous label, or is empty, follows it.
    """
    option = option_at(options, row)
    before, value = as_text(option.get("label", "")), option.get("value", "")
    changed: dict[str, Json] = {**option, "label": label}
    if value == "" or _is_derived_from(value, before):
        changed["value"] = _unused_value(
            value_from_label(label), [_value(other) for other in _others(options, row)]
        )
    return _replaced(options, row, changed)


def with_attribute(options: Options, row: int, name: str, value: Json) -> list[Json]:
    """Set an attribute of one option, or remove it if `value` is None."""
    changed = {
        key: inner for key, inner in option_at(options, row).items() if key != name or value is not None
    }
    return _replaced(
        options, row, changed if value is None and name not in changed else {**changed, name: value}
    )


def moved(options: Options, row: int, to: int) -> list[Json]:
    """Move one option to index `to`, counted after it is removed."""
    rest = [*options[:row], *options[row + 1 :]]
    return [*rest[:to], options[row], *rest[to:]]


def removed(options: Options, row: int) -> list[Json]:
    """Remove one option."""
    return [*options[:row], *options[row + 1 :]]


def added(options: Options, attribute: Attribute) -> list[Json]:
    """Append a new option with empty attributes."""
    return [*options, attribute.new_entry()]


def from_preset(options: Options, preset: Preset, attribute: Attribute) -> list[Json]:
    """The options of a preset. Other attributes of the options at the same indexes are kept."""
    return [
        {**attribute.new_entry(), **(option_at(options, row)), "label": label, "value": value}
        for row, (label, value) in enumerate(preset.options)
    ]


def _is_derived_from(value: Json, label: str) -> bool:
    """Whether a value is the one suggested by a label, possibly with a number that makes it unique."""
    base = value_from_label(label)
    return (
        isinstance(value, str)
        and bool(base)
        and re.fullmatch(re.escape(base) + r"(_\d+)?", value) is not None
    )


def _unused_value(base: str, used_values: Sequence[Json]) -> str:
    """A value based on `base` that no other option has."""
    used_keys = {comparison_key(value) for value in used_values}
    names: Iterator[str] = iter([base]) if not base else (f"{base}_{n}" if n > 1 else base for n in count(1))
    return next((name for name in names if comparison_key(name) not in used_keys), base)


def _others(options: Options, row: int) -> list[Json]:
    return removed(options, row)


def _value(option: Json) -> Json:
    return option.get("value") if is_object(option) else None


def _replaced(options: Options, row: int, option: JsonObject) -> list[Json]:
    return [*options[:row], option, *options[row + 1 :]]
