"""Jackknife intervals: how much an estimate changes when one unit is left out."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from batchwright.analysis.statistics.intervals import NO_INTERVAL, Interval, mean_interval

_TINY = 1e-12


@dataclass(frozen=True, eq=False)
class Samples:
    """All units, and all but one: a sample for each pattern, from which one of its units is left out."""

    weights: np.ndarray
    """How many units have each pattern."""

    def sums(self, columns: np.ndarray) -> np.ndarray:
        """The sums of columns over the units: first of all units, then of each sample."""
        values = np.asarray(columns, dtype=np.float64)
        total = self.weights @ values
        return np.concatenate([total[None], total - values])


Coefficient = Callable[[Samples], np.ndarray]
"""Returns the coefficient of all units, and then that of each sample; NaN where it is undefined."""


class Estimate(NamedTuple):
    """A coefficient with its interval."""

    value: float
    interval: Interval


def estimate(coefficient: Coefficient, weights: np.ndarray, units: int, lowest: float = -1.0) -> Estimate:
    """Compute a coefficient and its t interval with the standard error of the jackknife.

    There is no interval if the coefficient is undefined in a sample, or the same in all: units that all agree
    do not tell how much others would.

    Tukey, J. W. (1958). Bias and confidence in not-quite large samples.

    Args:
        coefficient: the coefficient.
        weights: how many units have each pattern.
        units: the number of units that the coefficient is about, for example those with several ratings.
        lowest: the lowest value that it can have; the highest one is 1.
    """
    values, total = coefficient(Samples(weights)), int(weights.sum())
    value, samples = float(values[0]), values[1:]
    if units < 2 or not np.isfinite(values).all() or np.ptp(samples) < _TINY:
        return Estimate(value, NO_INTERVAL)
    squares = float(weights @ (samples - weights @ samples / total) ** 2)
    deviation = math.sqrt((total - 1) * squares)
    low, high = mean_interval(value, deviation, total, units - 1)
    return Estimate(value, Interval(max(low, lowest), min(high, 1.0)))
