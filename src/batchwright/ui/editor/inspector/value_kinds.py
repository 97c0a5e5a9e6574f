"""Types of option values: text, number and boolean, which are kept distinct."""

import json
from collections.abc import Mapping
from enum import Enum

from batchwright.base.json_values import InvalidJson, Json, is_valid_unicode, json_equal, parse, to_json
from batchwright.layout.option_values import as_text, read_number

_BOOLEANS: Mapping[str, bool] = {"true": True, "false": False}
_YES = frozenset({"true", "yes", "1"})


class ValueKind(Enum):
    """The type of an option value: `1`, `"1"` and `true` are three different values."""

    TEXT = "text"
    NUMBER = "number"
    BOOLEAN = "boolean"

    @classmethod
    def of(cls, value: Json) -> "ValueKind":
        """The type of a value. Anything that is not a valid option value counts as text."""
        if isinstance(value, bool):
            return cls.BOOLEAN
        return cls.NUMBER if isinstance(value, int | float) else cls.TEXT


def value_from_text(text: str, kind: ValueKind) -> Json:
    """The value for a typed text if the previous value was of type `kind`; text if it cannot be converted."""
    if kind is ValueKind.NUMBER:
        number = read_number(text)
        return text if number is None else number
    if kind is ValueKind.BOOLEAN:
        return _BOOLEANS.get(text.strip().casefold(), text)
    return text


def convert_kind(value: Json, kind: ValueKind, number: int) -> Json:
    """Convert a value to another type. A value that cannot be converted becomes `number`, or False."""
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
    """Infer a value from text: `1` is a number and `true` a boolean; `"1"` and `good` are texts."""
    text = text.strip()
    number = read_number(text)
    if number is not None:
        return number
    return _BOOLEANS.get(text.casefold(), unquote(text))


def format_value(value: Json) -> str:
    """Write a value so that `parse_value` returns it: a text that would be read as another type is quoted."""
    if not isinstance(value, str):
        return quote(value)
    is_plain = json_equal(parse_value(value), value) and is_single_line(value) and "=" not in value
    return value if is_plain else quote(value)


def quote(value: Json) -> str:
    """A value as JSON on one line; a text is in double quotes."""
    text = to_json(value)
    return text if is_single_line(text) else json.dumps(parse(text))


def unquote(text: str) -> str:
    """The text in a JSON string literal; anything else is returned unchanged."""
    if not text.startswith('"'):
        return text
    try:
        read = parse(text)
    except InvalidJson:
        return text
    return read if isinstance(read, str) else text


def is_single_line(text: str) -> bool:
    """Whether a text fits into a line unquoted: valid Unicode without tabs and line breaks."""
    return is_valid_unicode(text) and "\t" not in text and text.splitlines() in ([], [text])


def resembles_other_type(value: Json) -> bool:
    """Whether a value is a text that reads like a number or a boolean."""
    return isinstance(value, str) and not isinstance(parse_value(value), str)
