"""The time, as the service counts it: milliseconds since 1970, UTC."""

import time
from datetime import datetime, timedelta
from functools import lru_cache

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE

_START = datetime(1970, 1, 1)


def now() -> int:
    """This moment."""
    return time.time_ns() // 1_000_000


def timestamp(milliseconds: int) -> str:
    """A moment as it travels: `2026-03-03T08:00:00.001Z` (wire.md 1.4)."""
    second, rest = divmod(milliseconds, SECOND)
    return f"{_until_second(second)}.{rest:03d}Z"


@lru_cache(maxsize=1024)
def _until_second(seconds: int) -> str:
    """A moment without its fraction; long lists hold many moments of the same second."""
    return (_START + timedelta(seconds=seconds)).isoformat()
