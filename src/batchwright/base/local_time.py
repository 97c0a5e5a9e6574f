"""Local time: the same on all systems, and for every time that an answer can have."""

import os
import sys
from datetime import UTC, date, datetime, time

_VARIABLE = "TZ"


def use_time_zone_of_system() -> None:
    """On Windows, ignore the variable `TZ`, as Windows itself and Qt do; call it before anything is shown.

    Shells of Unix set it to a name such as Europe/Berlin. The C runtime does not know these names: it would
    take them for Greenwich, with the summer time of the USA.
    """
    if sys.platform == "win32" and os.environ.pop(_VARIABLE, None) is not None:
        import ctypes  # noqa: PLC0415 - rarely needed

        ctypes.CDLL("ucrtbase")._tzset()  # noqa: SLF001 - the name of a function of C


def local_time(moment: datetime) -> datetime:
    """A time in the time zone of the user, or in UTC if the system cannot convert it.

    Windows converts no times before 1970 and after 3000.
    """
    try:
        return moment.astimezone()
    except (OSError, OverflowError, ValueError):
        return moment.astimezone(UTC)


def start_of_day(day: date) -> datetime:
    """The start of a day in the time zone of the user, or in UTC if the system cannot convert it."""
    midnight = datetime.combine(day, time())
    try:
        return midnight.astimezone()
    except (OSError, OverflowError, ValueError):
        return midnight.replace(tzinfo=UTC)
