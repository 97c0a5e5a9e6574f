"""The values that options and units stand for: texts, numbers and booleans (wire.md 6)."""

import json
import re
from collections.abc import Hashable

from batchwright.base.json_values import InvalidJson, Json, parse

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")


def comparison_key(value: Json) -> Hashable:
    """Something that two values share when they are one and the same option value.

    `1` and `1.0` are the same; `1`, `"1"` and `true` are three different values. Anything that
    is no option value (null, arrays, objects) gives None.
    """
    if isinstance(value, bool):
        return "boolean", value
    if isinstance(value, int | float):
        return "number", value
    return ("text", value) if isinstance(value, str) else None


def same_value(one: Json, other: Json) -> bool:
    """Whether two values are one and the same option value."""
    return comparison_key(one) is not None and comparison_key(one) == comparison_key(other)


def as_text(value: Json) -> str:
    """A value as people read it: texts as they are, everything else as JSON writes it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=dict)


def read_number(text: str) -> int | float | None:
    """The number that a text is, whole or not, as JSON writes it; None when it is none."""
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        return None
    try:
        number = parse(text)
    except InvalidJson:
        return None
    return number if isinstance(number, int | float) else None
