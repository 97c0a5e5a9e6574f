"""Poll intervals of jobs."""

import math
import random
from collections.abc import Callable, Iterator
from typing import Final

MAX_PAUSE_S: Final = 15.0
"""Maximum seconds between two polls, unless the user has chosen another number."""
POLL_ALIGNMENT_S: Final = 5.0
"""Long pauses end at multiples of this many seconds, so that all monitors poll together."""


def backoff(
    first: float = 1, longest: float | Callable[[], float] = MAX_PAUSE_S, growth: float = 1.5
) -> Iterator[float]:
    """Yield pauses in seconds without end: from `first` up to `longest`, each randomly up to a fifth shorter.

    The end of a short job is noticed soon, and a job that takes hours is not polled every second. If
    `longest` is a function, it is called for each pause.
    """
    pause = first
    while True:
        yield pause * random.uniform(0.8, 1)  # noqa: S311 - spreads clients out; no secret depends on it
        pause = min(pause * growth, longest() if callable(longest) else longest)


def local_poll_intervals() -> Iterator[float]:
    """Yield the pauses in seconds between polls of the service on this computer: from 0.05 s up.

    Each pause is 1.2 times as long as the previous one, about a fifth of the time since the latest change,
    so that the end of a job is noticed soon, and jobs that wait for a file for hours take no time.
    """
    return backoff(first=0.05, growth=1.2)


def align_to_beat(pause: float, now: float) -> float:
    """Extend or shorten a long pause (in seconds) to end at a multiple of `POLL_ALIGNMENT_S`.

    All monitors poll at the same time, because an idle computer takes three times as long for a poll as a
    busy one: twenty jobs cost a third when they are polled together. The result exceeds neither the pause nor
    `MAX_PAUSE_S`, whichever is longer; pauses shorter than `2 * POLL_ALIGNMENT_S` are returned unchanged.

    Args:
        pause: the pause to be aligned.
        now: the time of the event loop's clock, which all monitors share.
    """
    if pause < 2 * POLL_ALIGNMENT_S:
        return pause
    end = math.ceil((now + pause) / POLL_ALIGNMENT_S) * POLL_ALIGNMENT_S
    return (end if end - now <= MAX_PAUSE_S else end - POLL_ALIGNMENT_S) - now
