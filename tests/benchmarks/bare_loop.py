"""A bare loop to compare with, where there is no library or smaller case."""

import time
from collections.abc import Callable


def loop_seconds(clock: Callable[[], float] = time.process_time) -> float:
    """The CPU seconds of adding up a hundred thousand numbers; some milliseconds on most computers."""
    started, total = clock(), 0
    for number in range(100_000):
        total += number
    return clock() - started
