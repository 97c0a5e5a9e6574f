"""Parsing and writing timestamps of the API (wire reference, section 1.4).

Does not import pydantic, so that it can be used before the models are loaded.
"""

from datetime import UTC, datetime, timedelta

from batchwright.base.i18n import _

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def read_timestamp(value: object) -> datetime:
    """Convert a string or an aware datetime to UTC, truncated to milliseconds.

    Accepts no fraction or up to nine digits, and `Z` or a numeric offset; a string without an offset is taken
    as UTC (wire reference, section 1.4).

    Raises:
        ValueError: the value is not a timestamp.
    """
    if isinstance(value, str):
        moment = datetime.fromisoformat(value)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    elif isinstance(value, datetime) and value.tzinfo:
        moment = value
    else:
        raise ValueError(_("Not a timestamp with a time zone."))
    try:
        moment = moment.astimezone(UTC)
    except OverflowError:
        raise ValueError(_("This timestamp is out of range.")) from None
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def write_timestamp(moment: datetime) -> str:
    """Format a datetime as `2026-03-03T08:00:00.001Z`: always UTC, always milliseconds.

    Raises:
        ValueError: the datetime has no time zone.
    """
    return read_timestamp(moment).replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def read_http_date(text: str) -> datetime | None:
    """Parse a header such as `Date`, `Retry-After` or `Sunset`; None if it is not a date in UTC."""
    from email.utils import parsedate_to_datetime  # imported late: not needed at the start of the program  # noqa: PLC0415

    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return moment if moment.tzinfo else None


def from_milliseconds(milliseconds: int) -> datetime:
    """Convert milliseconds since the start of 1970, UTC, to a datetime."""
    return EPOCH + milliseconds * _MILLISECOND


def to_milliseconds(moment: datetime) -> int:
    """Convert a datetime to whole milliseconds since the start of 1970, UTC."""
    return (moment - EPOCH) // _MILLISECOND
