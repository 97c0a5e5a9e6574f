"""Numbers, dates, lists, quotation marks and names of languages, by the conventions of the language of texts.

The conventions are those of Babel, which is imported when the first text needs it. What programs read (CSV,
JSON, exports, paths) is never written with these functions.
"""

from collections.abc import Iterable
from contextlib import suppress
from copy import copy
from datetime import date
from decimal import Context, Decimal, localcontext
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from batchwright.base.i18n import SOURCE_LANGUAGE, _, current_language

if TYPE_CHECKING:
    from babel import Locale
    from babel.numbers import NumberPattern


_EXACT = Context(prec=350)
"""With more digits than any float has before and after the decimal point."""


def load_formats() -> None:
    """Read the conventions of the language; otherwise, the first text that needs them waits for that."""
    decimal_text(0, 0)
    date_text(date.min)


def count_text(count: int) -> str:
    """A count with group separators."""
    return decimal_text(count, 0)


def decimal_text(value: float, digits: int) -> str:
    """A finite number with group separators and so many decimal places."""
    return _written(value, "decimal_formats", digits)


def percent_text(share: float, digits: int = 0) -> str:
    """A share, such as 0.125, in per cent."""
    return _written(share, "percent_formats", digits)


def has_decimal_point() -> bool:
    """Whether the language of texts, which may have no translation, writes decimal places after a point."""
    from babel.numbers import get_decimal_symbol  # not needed in the first window  # noqa: PLC0415

    return get_decimal_symbol(_locale(current_language().tag), numbering_system="default") == "."


def date_text(day: date, *, with_year: bool = True) -> str:
    """A date with the short name of its month."""
    from babel.dates import format_skeleton  # read by `load_formats` after the start  # noqa: PLC0415

    locale = _locale(current_language().locale)
    text: str = format_skeleton("yMMMd" if with_year else "MMMd", day, locale=locale)
    return text


def _written(value: float, formats: str, digits: int) -> str:
    tag = current_language().locale
    number = Decimal(value if isinstance(value, int) else float(value))
    with localcontext(_EXACT):
        text: str = _pattern(tag, formats, digits).apply(number, _locale(tag))
    return text


@lru_cache
def _pattern(tag: str, formats: str, digits: int) -> "NumberPattern":
    """How a language writes numbers with so many decimal places."""
    pattern: NumberPattern = copy(getattr(_locale(tag), formats)[None])
    pattern.frac_prec = (digits, digits)
    return pattern


def joined(texts: Iterable[str], most: int | None = None) -> str:
    """Texts with the separator of lists between them, as "a, b, c"; of more than `most`, those and "…"."""
    listed = list(texts if most is None else islice(texts, most + 1))
    if most is not None and len(listed) > most:
        listed[most] = "…"
    pattern = _locale(current_language().locale).list_patterns["standard"]["middle"]
    separator: str = pattern.format("", "")
    return separator.join(listed)


def language_name(tag: str) -> str:
    """The name of a language and of its region, if that is given, in the language itself."""
    return _locale(tag).display_name or tag


def quoted(text: str) -> str:
    """A text in quotation marks."""
    return _("“{name}”").format(name=text)


@lru_cache(maxsize=16)
def _locale(tag: str) -> "Locale":
    """The conventions for a tag; those of its language if they are not known for the region."""
    from babel import Locale, UnknownLocaleError  # not needed in the first window  # noqa: PLC0415

    for name in (tag, tag.partition("-")[0]):
        with suppress(
            UnknownLocaleError, ValueError, OSError
        ):  # a build has the conventions of some languages
            locale = Locale.parse(name, sep="-")
            locale.decimal_formats  # noqa: B018 - reads the conventions
            return locale
    return Locale.parse(SOURCE_LANGUAGE)
