"""The values that options and units stand for: texts, numbers and booleans (wire.md 6)."""

import json
from collections.abc import Hashable

from batchwright.records.json_values import Json


def identity(value: Json) -> Hashable:
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
    return identity(one) is not None and identity(one) == identity(other)


def as_text(value: Json) -> str:
    """A value as people read it: texts as they are, everything else as JSON writes it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=dict)
