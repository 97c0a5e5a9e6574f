"""Long work in a thread that lets the one that paints come to its turn (GIL)."""

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

_INTERVAL_S = 0.001
"""Seconds of work between two breaths."""


def yielding_gil(work: Iterable[T]) -> Iterator[T]:
    """The same things; between two of them the thread gives others a turn about every millisecond.

    A thread that computes on and on keeps the event loop waiting at each of its steps: reading a million
    lines made it wait 350 ms, and 13 ms with breaths in between.
    """
    due = time.perf_counter() + _INTERVAL_S
    for thing in work:
        yield thing
        if time.perf_counter() >= due:
            time.sleep(0)
            due = time.perf_counter() + _INTERVAL_S
