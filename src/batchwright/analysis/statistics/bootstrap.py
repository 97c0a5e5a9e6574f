"""Bootstrap standard errors: units are drawn with replacement, with a seeded generator."""

import math
from collections.abc import Iterator

import numpy as np

from batchwright.analysis.statistics.intervals import NO_INTERVAL, Interval, mean_interval

RESAMPLES = 1000
_BLOCK = 500_000
"""Maximum number of weights in memory."""
_MAX_REPEATS = 8
"""Units per pattern above which it is faster to draw the number of each pattern than each unit."""
_TINY = 1e-12
_MIN_DEFINED = 0.9
"""Fraction of samples in which an estimate must be defined for an interval."""


def samples_of(weights: np.ndarray, resamples: int, seed: int) -> Iterator[np.ndarray]:
    """Yield blocks of rows of weights: how often the units of each pattern were drawn in each sample."""
    random, units, width = np.random.default_rng(seed), int(weights.sum()), len(weights)
    rows = max(1, _BLOCK // width)
    pattern_of = np.repeat(np.arange(width), weights) if units < _MAX_REPEATS * width else None
    for start in range(0, resamples, rows):
        count = min(rows, resamples - start)
        if pattern_of is None:
            yield random.multinomial(units, weights / units, size=count).astype(np.float64)
        else:
            drawn = pattern_of[random.integers(0, units, size=(count, units))]
            cells = (drawn + np.arange(count)[:, None] * width).reshape(-1)
            drawn_counts = np.bincount(cells, minlength=count * width)
            yield drawn_counts.reshape(count, width).astype(np.float64)


def standard_error_interval(value: float, samples: np.ndarray, units: int) -> Interval:
    """The t interval of an estimate with the standard deviation of its samples as standard error.

    For estimates like logarithmic strengths, which are farther from 0 than the truth on average, and their
    samples again farther than the estimate. There is none if too many samples are undefined.
    """
    defined = samples[np.isfinite(samples)]
    if units < 2 or len(defined) < _MIN_DEFINED * len(samples) or np.ptp(defined) < _TINY:
        return NO_INTERVAL
    return mean_interval(value, float(defined.std()) * units / math.sqrt(units - 1), units)
