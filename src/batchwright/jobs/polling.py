"""How long to pause between two looks at a job."""

import random
from collections.abc import Iterator


def backoff(first: float = 1, longest: float = 15, growth: float = 1.5) -> Iterator[float]:
    """Pauses without end, in seconds: from `first` up to `longest`, each up to a fifth shorter by chance.

    A job that is soon done is soon seen to be; one that takes hours is not asked about every second.
    """
    pause = first
    while True:
        yield pause * random.uniform(0.8, 1)  # noqa: S311 - spreads clients out; no secret depends on it
        pause = min(pause * growth, longest)
