"""Confidence intervals of shares, means and medians, also if several answers are about the same record."""

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

LEVEL = 0.95
"""The confidence level of all intervals."""
Z = NormalDist().inv_cdf((1 + LEVEL) / 2)
_MIN_RECORDS = 2
_MANY_VALUES = 1000
_MAX_STEPS = 5000
_TINY = 1e-300
_PRECISION = 1e-12


class Interval(NamedTuple):
    """The ends of an interval; NaN if there is none."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """The distance of the ends."""
        return self.high - self.low


NO_INTERVAL = Interval(math.nan, math.nan)


def effective_size(count: int, records: float, total: float, between: float) -> float:
    """How many independent answers tell as much about further records as `count` answers.

    Answers about the same record are more alike than others, so that a second one tells less. The number of
    answers is divided by the design effect: the variance of the mean if records are drawn, by that if answers
    are, but at least 1 (Kish, 1965). Answers that are all the same count once for each record. Answers about
    a single record tell nothing about others: their effective number is 0.

    Args:
        count: the number of answers.
        records: the number of records that they are about, or of other clusters of answers that are alike.
        total: the sum of the squared differences of the answers from their mean.
        between: the same of records, whose difference is the sum of those of their answers.
    """
    if records < _MIN_RECORDS:
        return 0
    if total <= 0:
        return records
    return count / max(1.0, between / total * (1 - 1 / count) / (1 - 1 / records))


def effective_size_for_ranks(count: int, records: float, total: float, between: float) -> float:
    """The effective number of answers for an interval of a share or a median, which has no t quantile.

    The design effect of few records is itself uncertain, so that the number is multiplied with the square of
    a t quantile for the answers, divided by one for the records (Korn & Graubard, 1998).
    """
    effective = effective_size(count, records, total, between)
    return (
        effective * (level_quantile(count - 1) / level_quantile(records - 1)) ** 2
        if effective and total > 0
        else effective
    )


def wilson(count: float, total: int, effective: float | None = None) -> Interval:
    """The Wilson score interval of the share `count / total`; a tie may count as half.

    Wilson (1927), without continuity correction. `effective` is the effective number of answers, if it is not
    `total`.
    """
    if not total or effective == 0:
        return NO_INTERVAL
    share, size, square = count / total, total if effective is None else effective, Z * Z
    middle = (share + square / (2 * size)) / (1 + square / size)
    half = Z / (1 + square / size) * math.sqrt(share * (1 - share) / size + square / (4 * size * size))
    low = 0.0 if count == 0 else max(0.0, middle - half)
    high = 1.0 if count == total else min(1.0, middle + half)
    return Interval(low, high)


def mean_interval(mean: float, deviation: float, size: float, degrees: float | None = None) -> Interval:
    """The t interval of a mean, given the standard deviation and the effective number of answers.

    `degrees` are the degrees of freedom of the deviation, by default one fewer than answers.
    """
    if degrees is None:
        degrees = math.floor(size) - 1
    if degrees < 1:
        return NO_INTERVAL
    half = level_quantile(degrees) * deviation / math.sqrt(size)
    return Interval(mean - half, mean + half)


def median_rank(count: int) -> int:
    """The rank of the value that is the lower end of the interval of a median; 0 for too few values.

    The smallest value has rank 1; the upper end is as far from the largest one. From the binomial
    distribution, approximated by the normal one for more than a thousand values.
    """
    if count > _MANY_VALUES:
        return math.floor((count - Z * math.sqrt(count)) / 2)
    tail, rank = 1, 0
    while 2 * tail <= (1 - LEVEL) * 2**count:
        rank += 1
        tail += math.comb(count, rank)
    return rank


@lru_cache(maxsize=10_000)
def level_quantile(degrees: float) -> float:
    """The quantile of Student's t distribution of an interval with the level of all intervals."""
    return t_quantile((1 + LEVEL) / 2, degrees)


def t_quantile(probability: float, degrees: float) -> float:
    """The quantile of Student's t distribution for a probability of at least 0.5."""
    return _quantile(lambda t: t_probability(t, degrees), probability)


def f_quantile(probability: float, degrees: float, other_degrees: float) -> float:
    """The quantile of the F distribution."""
    return _quantile(lambda f: f_probability(f, degrees, other_degrees), probability)


def f_probability(f: float, degrees: float, other_degrees: float) -> float:
    """The probability of at most `f`, a ratio of mean squares with these degrees of freedom."""
    share = degrees * f / (degrees * f + other_degrees)
    return _incomplete_beta(share, degrees / 2, other_degrees / 2)


def _quantile(distribution: Callable[[float], float], probability: float) -> float:
    """The positive number at which a distribution has a probability."""
    low, high = 0.0, 1.0
    while distribution(high) < probability:
        high *= 2
    while high - low > _PRECISION * high:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if distribution(middle) < probability else (low, middle)
    return (low + high) / 2


def t_probability(t: float, degrees: float) -> float:
    """The probability of at most `t`, for `t` of at least 0."""
    return 1 - _incomplete_beta(degrees / (degrees + t * t), degrees / 2, 0.5) / 2


def _incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularized incomplete beta function (Abramowitz & Stegun, 26.5.8)."""
    if x in (0.0, 1.0):
        return x
    factor = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    if x < (a + 1) / (a + b + 2):
        return factor * _beta_fraction(x, a, b) / a
    return 1 - factor * _beta_fraction(1 - x, b, a) / b


def _beta_fraction(x: float, a: float, b: float) -> float:
    """Evaluate the continued fraction of the incomplete beta function with Lentz's algorithm."""
    c, d = 1.0, 1 / _nonzero(1 - (a + b) * x / (a + 1))
    result = d
    for m in range(1, _MAX_STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _nonzero(1 + term * d)
            c = _nonzero(1 + term / c)
            result *= c * d
        if abs(c * d - 1) < _PRECISION:
            break
    return result


def _nonzero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
