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
    """The CPU seconds of sorting numbers of 2000 different values, of a sum for each value, and of counting a
    third of the numbers, in NumPy: about the proportions of the statistics that are compared with it.

    How fast a processor is in NumPy says little about how fast it is in a loop; and how fast it sorts in a
    stable order, little about how fast it counts, since NumPy has faster other sorts for some processors.
    """
    random = np.random.default_rng(1)
    values, weights = random.integers(0, 2000, numbers), random.random(numbers)
    started = time.process_time()
    order = np.argsort(values, kind="stable")
    np.bincount(values[order], weights=weights[order])
    np.unique(values[: numbers // 3], return_inverse=True)
    return time.process_time() - started
