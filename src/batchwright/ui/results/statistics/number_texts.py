"""Numbers of results as texts, in the user's locale."""

from math import isfinite

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core import formatting
from batchwright.ui.core.formatting import number

MISSING = "–"


def decimal(value: float, digits: int = 2) -> str:
    """A number with decimal places; a dash if it is missing."""
    return formatting.decimal(value, digits) if isfinite(value) else MISSING


def share(value: float) -> str:
    """A share as a percentage; a dash if it is missing."""
    return _("{number} %").format(number=decimal(100 * value, 0)) if isfinite(value) else MISSING


def interval(low: float, high: float, digits: int = 2) -> str:
    """An interval; a dash if there is none."""
    if not (isfinite(low) and isfinite(high)):
        return MISSING
    return _("{low} to {high}").format(low=decimal(low, digits), high=decimal(high, digits))


def answers(count: int) -> str:
    """A number of answers, as "12 answers"."""
    return ngettext("{count} answer", "{count} answers", count).format(count=number(count))


def excluded_text(count: int, participants: int) -> str:
    """How many answers are excluded; empty if none are."""
    if not count:
        return ""
    people = ngettext("{count} participant", "{count} participants", participants)
    text = ngettext("{answers} of {people} is excluded.", "{answers} of {people} are excluded.", count)
    return text.format(answers=answers(count), people=people.format(count=number(participants)))


def p_value(value: float) -> str:
    """A p value with three decimal places; a dash if it is missing."""
    least = 0.001
    return _("< {number}").format(number=decimal(least, 3)) if value < least else decimal(value, 3)
