"""How long to pause between two looks at a job."""

import math
import random
from collections.abc import Iterator
from typing import Final

MAX_PAUSE_S: Final = 15.0
"""Seconds between two looks at the most."""
POLL_ALIGNMENT_S: Final = 5.0
"""Seconds between the moments at which long pauses end."""


def backoff(first: float = 1, longest: float = MAX_PAUSE_S, growth: float = 1.5) -> Iterator[float]:
    """Pauses without end, in seconds: from `first` up to `longest`, each up to a fifth shorter by chance.

    A job that is soon done is soon seen to be; one that takes hours is not asked about every second.
    """
    pause = first
    while True:
        yield pause * random.uniform(0.8, 1)  # noqa: S311 - spreads clients out; no secret depends on it
        pause = min(pause * growth, longest)


def align_to_beat(pause: float, now: float) -> float:
    """A pause in seconds that ends on a beat where it is a long one, and is no longer than the longest.

    A computer at rest takes several times as long for a look as a busy one, so that looks are made together.

    Args:
        pause: how long it would be by itself.
        now: the time by the clock of the event loop, which gives every monitor the same beat.
    """
    if pause < 2 * POLL_ALIGNMENT_S:
        return pause
    end = math.ceil((now + pause) / POLL_ALIGNMENT_S) * POLL_ALIGNMENT_S
    return (end if end - now <= MAX_PAUSE_S else end - POLL_ALIGNMENT_S) - now
