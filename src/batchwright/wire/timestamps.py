"""Timestamps as they travel; without the libraries that the models of the wire are made of.

Wire reference, section 1.4.
"""

from datetime import UTC, datetime, timedelta

from batchwright.base.i18n import _

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def read_timestamp(value: object) -> datetime:
    """A moment in UTC, cut to whole milliseconds, from a text or an aware datetime.

    Lenient: no fraction or up to nine digits of one, `Z` or a numeric offset; a text that names
    no offset is taken as UTC (wire reference, 1.4).

    Raises:
        ValueError: the value is no moment.
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
    """A moment as `2026-03-03T08:00:00.001Z`: always UTC, always milliseconds.

    Raises:
        ValueError: the datetime has no time zone.
    """
    return read_timestamp(moment).replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def read_http_date(text: str) -> datetime | None:
    """The moment of a header such as `Date`, `Retry-After` or `Sunset`; None for what is no date in UTC."""
    from email.utils import parsedate_to_datetime  # the program's start needs no dates of headers

    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return moment if moment.tzinfo else None


def from_milliseconds(milliseconds: int) -> datetime:
    """The moment so many milliseconds after the start of 1970, UTC."""
    return EPOCH + milliseconds * _MILLISECOND


def to_milliseconds(moment: datetime) -> int:
    """How many whole milliseconds after the start of 1970, UTC, a moment lies."""
    return (moment - EPOCH) // _MILLISECOND
