"""A bare loop to compare with, in Python and in NumPy, where there is no library or smaller case."""

import time
from collections.abc import Callable

import numpy as np


def loop_seconds(clock: Callable[[], float] = time.process_time, numbers: int = 100_000) -> float:
    """The seconds of adding up numbers: CPU time unless another clock is given. It takes some milliseconds on
    most computers.
    """
    started, total = clock(), 0
    for number in range(numbers):
        total += number
    return clock() - started


def numpy_seconds(numbers: int) -> float:
    """The CPU seconds of sorting numbers of 2000 different values, and of a sum for each value, in NumPy.

    How fast a processor is in NumPy says little about how fast it is in a loop.
    """
    random = np.random.default_rng(1)
    values, weights = random.integers(0, 2000, numbers), random.random(numbers)
    started = time.process_time()
    order = np.argsort(values, kind="stable")
    np.bincount(values[order], weights=weights[order])
    return time.process_time() - started
