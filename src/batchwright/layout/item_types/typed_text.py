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
from typing import NamedTuple

from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.json_values import Json, JsonObject, is_array, is_object
from batchwright.base.text import is_blank
from batchwright.layout.attributes import Attribute, AttributeType
from batchwright.layout.item_types.base import Item
from batchwright.layout.nodes import NodePath
from batchwright.layout.option_values import as_text
from batchwright.layout.rules.examples import FREE_TEXT, one_item_layouts, option, units, with_attributes
from batchwright.layout.rules.page_index import PageIndex
from batchwright.layout.rules.problems import AttributePath, RejectionStatus
from batchwright.layout.rules.quick_fixes import Steps, set_nested_attribute_fix
from batchwright.layout.rules.registry import Finding, rule

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


@rule(
    "LY25",
    N_("Lengths are whole numbers, 0 or more"),
    RejectionStatus.ITEM,
    passes=one_item_layouts(
        with_attributes(FREE_TEXT, validation={"type": "string", "min": 0, "max": 200}),
        with_attributes(FREE_TEXT, validation={"type": "number", "min": -1.5}),
    ),
    fails=one_item_layouts(
        with_attributes(FREE_TEXT, validation={"type": "string", "min": -1}),
        with_attributes(FREE_TEXT, validation={"type": "string", "min": 1, "max": 2.5}),
        with_attributes(FREE_TEXT, validation={"type": "string", "max": 20.0}),
        units(option("min", validation={"type": "string", "min": 0.5})),
    ),
)
def integer_lengths(index: PageIndex) -> Iterator[Finding]:
    """The bounds of a `string` validation count characters."""
    for path, item, within, validation in _validations(index):
        invalid_names = [
            name
            for name in ("min", "max")
            if _is_number(validation.get(name)) and not _is_length(validation[name])
        ]
        if validation.get("type") == "string" and invalid_names:
            rounded = {name: max(0, round(_number(validation, name))) for name in invalid_names}
            yield Finding(
                path,
                item,
                _("A length counts characters. Use whole numbers, 0 or more, in place of {lengths}."),
                {"lengths": ", ".join(as_text(validation[name]) for name in invalid_names)},
                set_nested_attribute_fix(
                    item, within, VALIDATION.name, {**validation, **rounded}, _("Round it")
                ),
                _path(within),
            )


@rule(
    "LY26",
    N_("The smallest answer allowed is not above the largest"),
    RejectionStatus.ITEM,
    passes=one_item_layouts(
        with_attributes(FREE_TEXT, validation={"type": "number", "min": 1, "max": 1}),
        with_attributes(FREE_TEXT, validation={"type": "number", "min": None, "max": -3}),
    ),
    fails=one_item_layouts(
        with_attributes(FREE_TEXT, validation={"type": "number", "min": 10, "max": 1}),
        with_attributes(FREE_TEXT, validation={"type": "string", "min": 2, "max": 1}),
        units(option("min", validation={"type": "number", "min": 0.2, "max": 0.1}), option("h")),
    ),
)
def min_not_above_max(index: PageIndex) -> Iterator[Finding]:
    """`min` is not above `max` in a validation."""
    for path, item, within, validation in _validations(index):
        minimum, maximum = validation.get("min"), validation.get("max")
        if not _is_number(minimum) or not _is_number(maximum):
            continue
        if _number(validation, "min") > _number(validation, "max"):
            swapped = {**validation, "min": maximum, "max": minimum}
            yield Finding(
                path,
                item,
                _("The smallest allowed, {least}, is above the largest, {most}. Swap them."),
                {"least": as_text(minimum), "most": as_text(maximum)},
                set_nested_attribute_fix(item, within, VALIDATION.name, swapped, _("Swap them")),
                _path(within),
            )


RULES = (integer_lengths, min_not_above_max)


class _Validation(NamedTuple):
    path: NodePath
    item: Item
    within: Steps
    validation: JsonObject


def _validations(index: PageIndex) -> Iterator[_Validation]:
    """Every validation of the page: of items, and of options or units in their lists."""
    for path, item, holder in index.holders(VALIDATION):
        value = item.attributes.get(holder.name)
        if holder is VALIDATION:
            if is_object(value):
                yield _Validation(path, item, (), value)
            continue
        for number, entry in enumerate(value if is_array(value) else ()):
            inner = entry.get(VALIDATION.name) if is_object(entry) else None
            if is_object(inner):
                yield _Validation(path, item, ((holder, number),), inner)


def _path(within: Steps) -> AttributePath:
    if not within:
        return AttributePath(VALIDATION.name)
    ((attribute, number),) = within
    return AttributePath(attribute.name, number, VALIDATION.name)


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


def _is_number(value: Json) -> bool:
    return AttributeType.NUMBER.accepts(value)


def _is_length(value: Json) -> bool:
    return isinstance(value, int) and value >= 0


def _number(validation: JsonObject, name: str) -> float:
    value = validation[name]
    return value if isinstance(value, int | float) else 0
