"""JSON values in Python; bool, int and float stay distinct.

Layouts must be written back exactly as they were read, so `1`, `1.0` and `true` are three different values.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from json.encoder import c_make_encoder, encode_basestring  # type: ignore[attr-defined]  # not described
from types import NoneType
from typing import Any, NoReturn, TypeAlias, TypeGuard

from batchwright.base.i18n import N_, _
from batchwright.base.json_texts.json_error_positions import (
    position_of_bad_token,
    position_of_byte,
    position_of_level,
)
from batchwright.base.limits import MAX_JSON_KEYS
from batchwright.base.text import truncate

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
JsonObject: TypeAlias = Mapping[str, Json]

DEEPEST = 100
"""Maximum nesting of arrays and objects in a file or text from the user."""

DEEPEST_WRAPPED = DEEPEST + 20
"""Maximum nesting in what contains such a value: a request, a response, a project, a stored row."""


class InvalidJson(ValueError):
    """A text is not JSON, or cannot be written back and sent.

    `reason` says why and is written to follow a colon; the error's message also has the position. `line` and
    `column` count from 1, and are None if the error has no single position.
    """

    def __init__(self, reason: str, line: int | None = None, column: int | None = None) -> None:
        place = _(" (line {line}, column {column})").format(line=line, column=column) if line else ""
        super().__init__(f"{reason}{place}")
        self.reason = reason
        self.line = line
        self.column = column


def json_equal(first: Json, second: Json) -> bool:
    """Whether two values are the same JSON: `1`, `1.0` and `true` are three different values."""
    if first is second:
        return True
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        return first.keys() == second.keys() and all(
            json_equal(value, second[key]) for key, value in first.items()
        )
    if is_array(first) and is_array(second):
        return len(first) == len(second) and all(map(json_equal, first, second))
    return type(first) is type(second) and first == second


def parse(text: str | bytes, deepest: int = DEEPEST, decoder: json.JSONDecoder | None = None) -> Json:
    """Parse JSON text strictly: UTF-8, finite numbers, at most `deepest` levels.

    Another `decoder` than `DECODER` can have values for what is no finite number.

    Raises:
        InvalidJson: with the position of the first error.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise InvalidJson(_("a character here is not UTF-8"), *position_of_byte(fault)) from None
    try:
        value = _decoded(text, decoder or DECODER)
    except RecursionError:
        raise _nested_too_deeply(text, deepest) from None
    except ValueError as error:
        raise located(error, text) from None
    if len(text) > 2 * deepest and text.count("[") + text.count("{") > deepest and too_deep(value, deepest):
        raise _nested_too_deeply(text, deepest)
    return value


def located(error: ValueError, text: str, start: int = 0) -> InvalidJson:
    """Convert an error of a strict decoder to one with its position; `text` is valid JSON up to `start`."""
    match error:
        case json.JSONDecodeError():
            return InvalidJson(_translated_reason(error.msg), error.lineno, error.colno)
        case InvalidJson():
            reason = error.reason
        case _:
            reason = _("a number has too many digits")
    return InvalidJson(reason, *position_of_bad_token(text, _can_be_read, start))


def to_json(value: Json, *, indent: int | None = None) -> str:
    """Serialise a value to JSON text that is valid Unicode, whatever its strings contain."""
    text = (
        "".join(_ENCODE(value, 0))
        if indent is None
        else json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent, default=_plain)
    )
    return (
        text if is_valid_unicode(text) else json.dumps(value, allow_nan=False, indent=indent, default=_plain)
    )


def is_valid_unicode(text: str) -> bool:
    """Whether a string can be encoded as UTF-8: strings from JSON escapes may contain lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def has_too_many_keys(text: bytes) -> bool:
    """Whether objects in a JSON text have more than `MAX_JSON_KEYS` keys together.

    Checked before the text is parsed: Python's parser holds the GIL meanwhile, for a second per million keys,
    and ten times as long for a key as for another value.
    """
    return (
        text.count(b":") > MAX_JSON_KEYS
        and sum(1 for _key in islice(_KEY.finditer(text), MAX_JSON_KEYS + 1)) > MAX_JSON_KEYS
    )


def too_deep(value: Json, limit: int = DEEPEST) -> bool:
    """Whether arrays and objects are nested deeper than `limit` levels; does not recurse."""
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


def _decoded(text: str, decoder: json.JSONDecoder) -> Json:
    """Decode a text; the common case of one value without anything after it is handled first."""
    bare = text.strip(" \t\r\n")
    try:
        value: Json
        value, end = decoder.raw_decode(bare)
    except json.JSONDecodeError:
        if len(bare) == len(text):
            raise
        end = -1
    if end == len(bare):
        return value
    again: Json = decoder.decode(text)  # raises, with the position in the original text
    return again


def _can_be_read(token: str) -> bool:
    try:
        DECODER.decode(token)
    except ValueError:
        return False
    return True


def _nested_too_deeply(text: str, deepest: int) -> InvalidJson:
    reason = _("arrays and objects are nested more than {most} levels deep").format(most=deepest)
    return InvalidJson(reason, *position_of_level(text, deepest))


def _translated_reason(message: str) -> str:
    """Our message for an error of Python's parser, or a general one if there is none."""
    if message.startswith("Invalid \\"):
        return _("invalid escape sequence")
    return _(_REASONS.get(message, N_("the rest cannot be read")))


def _nests(values: Iterable[Json]) -> "list[Sequence[Json] | Mapping[str, Json]]":
    """The values that are arrays or objects."""
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


def _reject_constant(name: str) -> NoReturn:
    raise InvalidJson(_("{name} is not a JSON number").format(name=name))


_REASONS = {
    "Expecting value": N_("a value is missing"),
    "Expecting property name enclosed in double quotes": N_("a key in double quotes is missing"),
    "Expecting ':' delimiter": N_("a colon is missing"),
    "Expecting ',' delimiter": N_("a comma or a closing bracket is missing"),
    "Extra data": N_("there is unexpected content after the end"),
    "Unterminated string starting at": N_("the closing quotation mark of a text is missing"),
    "Invalid control character at": N_("a line break or tab is inside a text; write \\n or \\t"),
    "Illegal trailing comma before end of array": N_("there is a comma before the closing bracket"),
    "Illegal trailing comma before end of object": N_("there is a comma before the closing bracket"),
}
"""Our messages for errors of Python's parser; a file can have millions of them."""

_KEY = re.compile(rb'"\s*+:')
"""The end of a key; in a text, it can also be a quotation mark before a colon."""

_PLAIN = (str, int, float, NoneType)
"""Types of values that are not containers; `int` covers whole numbers and booleans."""

_ENCODE = c_make_encoder(None, _plain, encode_basestring, None, ": ", ", ", False, False, False)
"""What `json.JSONEncoder(ensure_ascii=False, allow_nan=False)` makes for each value that it writes.

Made once, since it writes up to a million records: it takes as long as writing one of them.
"""

DECODING: dict[str, Any] = {"parse_constant": _reject_constant, "parse_float": _finite}
"""Arguments that make a decoder of the standard library strict."""

DECODER = json.JSONDecoder(**DECODING)
"""Created once, since it parses up to a million lines."""
