"""The texts of values in spreadsheets: dates as in ISO 8601, booleans as `TRUE` and `FALSE`."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from batchwright.data_files.sources.number_formats import SIGNIFICANT_DIGITS

FIRST_DAY, FIRST_DAY_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)
"""The days that spreadsheets count as 0."""
_DAY_MS = 86_400_000
_MOST_WITHOUT_EXPONENT = 1e21


def cell_text(value: Any) -> str:
    """The text of a value without a format."""
    match value:
        case str():
            return value
        case bool():
            return "TRUE" if value else "FALSE"
        case float() | int():
            return number_text(value)
        case datetime():
            return value.date().isoformat() if value.time() == time() else _clock(value.isoformat(" "))
        case time():
            return _clock(value.isoformat())
        case date():
            return value.isoformat()
        case timedelta():
            return duration_text(value)
    return str(value)


def early_date(first_day: datetime, days: float) -> str:
    """The date of a negative number of days, which Excel does not show, and other programs do."""
    try:
        return cell_text(first_day + timedelta(milliseconds=round(days * _DAY_MS)))
    except OverflowError:
        return number_text(days)


def has_time(value: Any) -> bool:
    """Whether a value is a date with a time of day other than midnight."""
    return isinstance(value, datetime) and value.time() != time()


def number_text(number: float) -> str:
    """A number with at most 15 significant digits, as spreadsheet programs show it."""
    text = f"{number:.{SIGNIFICANT_DIGITS}g}"
    return f"{Decimal(text):f}" if "e" in text and 1 <= abs(number) < _MOST_WITHOUT_EXPONENT else text


def duration_text(duration: timedelta) -> str:
    """Hours, minutes and seconds, such as 36:00:00."""
    sign, seconds = ("-", -duration) if duration < timedelta() else ("", duration)
    whole, rest = divmod(seconds, timedelta(seconds=1))
    fraction = f".{rest.microseconds:06}".rstrip("0") if rest else ""
    return f"{sign}{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}{fraction}"


def _clock(text: str) -> str:
    """A text that ends with a time, without zeros after a decimal point."""
    return text.rstrip("0") if "." in text else text
