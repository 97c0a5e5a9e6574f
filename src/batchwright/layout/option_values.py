"""The values and labels of options and units. A value is a text, a number or a boolean."""

import json
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence

from batchwright.base.json_values import InvalidJson, Json, JsonObject, is_object, parse

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")


def comparison_key(value: Json) -> Hashable:
    """A key that two option values share exactly when they are the same value.

    `1` and `1.0` are the same; `1`, `"1"` and `true` are three different values. Anything that
    is not a valid option value (null, arrays, objects) gives None.
    """
    if isinstance(value, bool):
        return "boolean", value
    if isinstance(value, int | float):
        return "number", _number_key(value)
    return ("text", value) if isinstance(value, str) else None


def _number_key(number: float) -> str:
    """A text for a number. Texts are hashed with a secret; numbers with equal hashes are easily found."""
    return hex(int(number)) if isinstance(number, int) or number.is_integer() else number.hex()


class FreeValues:
    """Finds values that no option or unit of a list has. All of them together take linear time."""

    def __init__(self, options: Iterable[Json]) -> None:
        self._used = {as_text(option.get("value")) for option in options if is_object(option)}
        self._suffixes: dict[str, int] = {}

    def free_for(self, option: JsonObject) -> str:
        """A free value for an option: its label, or its value with a number."""
        label, value = text_of(option, "label").strip(), as_text(option.get("value"))
        if label and label not in self._used:
            return label
        suffix = self._suffixes.get(value, 2)
        while (free := f"{value} {suffix}") in self._used:
            suffix += 1
        self._suffixes[value] = suffix
        return free

    def take_for(self, option: JsonObject) -> str:
        """A free value for an option, which is not free any more."""
        value = self.free_for(option)
        self._used.add(value)
        return value


def index_by_value(options: Sequence[JsonObject]) -> Mapping[Hashable, int]:
    """The index of each option or unit by the key of its value; of the first one if several have it."""
    indices: dict[Hashable, int] = {}
    for index, option in enumerate(options):
        key = comparison_key(option.get("value"))
        if key is not None:
            indices.setdefault(key, index)
    return indices


def option_of(options: Sequence[JsonObject], value: Json) -> int | None:
    """The index of the option or unit with a value; None when there is none."""
    return index_by_value(options).get(comparison_key(value))


def as_text(value: Json) -> str:
    """A value as text for people: strings unchanged, everything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=dict)


def label_of(option: JsonObject) -> str:
    """The label of an option or unit; its value when it has no label."""
    return text_of(option, "label") or as_text(option.get("value"))


def text_of(option: JsonObject, name: str) -> str:
    """A text attribute of an option; empty when it is absent or not a string."""
    value = option.get(name)
    return value if isinstance(value, str) else ""


def read_number(text: str) -> int | float | None:
    """The number that a text is in JSON notation; None when it is not a number."""
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        return None
    try:
        number = parse(text)
    except InvalidJson:
        return None
    return number if isinstance(number, int | float) else None
