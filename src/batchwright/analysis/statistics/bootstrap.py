"""Bootstrap intervals: units are drawn with replacement, with a seeded generator."""

import math
from collections.abc import Iterator, Sequence
from functools import cache
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from batchwright.analysis.statistics.coefficients import Coefficient
from batchwright.analysis.statistics.intervals import LEVEL, NO_INTERVAL, Interval, mean_interval, t_quantile

RESAMPLES = 1000
_FEWER_RESAMPLES = 200
_MAX_WEIGHTS = 10_000_000
"""Maximum number of weights of all samples; with more patterns, fewer samples are drawn."""
_BLOCK = 500_000
"""Maximum number of weights in memory."""
_MAX_REPEATS = 8
"""Units per pattern above which it is faster to draw the number of each pattern than each unit."""
_TINY = 1e-12
_MIN_DEFINED = 0.9
"""Fraction of samples in which a coefficient must be defined for an interval."""


class Estimate(NamedTuple):
    """A coefficient with its interval, and the number of samples that this is based on."""

    value: float
    interval: Interval
    resamples: int


def estimate(coefficient: Coefficient, weights: np.ndarray, seed: int) -> Estimate:
    """Compute a coefficient and its percentile interval, see `estimates`."""
    return estimates([coefficient], weights, int(weights.sum()), seed)[0]


def estimates(
    coefficients: Sequence[Coefficient], weights: np.ndarray, units: int, seed: int
) -> list[Estimate]:
    """Compute coefficients and their percentile intervals from the same samples.

    Args:
        coefficients: called with rows of weights.
        weights: how many units have each pattern.
        units: the number of units that the coefficients are about, for example those with several ratings.
        seed: the same one gives the same intervals.
    """
    row = np.asarray(weights, dtype=np.float64)[None, :]
    values = [float(coefficient(row)[0]) for coefficient in coefficients]
    if units < 2 or not np.isfinite(values).any():
        return [Estimate(value, NO_INTERVAL, 0) for value in values]
    resamples = RESAMPLES if len(weights) * RESAMPLES <= _MAX_WEIGHTS else _FEWER_RESAMPLES
    blocks = [
        [coefficient(block) for coefficient in coefficients] for block in samples_of(weights, resamples, seed)
    ]
    intervals = [percentile_interval(np.concatenate(column), units) for column in zip(*blocks, strict=True)]
    return [
        Estimate(value, interval, resamples) if np.isfinite(value) else Estimate(value, NO_INTERVAL, 0)
        for value, interval in zip(values, intervals, strict=True)
    ]


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


def percentile_interval(samples: np.ndarray, units: int) -> Interval:
    """The percentile interval, expanded for few units.

    There is none if a coefficient is undefined in too many samples, or the same in all: units that all agree
    do not tell how much others would.
    """
    defined = samples[np.isfinite(samples)]
    if len(defined) < _MIN_DEFINED * len(samples) or not len(defined) or np.ptp(defined) < _TINY:
        return NO_INTERVAL
    low, high = np.quantile(defined, [_tail(units), 1 - _tail(units)])
    return Interval(float(low), float(high))


def standard_error_interval(value: float, samples: np.ndarray, units: int) -> Interval:
    """The t interval of an estimate with the standard deviation of its samples as standard error.

    For estimates like logarithmic strengths, which are farther from 0 than the truth on average, and their
    samples again farther than the estimate. There is none if too many samples are undefined.
    """
    defined = samples[np.isfinite(samples)]
    if units < 2 or len(defined) < _MIN_DEFINED * len(samples) or np.ptp(defined) < _TINY:
        return NO_INTERVAL
    return mean_interval(value, float(defined.std()) * units / math.sqrt(units - 1), units)


@cache
def _tail(units: int) -> float:
    """The probability below the interval: that of t and of n - 1 in place of z and of n.

    Hesterberg, T. C. (2015). What teachers should know about the bootstrap.
    """
    t = t_quantile((1 + LEVEL) / 2, units - 1)
    return NormalDist().cdf(-t * math.sqrt(units / (units - 1)))
