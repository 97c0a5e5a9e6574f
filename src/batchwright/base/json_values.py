"""JSON values as Python holds them, with bool, int and float kept apart."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from types import NoneType
from typing import Any, NoReturn, TypeAlias, TypeGuard

from batchwright.base.i18n import _
from batchwright.base.json_error_positions import position_of_bad_token, position_of_byte, position_of_level
from batchwright.base.text import truncate

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
JsonObject: TypeAlias = Mapping[str, Json]

DEEPEST = 100
"""How deep arrays and objects may be nested in a file or a text that someone hands in."""

DEEPEST_WRAPPED = DEEPEST + 20
"""How deep they may be in what carries such a thing: a request, an answer, a project, a stored row."""


class InvalidJson(ValueError):
    """A text is no JSON that can be read, written back and sent.

    `reason` says why, to be put after a colon; the text of the error names the place as well.
    `line` and `column` count from 1, and are None where the fault has no single place.
    """

    def __init__(self, reason: str, line: int | None = None, column: int | None = None) -> None:
        place = _(" (line {line}, column {column})").format(line=line, column=column)
        super().__init__(f"{reason}{place}" if line else reason)
        self.reason = reason
        self.line = line
        self.column = column


def json_equal(one: Json, other: Json) -> bool:
    """Whether two values are the same JSON: `1`, `1.0` and `true` are three different values."""
    if one is other:
        return True
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(json_equal(value, other[key]) for key, value in one.items())
    if is_array(one) and is_array(other):
        return len(one) == len(other) and all(map(json_equal, one, other))
    return type(one) is type(other) and one == other


def parse(text: str | bytes, deepest: int = DEEPEST) -> Json:
    """Read a JSON text, strictly: UTF-8, finite numbers, at most `deepest` levels.

    Raises:
        NotJson: with the place of the first fault.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise InvalidJson(_("a character here is not UTF-8"), *position_of_byte(fault)) from None
    try:
        value = _decoded(text)
    except RecursionError:
        raise _nested_too_deeply(text, deepest) from None
    except ValueError as error:
        raise located(error, text) from None
    if len(text) > 2 * deepest and text.count("[") + text.count("{") > deepest and too_deep(value, deepest):
        raise _nested_too_deeply(text, deepest)
    return value


def located(error: ValueError, text: str, start: int = 0) -> InvalidJson:
    """An error of a strict decoder with its place in a text, which is valid JSON up to `start`."""
    match error:
        case json.JSONDecodeError():
            return InvalidJson(_in_words(error.msg), error.lineno, error.colno)
        case InvalidJson():
            reason = error.reason
        case _:
            reason = _("a number has too many digits")
    return InvalidJson(reason, *position_of_bad_token(text, _can_be_read, start))


def to_json(value: Json, *, indent: int | None = None) -> str:
    """Write a value as JSON text that is valid Unicode, whatever its strings hold."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent, default=_plain)
    return (
        text if is_valid_unicode(text) else json.dumps(value, allow_nan=False, indent=indent, default=_plain)
    )


def is_valid_unicode(text: str) -> bool:
    """Whether a string can be written as UTF-8: JSON escapes may hold half a character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def too_deep(value: Json, limit: int = DEEPEST) -> bool:
    """Whether arrays and objects are nested deeper than `limit` levels; never recurses."""
    level = _nests((value,))
    for _depth in range(limit):
        if not level:
            return False
        level = [
            inner
            for outer in level
            for inner in _nests(outer.values() if isinstance(outer, Mapping) else outer)
        ]
    return bool(level)


def _decoded(text: str) -> Json:
    """What a text says; most of a million lines are one value and nothing else, which is seen at once."""
    bare = text.strip(" \t\r\n")
    try:
        value: Json
        value, end = DECODER.raw_decode(bare)
    except json.JSONDecodeError:
        end = -1
    if end == len(bare):
        return value
    again: Json = DECODER.decode(text)  # raises, with the place in the text as it came
    return again


def _can_be_read(word: str) -> bool:
    try:
        DECODER.decode(word)
    except ValueError:
        return False
    return True


def _nested_too_deeply(text: str, deepest: int) -> InvalidJson:
    reason = _("arrays and objects are nested more than {most} levels deep").format(most=deepest)
    return InvalidJson(reason, *position_of_level(text, deepest))


def _in_words(message: str) -> str:
    """Our words for a message of Python's reader; the place says the rest where there are none."""
    words = {
        "Expecting value": _("a value is missing"),
        "Expecting property name enclosed in double quotes": _("a key in double quotes is missing"),
        "Expecting ':' delimiter": _("a colon is missing"),
        "Expecting ',' delimiter": _("a comma or a closing bracket is missing"),
        "Extra data": _("something follows after the end"),
        "Unterminated string starting at": _("the closing quotation mark of a text is missing"),
        "Invalid control character at": _("a line break or tab stands inside a text; write \\n or \\t"),
        "Illegal trailing comma before end of array": _("a comma stands before the closing bracket"),
        "Illegal trailing comma before end of object": _("a comma stands before the closing bracket"),
    }
    if message.startswith("Invalid \\"):
        return _("invalid escape sequence")
    return words.get(message, _("it cannot be read from here on"))


def _nests(values: Iterable[Json]) -> "list[Sequence[Json] | Mapping[str, Json]]":
    """Those of some values that hold others."""
    return [value for value in values if not isinstance(value, _PLAIN)]


def is_object(value: object) -> TypeGuard[JsonObject]:
    """Whether a value is a JSON object."""
    return isinstance(value, (dict, Mapping))


def is_array(value: object) -> TypeGuard[Sequence[Json]]:
    """Whether a value is a JSON array."""
    return isinstance(value, (list, tuple))


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no JSON value")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise InvalidJson(_("the number {number} is too large").format(number=truncate(digits)))
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidJson(_("{name} is no number that JSON knows").format(name=name))


_PLAIN = (str, int, float, NoneType)
"""The values that hold no others; whole numbers and booleans are both `int`."""

DECODING: dict[str, Any] = {"parse_constant": _refuse_constant, "parse_float": _finite}
"""What makes a decoder of the standard library a strict one."""

DECODER = json.JSONDecoder(**DECODING)
"""Made once: a million lines are read with it."""
