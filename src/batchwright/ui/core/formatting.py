"""Formats counts, sizes, times and ids for display, in the user's locale."""

from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QCollator, QCollatorSortKey, QLocale, Qt, QTime

from batchwright.base.i18n import _, ngettext
from batchwright.base.local_formats import date_text
from batchwright.base.local_time import local_time
from batchwright.client.job_monitoring.transfer_rate import TransferRate

_LONG_ID = 12
_MAX_COMPARED = 200
_MINUTE, _HOUR = 60, 3600


def number(count: int) -> str:
    """A count with group separators."""
    return _reader().toString(count)


def decimal(value: float, digits: int) -> str:
    """A finite number with group separators and so many decimal places."""
    return _reader().toString(float(value), "f", digits)


def name_order(name: str) -> QCollatorSortKey:
    """What names are sorted by: the alphabet of the user's language, without case, and numbers by value.

    Of a long text, only the start counts.
    """
    return _collator(_reader().name()).sortKey(name[:_MAX_COMPARED])


@lru_cache(maxsize=1)
def _collator(locale: str) -> QCollator:
    collator = QCollator(QLocale(locale))
    collator.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    collator.setNumericMode(True)
    return collator


def records(count: int) -> str:
    """A number of records, as "1,000 records"."""
    return ngettext("{count} record", "{count} records", count).format(count=number(count))


def tasks(count: int) -> str:
    """A number of tasks, as "12 tasks"."""
    return ngettext("{count} task", "{count} tasks", count).format(count=number(count))


def size(count: int) -> str:
    """A number of bytes in a suitable unit, as "3.4 MB"."""
    if count == 1:
        return ngettext("{count} byte", "{count} bytes", count).format(count=number(count))
    text: str = _reader().formattedDataSize(count, 1, QLocale.DataSizeFormat.DataSizeSIFormat)
    return text


def duration(seconds: float) -> str:
    """A duration in hours and minutes, or in minutes or seconds if it is short."""
    if seconds < _MINUTE:
        return _("{seconds} s").format(seconds=number(max(1, round(seconds))))
    minutes = round(seconds / _MINUTE)
    if seconds < _HOUR:
        return _("{minutes} min").format(minutes=number(minutes))
    hours, minutes = divmod(minutes, _MINUTE)
    return _("{hours} h {minutes} min").format(hours=number(hours), minutes=number(minutes))


def transfer_progress(done: int, total: int | None, rate: TransferRate) -> str:
    """The progress of a file transfer: bytes done and total and, if known, rate and remaining time."""
    if total is None:
        text = size(done)
    else:
        text = _("{done} of {total}").format(done=size(done), total=size(total))
    if not rate.speed:
        return text
    text = _("{moved}, {speed} a second").format(moved=text, speed=size(round(rate.speed)))
    remaining = None if total is None else rate.seconds_for(total - done)
    return (
        text if remaining is None else _("{moved}, {time} left").format(moved=text, time=duration(remaining))
    )


def short_datetime(moment: datetime | None, now: datetime | None = None) -> str:
    """The time for today, the date for any other day; empty for None."""
    if moment is None:
        return ""
    today = local_time(now or datetime.now(UTC)).date()
    return clock(moment) if local_time(moment).date() == today else day(moment)


def clock(moment: datetime) -> str:
    """The time of day of a datetime."""
    local = local_time(moment)
    return _reader().toString(QTime(local.hour, local.minute), QLocale.FormatType.ShortFormat)


def day(moment: datetime, *, with_year: bool = True) -> str:
    """The date of a datetime."""
    return date_text(local_time(moment).date(), with_year=with_year)


def short_folder(folder: Path) -> str:
    """A path, with "~" for the home folder."""
    home = Path.home()
    return Path("~", folder.relative_to(home)).as_posix() if folder.is_relative_to(home) else str(folder)


def abbreviated_id(id: str) -> str:
    """An id shortened in its middle."""
    return f"{id[:4]}…{id[-4:]}" if len(id) > _LONG_ID else id


def _reader() -> QLocale:
    """The user's locale; English if the system specifies none, like the texts of the program."""
    locale = QLocale()
    if locale.language() is QLocale.Language.C:
        return QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
    return locale
