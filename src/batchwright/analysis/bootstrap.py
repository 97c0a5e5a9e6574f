"""Bootstrap intervals: units are drawn with replacement, with a seeded generator."""

from typing import NamedTuple

import numpy as np

from batchwright.analysis.coefficients import Coefficient
from batchwright.analysis.intervals import LEVEL, NO_INTERVAL, Interval

RESAMPLES = 1000
_FEWER_RESAMPLES = 200
_MAX_WEIGHTS = 20_000_000
"""Maximum number of weights of all samples; with more patterns, fewer samples are drawn."""
_BLOCK = 2_000_000
"""Maximum number of weights in memory."""
_MIN_DEFINED = 0.9
"""Fraction of samples in which a coefficient must be defined for an interval."""


class Estimate(NamedTuple):
    """A coefficient with its interval, and the number of samples that this is based on."""

    value: float
    interval: Interval
    resamples: int


def estimate(coefficient: Coefficient, weights: np.ndarray, seed: int) -> Estimate:
    """Compute a coefficient and its percentile interval.

    Args:
        coefficient: called with rows of weights.
        weights: how many units have each pattern.
        seed: the same one gives the same interval.
    """
    value = float(coefficient(np.asarray(weights, dtype=np.float64)[None, :])[0])
    units = int(weights.sum())
    if units < 2 or not np.isfinite(value):
        return Estimate(value, NO_INTERVAL, 0)
    resamples = RESAMPLES if len(weights) * RESAMPLES <= _MAX_WEIGHTS else _FEWER_RESAMPLES
    random = np.random.default_rng(seed)
    rows = max(1, _BLOCK // len(weights))
    samples = [
        coefficient(
            random.multinomial(units, weights / units, size=min(rows, resamples - start)).astype(float)
        )
        for start in range(0, resamples, rows)
    ]
    return Estimate(value, percentile_interval(np.concatenate(samples)), resamples)


def percentile_interval(samples: np.ndarray) -> Interval:
    """Return the percentile interval; none if a coefficient is undefined in too many samples."""
    defined = samples[np.isfinite(samples)]
    if len(defined) < _MIN_DEFINED * len(samples) or not len(defined):
        return NO_INTERVAL
    low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(low), float(high))
