"""The time, as the service counts it: milliseconds since 1970, UTC."""

import time

from batchwright.wire.values import from_milliseconds, write_timestamp

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE


def now() -> int:
    """This moment."""
    return time.time_ns() // 1_000_000


def timestamp(milliseconds: int) -> str:
    """A moment as it travels: `2026-03-03T08:00:00.001Z` (wire.md 1.4)."""
    return write_timestamp(from_milliseconds(milliseconds))
