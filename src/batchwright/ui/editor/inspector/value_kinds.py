"""Types of option values: text, number and boolean, which are kept apart."""

import json
from collections.abc import Mapping
from enum import Enum

from batchwright.base.json_values import InvalidJson, Json, is_valid_unicode, json_equal, parse, to_json
from batchwright.layout.option_values import as_text, read_number

_BOOLEANS: Mapping[str, bool] = {"true": True, "false": False}
_YES = frozenset({"true", "yes", "1"})


class ValueKind(Enum):
    """What an option stands for in the data: `1`, `"1"` and `true` are three different values."""

    TEXT = "text"
    NUMBER = "number"
    BOOLEAN = "boolean"

    @classmethod
    def of(cls, value: Json) -> "ValueKind":
        """The kind of a value; anything that is no option value counts as text."""
        if isinstance(value, bool):
            return cls.BOOLEAN
        return cls.NUMBER if isinstance(value, int | float) else cls.TEXT


def value_from_text(text: str, kind: ValueKind) -> Json:
    """What a text typed for a value means where the value was of a kind; else it is text."""
    if kind is ValueKind.NUMBER:
        number = read_number(text)
        return text if number is None else number
    if kind is ValueKind.BOOLEAN:
        return _BOOLEANS.get(text.strip().casefold(), text)
    return text


def convert_kind(value: Json, kind: ValueKind, number: int) -> Json:
    """A value as one of another kind; what cannot be one becomes `number`, or false."""
    text = as_text(value)
    match kind:
        case ValueKind.TEXT:
            return text
        case ValueKind.NUMBER:
            read = read_number(text)
            return number if read is None else read
        case ValueKind.BOOLEAN:
            return text.strip().casefold() in _YES


def parse_value(text: str) -> Json:
    """The value that is written: `1` and `true` are no texts, `"1"` and `good` are."""
    text = text.strip()
    number = read_number(text)
    if number is not None:
        return number
    return _BOOLEANS.get(text.casefold(), unquote(text))


def format_value(value: Json) -> str:
    """A value so that `parse_value` reads the same again: in quotes where it would be read as another."""
    if not isinstance(value, str):
        return quote(value)
    is_plain = json_equal(parse_value(value), value) and is_single_line(value) and "=" not in value
    return value if is_plain else quote(value)


def quote(value: Json) -> str:
    """A value as JSON writes it, on one line; a text stands in quotes."""
    text = to_json(value)
    return text if is_single_line(text) else json.dumps(parse(text))


def unquote(text: str) -> str:
    """What stands in the quotes of a JSON text; anything else as it is."""
    if not text.startswith('"'):
        return text
    try:
        read = parse(text)
    except InvalidJson:
        return text
    return read if isinstance(read, str) else text


def is_single_line(text: str) -> bool:
    """Whether a text can stand in a line as it is."""
    return is_valid_unicode(text) and "\t" not in text and text.splitlines() in ([], [text])


def resembles_other_type(value: Json) -> bool:
    """Whether a text looks like a number, or like true or false."""
    return isinstance(value, str) and not isinstance(parse_value(value), str)
