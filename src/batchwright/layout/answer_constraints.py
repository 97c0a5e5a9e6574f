"""What an instruction asks of an answer, with the defaults filled in (wire.md 6, 6.1).

Read leniently: an item that the rules refuse still has limits, so that an unfinished layout can
be previewed.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from batchwright.base.json_values import Json, JsonObject, is_array
from batchwright.layout.attributes import DEFAULT_FILE_TYPES, value_or_default
from batchwright.layout.model import Choice, FileUpload
from batchwright.layout.option_values import as_text

BYTES_PER_MB = 1024 * 1024
"""What `max_file_size_mb` and `file_size_mb` count in."""

LARGEST_FILE_MB = 10**9
"""More than a disk holds; a limit above it, however large, limits no more."""

_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")


@dataclass(frozen=True)
class NumberLimits:
    """The typed text has to be a number; both bounds belong to the range."""

    least: Decimal | None
    most: Decimal | None


@dataclass(frozen=True)
class LengthLimits:
    """The typed text has to have so many characters (code points)."""

    least: int
    most: int | None


TextLimits = NumberLimits | LengthLimits

ANY_TEXT = LengthLimits(0, None)


@dataclass(frozen=True)
class FileLimits:
    """Which files, and how many, have to be given."""

    types: tuple[str, ...]
    size_mb: float
    fewest: int
    most: int


def text_limits(holder: JsonObject) -> TextLimits:
    """What the `validation` of a free text item or of a unit option asks of the typed text."""
    rule = holder.get("validation")
    if not isinstance(rule, Mapping):
        return ANY_TEXT
    if rule.get("type") == "number":
        return NumberLimits(_bound(rule.get("min")), _bound(rule.get("max")))
    if rule.get("type") == "string":
        least, most = _bound(rule.get("min")), _bound(rule.get("max"))
        return LengthLimits(int(least or 0), None if most is None else int(most))
    return ANY_TEXT


def parse_number(text: str) -> Decimal | None:
    """The number a person typed: digits with an optional sign, fraction and exponent; else None."""
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        return None
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def max_choices(item: Choice) -> int:
    """How many options may be chosen; all of them when `answer_limit` is -1."""
    limit = item.answer_limit
    return len(item.options) if limit is None or limit < 1 else limit


def is_exclusive(option: JsonObject) -> bool:
    """Whether an option rules out all others."""
    return option.get("exclusive") is True


def file_limits(item: FileUpload) -> FileLimits:
    """What a file upload asks for; an empty list of types means the default ones."""
    types = value_or_default(item, "accepted_file_types")
    given = tuple(one for one in types if isinstance(one, str)) if is_array(types) else ()
    return FileLimits(
        given or DEFAULT_FILE_TYPES,
        min(_number(value_or_default(item, "max_file_size_mb")), LARGEST_FILE_MB),
        int(_number(value_or_default(item, "min_file_count"))),
        int(_number(value_or_default(item, "max_file_count"))),
    )


def _bound(value: Json) -> Decimal | None:
    """A bound as it is written in JSON: 0.1 is one tenth, not the nearest binary fraction."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return Decimal(as_text(value))


def _number(value: Json) -> float:
    return value if isinstance(value, int | float) else 0
