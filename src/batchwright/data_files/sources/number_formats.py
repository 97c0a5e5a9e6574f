"""Numbers as a spreadsheet program shows them: the formats with digits, signs and texts around them.

Formats of dates, fractions, exponents and conditions, and those in which all digits before the decimal point
may be missing, are not applied.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import lru_cache

BUILT_IN = {
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    9: "0%",
    10: "0.00%",
    14: "yyyy-mm-dd",
    **dict.fromkeys((37, 38), "#,##0;-#,##0"),
    **dict.fromkeys((39, 40), "#,##0.00;-#,##0.00"),
}
"""The formats that Excel does not write into its files, by their ids."""

SIGNIFICANT_DIGITS = 15
"""The digits of a number that spreadsheet programs show."""
_MOST_DIGITS = 400
"""Enough for every floating-point number."""

_TEXT = r'(?:"[^"]*"|\\.|_.|\*.|\[\$[^\]]*\]|\[[A-Za-z]+\]|[-+$€£¥%()/: \xa0])'
_SECTION = re.compile(
    rf"({_TEXT}*)([#0,]*0|0+(?:{_TEXT}+0+)+)(?:\.(?=[0#])(0{{0,30}})(#{{0,30}}))?({_TEXT}*)", re.DOTALL
)
_NOT_LETTERS = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|General')
_DURATION = re.compile(r"\[(?:h+|m+|s+)\]", re.IGNORECASE)
_SPLIT = re.compile(r'(?:"[^"]*"|\\.|[^;"\\])+', re.DOTALL)
_PART = re.compile(r'"([^"]*)"|\\(.)|_.|\*.|\[\$([^\]-]*)[^\]]*\]|\[[A-Za-z]+\]|(.)', re.DOTALL)


@dataclass(frozen=True)
class _Section:
    """How numbers of one sign are shown."""

    before: str
    digits: int
    """The least number of digits before the decimal point."""
    inside: tuple[tuple[int, str], ...]
    """The texts between digits, each with the number of digits behind it."""
    decimals: int
    more_decimals: int
    """The decimals that are left out if they are zeros."""
    is_grouped: bool
    after: str
    percents: int
    """The number of percent signs, each of which multiplies by 100."""

    def text(self, number: Decimal) -> str:
        """A number that is not negative."""
        with localcontext(prec=_MOST_DIGITS):
            shifted = number.scaleb(2 * self.percents)
            most = self.decimals + self.more_decimals
            rounded = shifted.quantize(Decimal(1).scaleb(-most), ROUND_HALF_UP)
        whole, point, decimals = f"{rounded:f}".partition(".")
        decimals = decimals[: self.decimals] + decimals[self.decimals :].rstrip("0")
        if self.is_grouped:
            whole = f"{int(whole):0{self.digits + (self.digits - 1) // 3},}"
        else:
            whole = whole.zfill(self.digits)
        for behind, text in self.inside:
            whole = f"{whole[:-behind]}{text}{whole[-behind:]}"
        return f"{self.before}{whole}{point if decimals else ''}{decimals}{self.after}"


@lru_cache
def number_format(code: str) -> Callable[[float], str] | None:
    """A function that writes a number in a format; None if the format is none that is applied."""
    codes = _SPLIT.findall(code)
    sections = [_section(part) for part in codes] if ";".join(codes) == code else []
    if not sections or sections[0] is None or (len(sections) > 1 and sections[1] is None):
        return None
    positive, negative = sections[0], sections[1] if len(sections) > 1 else None

    def write(number: float) -> str:
        exact = Decimal(f"{number:.{SIGNIFICANT_DIGITS}g}")
        if exact >= 0:
            return positive.text(exact)
        return negative.text(-exact) if negative else f"-{positive.text(-exact)}"

    return write


def is_date_format(code: str) -> bool:
    """Whether a format is one of dates and times; durations, such as `[h]:mm`, are none."""
    positive = code.split(";")[0]
    return not _DURATION.search(positive) and any(
        letter in "ymdhsYMDHS" for letter in _NOT_LETTERS.sub("", positive)
    )


def _section(code: str) -> _Section | None:
    match = _SECTION.fullmatch(code)
    if match is None:
        return None
    before, whole, decimals, more_decimals, after = match.groups(default="")
    signs = [part[3] for part in _PART.findall(whole)]
    if "%" in signs or "/" in signs:
        return None
    texts = ["".join("".join(parts) for parts in _PART.findall(text)) for text in (before, after)]
    percents = sum(part[3] == "%" for text in (before, after) for part in _PART.findall(text))
    return _Section(
        texts[0],
        signs.count("0"),
        _texts_inside(whole),
        len(decimals),
        len(more_decimals),
        "," in whole,
        texts[1],
        percents,
    )


def _texts_inside(whole: str) -> tuple[tuple[int, str], ...]:
    """The texts between the digits of a format, each with the number of digits behind it."""
    parts = [(part[3], "".join(part)) for part in _PART.findall(whole)]
    return tuple(
        (sum(digit == "0" for digit, _text in parts[index:]), text)
        for index, (digit, text) in enumerate(parts)
        if text and digit not in ("0", "#", ",")
    )
