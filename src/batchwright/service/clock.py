"""Times as the service stores them: milliseconds since 1970, UTC."""

import time
from datetime import datetime, timedelta
from functools import lru_cache

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

_START = datetime(1970, 1, 1)


def now() -> int:
    """The current time."""
    return time.time_ns() // 1_000_000


def timestamp(milliseconds: int) -> str:
    """A time as text, such as `2026-03-03T08:00:00.001Z` (wire reference, section 1.4)."""
    second, rest = divmod(milliseconds, SECOND)
    return f"{_until_second(second)}.{rest:03d}Z"


@lru_cache(maxsize=1024)
def _until_second(seconds: int) -> str:
    """A time without its fraction; cached because long lists have many times in the same second."""
    return (_START + timedelta(seconds=seconds)).isoformat()
