"""Pure functions on lists of options or units: typing, moving, pasting, applying presets.

Every function returns a new list. Elements that are not objects, and unknown keys, are preserved.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import count

from batchwright.base.json_values import Json, JsonObject, is_object
from batchwright.layout.attributes import Attribute
from batchwright.layout.option_values import as_text, comparison_key
from batchwright.ui.editor.inspector.presets import Preset

Options = Sequence[Json]

_MAX_VALUE_CHARACTERS = 40
_NUMBERED = re.compile(r"(?P<base>.+)_(?P<number>\d{1,9})")


class UnusedValues:
    """Finds values that none of some options has. Without removals, all of them together take linear time."""

    def __init__(self, options: Iterable[Json]) -> None:
        self._used = Counter(comparison_key(_value(option)) for option in options)
        self._numbers: dict[str, int] = {}
        """The number from which on values with this base may be unused."""

    def add(self, option: Json) -> None:
        """Add an option, whose value is used from now on."""
        self._used[comparison_key(_value(option))] += 1

    def remove(self, option: Json) -> None:
        """Remove an option, whose value is unused from now on if no other has it."""
        value = _value(option)
        self._used[comparison_key(value)] -= 1
        if isinstance(value, str):
            self._numbers.pop(value, None)
            numbered = _NUMBERED.fullmatch(value)
            if numbered is not None and numbered["base"] in self._numbers:
                before = self._numbers[numbered["base"]]
                self._numbers[numbered["base"]] = min(before, int(numbered["number"]))

    def based_on(self, base: str) -> str:
        """The base, if need be with a number; an empty one stays empty."""
        if not base:
            return base
        numbers = count(self._numbers.get(base, 1))
        names = ((number, f"{base}_{number}" if number > 1 else base) for number in numbers)
        number, name = next(each for each in names if not self._used[comparison_key(each[1])])
        self._numbers[base] = number
        return name


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
    return _replaced(
        options, row, labelled(option_at(options, row), label, UnusedValues(removed(options, row)))
    )


def labelled(option: JsonObject, label: str, unused: UnusedValues) -> JsonObject:
    """An option with another label; its value as in `with_label`."""
    before, value = as_text(option.get("label", "")), option.get("value", "")
    changed: dict[str, Json] = {**option, "label": label}
    if value == "" or _is_derived_from(value, before):
        changed["value"] = unused.based_on(value_from_label(label))
    return changed


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
    if not isinstance(value, str) or not base or not value.startswith(base):
        return False
    return re.fullmatch(r"(_\d+)?", value[len(base) :]) is not None


def _value(option: Json) -> Json:
    return option.get("value") if is_object(option) else None


def _replaced(options: Options, row: int, option: JsonObject) -> list[Json]:
    return [*options[:row], option, *options[row + 1 :]]
