"""Text entered by participants: what a `validation` requires of it, in free text items and units.

A validation is parsed leniently: limits are derived even from an invalid one, so that an unfinished layout
can be previewed.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from random import Random

from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.json_values import Json, JsonObject
from batchwright.base.local_formats import has_decimal_point
from batchwright.base.text import is_blank
from batchwright.layout.attributes import Attribute, AttributeType
from batchwright.layout.option_values import as_text

VALIDATION = Attribute(
    "validation",
    AttributeType.OBJECT,
    N_("validation"),
    nested=(
        Attribute("type", AttributeType.TEXT, N_("type"), required=True, allowed=("number", "string")),
        Attribute("min", AttributeType.NUMBER, N_("minimum")),
        Attribute("max", AttributeType.NUMBER, N_("maximum")),
    ),
)

_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")

_RANDOM_WORDS = (
    "clear",
    "short",
    "helpful",
    "polite",
    "exact",
    "warm",
    "answer",
    "reason",
    "example",
    "tone",
    "step",
)

RANDOM_NUMBER_RANGE = 100
"""Maximum distance of a random number from its only bound, or from 0 if there is none."""

_EXTRA_CHARACTERS = 60


@dataclass(frozen=True)
class NumberLimits:
    """Requires a number within a range that includes both bounds."""

    minimum: Decimal | None
    maximum: Decimal | None


@dataclass(frozen=True)
class LengthLimits:
    """Requires a number of characters (code points) within a range."""

    minimum: int
    maximum: int | None


TextLimits = NumberLimits | LengthLimits

ANY_TEXT = LengthLimits(0, None)


def text_limits(holder: JsonObject) -> TextLimits:
    """The limits that the `validation` of a free text item or of a unit sets."""
    validation = holder.get("validation")
    if not isinstance(validation, Mapping):
        return ANY_TEXT
    minimum, maximum = _bound(validation.get("min")), _bound(validation.get("max"))
    if validation.get("type") == "number":
        return NumberLimits(minimum, maximum)
    if validation.get("type") == "string":
        return LengthLimits(int(minimum or 0), None if maximum is None else int(maximum))
    return ANY_TEXT


def parse_number(text: str) -> Decimal | None:
    """Parse a typed number: digits with an optional sign, fraction and exponent.

    Returns None for anything else.
    """
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        return None
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def fits_number_pad(limits: TextLimits) -> bool:
    """Whether each number within the limits can be typed with the number pad of a phone.

    It has the decimal sign of a language, while answers have a point, and on some phones it has no minus.
    """
    is_positive = isinstance(limits, NumberLimits) and limits.minimum is not None and limits.minimum >= 0
    return is_positive and has_decimal_point()


def limits_text(limits: TextLimits) -> str:
    """The limits as text for participants; empty without limits."""
    if isinstance(limits, NumberLimits):
        return _range_text(limits)
    if limits.maximum is not None and limits.minimum > 1:
        return _("{least} to {most} characters.").format(least=limits.minimum, most=limits.maximum)
    if limits.maximum is not None:
        return ngettext("At most {most} character.", "At most {most} characters.", limits.maximum).format(
            most=limits.maximum
        )
    return _("At least {least} characters.").format(least=limits.minimum) if limits.minimum > 1 else ""


def text_errors(value: Json, limits: TextLimits) -> Iterator[str]:
    """A message for each limit that a typed text violates."""
    if not isinstance(value, str):
        yield _("This answer cannot be read. Please answer again.")
    elif "\0" in value and not is_blank(value):
        yield invalid_character_message()
    elif isinstance(limits, NumberLimits):
        yield from _number_errors(value, limits)
    elif limits.maximum != 0 or not is_blank(value):
        yield from _length_errors(value, limits)


def invalid_character_message() -> str:
    """The message for a text that contains a null character, which many programs take for its end."""
    return _("This text contains a character that cannot be stored. Please type it again.")


def random_text(limits: TextLimits, random: Random, texts: Random | None = None) -> str:
    """A random text within the limits; empty if no character is allowed.

    Args:
        limits: what is required of the text.
        random: draws it.
        texts: draws it instead if it is not a number.
    """
    if isinstance(limits, NumberLimits):
        return _random_number(limits, random)
    random = texts or random
    minimum = max(limits.minimum, 1)
    maximum = minimum + _EXTRA_CHARACTERS if limits.maximum is None else limits.maximum
    if maximum == 0:
        return ""
    length = random.randint(minimum, min(maximum, minimum + _EXTRA_CHARACTERS))
    random_words = [random.choice(_RANDOM_WORDS)]
    written = len(random_words[0])
    while written < length:
        random_words.append(random.choice(_RANDOM_WORDS))
        written += 1 + len(random_words[-1])
    # Truncating may leave a space at the end, which a person would not type.
    return " ".join(random_words)[:length].rstrip().ljust(length, ".")


def _range_text(limits: NumberLimits) -> str:
    if limits.minimum is not None and limits.maximum is not None:
        return _("A number from {least} to {most}.").format(least=limits.minimum, most=limits.maximum)
    if limits.minimum is not None:
        return _("A number, {least} or more.").format(least=limits.minimum)
    if limits.maximum is not None:
        return _("A number, {most} or less.").format(most=limits.maximum)
    return _("A number.")


def _number_errors(text: str, limits: NumberLimits) -> Iterator[str]:
    if is_blank(text):
        yield _("Please answer this question.")
        return
    number = parse_number(text)
    if number is None:
        yield _("Please enter a number, like 12 or 0.5.")
    elif limits.minimum is not None and number < limits.minimum:
        yield _("Please enter a number that is at least {least}.").format(least=limits.minimum)
    elif limits.maximum is not None and number > limits.maximum:
        yield _("Please enter a number that is at most {most}.").format(most=limits.maximum)


def _length_errors(text: str, limits: LengthLimits) -> Iterator[str]:
    if is_blank(text):
        yield _("Please answer this question.")
    elif len(text) < limits.minimum:
        yield ngettext(
            "Please write at least {least} character; there are {count} so far.",
            "Please write at least {least} characters; there are {count} so far.",
            limits.minimum,
        ).format(least=limits.minimum, count=len(text))
    elif limits.maximum is not None and len(text) > limits.maximum:
        yield ngettext(
            "Please write at most {most} character; there are {count} now.",
            "Please write at most {most} characters; there are {count} now.",
            limits.maximum,
        ).format(most=limits.maximum, count=len(text))


def _random_number(limits: NumberLimits, random: Random) -> str:
    if limits.minimum is not None:
        first = math.ceil(limits.minimum)
    else:
        first = 0 if limits.maximum is None else math.floor(limits.maximum) - RANDOM_NUMBER_RANGE
    last = first + RANDOM_NUMBER_RANGE if limits.maximum is None else math.floor(limits.maximum)
    return str(random.randint(first, last)) if first <= last else str(limits.minimum)


def _bound(value: Json) -> Decimal | None:
    """The exact decimal value of a bound in JSON: 0.1 is one tenth, not the nearest binary fraction."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return Decimal(as_text(value))
