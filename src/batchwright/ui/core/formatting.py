"""Counts, sizes, moments and ids in the locale of the person."""

from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import QDate, QLocale, QTime

from batchwright.base.i18n import _, ngettext
from batchwright.client.transfer_rate import TransferRate

_LONG_ID = 12
_MINUTE, _HOUR = 60, 3600


def number(count: int) -> str:
    """A count, its digits in groups."""
    return _reader().toString(count)


def records(count: int) -> str:
    """So many records."""
    return ngettext("{count} record", "{count} records", count).format(count=number(count))


def tasks(count: int) -> str:
    """So many tasks."""
    return ngettext("{count} task", "{count} tasks", count).format(count=number(count))


def size(count: int) -> str:
    """So many bytes, in the unit that suits."""
    if count == 1:
        return ngettext("{count} byte", "{count} bytes", count).format(count=number(count))
    text: str = _reader().formattedDataSize(count, 1, QLocale.DataSizeFormat.DataSizeSIFormat)
    return text


def duration(seconds: float) -> str:
    """So much time, as roughly as it is known."""
    if seconds < _MINUTE:
        return _("{seconds} s").format(seconds=number(max(1, round(seconds))))
    minutes = round(seconds / _MINUTE)
    if seconds < _HOUR:
        return _("{minutes} min").format(minutes=number(minutes))
    hours, minutes = divmod(minutes, _MINUTE)
    return _("{hours} h {minutes} min").format(hours=number(hours), minutes=number(minutes))


def transfer_progress(done: int, total: int | None, rate: TransferRate) -> str:
    """How far a file is, and as far as it is known how fast it moves and when it will be there."""
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
    """The time for what was today, else the day; empty for never."""
    if moment is None:
        return ""
    today = (now or datetime.now(UTC)).astimezone().date()
    return clock(moment) if moment.astimezone().date() == today else day(moment)


def clock(moment: datetime) -> str:
    """The time of a moment."""
    local = moment.astimezone()
    return _reader().toString(QTime(local.hour, local.minute), QLocale.FormatType.ShortFormat)


def day(moment: datetime, *, with_year: bool = True) -> str:
    """The day of a moment."""
    local = moment.astimezone()
    return _reader().toString(
        QDate(local.year, local.month, local.day), "d MMM yyyy" if with_year else "d MMM"
    )


def short_folder(folder: Path) -> str:
    """A folder with the home folder as a tilde."""
    home = Path.home()
    return Path("~", folder.relative_to(home)).as_posix() if folder.is_relative_to(home) else str(folder)


def abbreviated_id(id: str) -> str:
    """An id cut in its middle."""
    return f"{id[:4]}…{id[-4:]}" if len(id) > _LONG_ID else id


def _reader() -> QLocale:
    """The locale of the person; a computer that has been told none speaks English, as the program does."""
    locale = QLocale()
    if locale.language() is QLocale.Language.C:
        return QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
    return locale
