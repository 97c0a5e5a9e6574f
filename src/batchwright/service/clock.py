"""The time, as the service counts it: milliseconds since 1970, UTC."""

import time
from datetime import datetime, timedelta

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE

_START = datetime(1970, 1, 1)
_MILLISECOND = timedelta(milliseconds=1)


def now() -> int:
    """This moment."""
    return time.time_ns() // 1_000_000


def timestamp(milliseconds: int) -> str:
    """A moment as it travels: `2026-03-03T08:00:00.001Z` (wire.md 1.4)."""
    return (_START + milliseconds * _MILLISECOND).isoformat(timespec="milliseconds") + "Z"
