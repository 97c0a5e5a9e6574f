"""JSON values as Python holds them, with bool, int and float kept apart."""

import json
import math
from collections.abc import Mapping, Sequence
from gettext import gettext as _
from typing import NoReturn, TypeAlias, TypeGuard

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
JsonObject: TypeAlias = Mapping[str, Json]

DEEPEST = 100
"""How deep arrays and objects may be nested in anything that Batchwright reads."""


class NotJson(ValueError):
    """A text is no JSON that can be read, written back and sent.

    `line` and `column` count from 1, and are None where the fault has no single place.
    """

    def __init__(self, reason: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.column = column


def same(one: Json, other: Json) -> bool:
    """Whether two values are the same JSON: `1`, `1.0` and `true` are three different values."""
    if one is other:
        return True
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if is_array(one) and is_array(other):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other


def parse(text: str | bytes) -> Json:
    """Read a JSON text, strictly: UTF-8, finite numbers, at most `DEEPEST` levels.

    Raises:
        NotJson: with the place where there is one.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        value = _decoded(text)
    except NotJson:
        raise
    except json.JSONDecodeError as fault:
        raise NotJson(fault.msg, fault.lineno, fault.colno) from None
    except UnicodeDecodeError as fault:
        raise NotJson(_("The text is not UTF-8 (byte {place}).").format(place=fault.start + 1)) from None
    except RecursionError:
        raise NotJson(_("Arrays and objects are nested too deeply.")) from None
    except ValueError:
        raise NotJson(_("A number has too many digits.")) from None
    if len(text) > 2 * DEEPEST and text.count("[") + text.count("{") > DEEPEST and too_deep(value):
        raise NotJson(_("Arrays and objects are nested too deeply."))
    return value


def render(value: Json, *, indent: int | None = None) -> str:
    """Write a value as JSON text that is valid Unicode, whatever its strings hold."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent, default=_plain)
    return text if is_whole(text) else json.dumps(value, allow_nan=False, indent=indent, default=_plain)


def is_whole(text: str) -> bool:
    """Whether a string can be written as UTF-8: JSON escapes may hold half a character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def too_deep(value: Json, limit: int = DEEPEST) -> bool:
    """Whether arrays and objects are nested deeper than `limit` levels; never recurses."""
    level: list[Json] = [value]
    for _depth in range(limit):
        level = [inner for outer in level for inner in _children(outer)]
        if not level:
            return False
    return any(is_object(value) or is_array(value) for value in level)


def _decoded(text: str) -> Json:
    """What a text says; most of a million lines are one value and nothing else, which is seen at once."""
    bare = text.strip(" \t\r\n")
    try:
        value: Json
        value, end = _DECODER.raw_decode(bare)
    except json.JSONDecodeError:
        end = -1
    if end == len(bare):
        return value
    again: Json = _DECODER.decode(text)  # raises, with the place in the text as it came
    return again


def _children(value: Json) -> Sequence[Json]:
    if isinstance(value, Mapping):
        return tuple(value.values())
    return value if is_array(value) else ()


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
        raise NotJson(_("The number {number} is too large.").format(number=digits[:40]))
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise NotJson(_("{name} is no JSON value.").format(name=name))


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)
"""Made once: a million lines are read with it."""
