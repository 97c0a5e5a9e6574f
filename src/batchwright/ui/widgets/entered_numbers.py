"""Numbers as people enter them: in the user's locale, or with the other decimal sign."""

import re
from math import isfinite

from PySide6.QtCore import QLocale

_SIGNS = re.compile("[.,]")
_ONE_GROUP = re.compile(r"[+\-\N{MINUS SIGN}]?[1-9][0-9]{0,2}([.,])[0-9]{3}")


def with_decimal_sign(text: str, sign: str) -> str:
    """The text with `sign` in place of its point or comma; unchanged if it has none, or several."""
    return _SIGNS.sub(sign, text) if len(_SIGNS.findall(text)) == 1 else text


def entered_number(text: str) -> float | None:
    """The number that a text stands for; None if it is none, or if it could be two.

    Its only point or comma is a decimal sign. 1.234 is two numbers where the locale groups digits by points.
    """
    text, locale = text.strip(), QLocale()
    grouped = _ONE_GROUP.fullmatch(text)
    if grouped is not None and grouped[1] == locale.groupSeparator():
        return None
    number, is_number = QLocale.c().toDouble(with_decimal_sign(text, "."))
    if not is_number:
        number, is_number = locale.toDouble(text)
    return number if is_number and isfinite(number) else None


def entered_count(text: str) -> int | None:
    """The count that a text stands for in the user's locale; None if it is none."""
    count, is_number = QLocale().toInt(text.strip())
    return count if is_number and count >= 0 else None


def number_example() -> str:
    """A number as it can be entered, without signs between groups of digits."""
    locale = QLocale()
    locale.setNumberOptions(QLocale.NumberOption.OmitGroupSeparator)
    return locale.toString(1234.5, "f", 1)
