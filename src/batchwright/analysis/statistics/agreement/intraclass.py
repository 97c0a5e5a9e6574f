"""Intraclass correlations: the share of the variance of numbers between units, by analysis of variance."""

import math
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from batchwright.analysis.statistics.agreement.ratings import Ratings
from batchwright.analysis.statistics.intervals import LEVEL, NO_INTERVAL, Interval, f_quantile
from batchwright.base.i18n import N_

_TAIL = (1 + LEVEL) / 2
_TINY = 1e-12


class Form(StrEnum):
    """The form of an intraclass correlation, named as by Shrout and Fleiss (1979)."""

    ONE_WAY = "ICC(1,1)"
    """Raters differ from unit to unit; any number of ratings for each unit."""
    AGREEMENT = "ICC(2,1)"
    """All raters rate all units and are a sample of raters; how far their ratings are equal."""
    MEAN = "ICC(2,k)"
    """The same of the mean of the ratings of all raters; NaN where that of one is at most -1 / (k - 1)."""
    CONSISTENCY = "ICC(3,1)"
    """All raters rate all units; raters who are always higher or lower do not matter."""

    @property
    def model(self) -> str:
        """The model of the analysis of variance, and what is compared."""
        return _MODELS[self]


_MODELS = {
    Form.ONE_WAY: N_("one-way random"),
    Form.AGREEMENT: N_("two-way random, absolute agreement"),
    Form.MEAN: N_("two-way random, absolute agreement of the mean"),
    Form.CONSISTENCY: N_("two-way mixed, consistency"),
}


@dataclass(frozen=True)
class Correlation:
    """An intraclass correlation with its F interval; none if the units or the ratings of each are equal."""

    form: Form
    value: float
    interval: Interval
    units: int
    """Number of units that it is about."""


def intraclass_correlations(ratings: Ratings) -> list[Correlation]:
    """All forms that fit ratings by numbers: one-way, and two-way if units were rated by all raters.

    McGraw, K. O., & Wong, S. P. (1996). Forming inferences about some intraclass correlation coefficients.
    One-way with different numbers of ratings: Donner, A. (1986). A review of inference procedures for the
    intraclass correlation coefficient in the one-way random effects model.
    """
    numbers = np.array(ratings.domain, dtype=np.float64)[ratings.values]
    numbers = numbers - numbers.mean()
    numbers /= np.abs(numbers).max(initial=0) or 1
    found = _one_way(ratings, numbers)
    matrix = _complete_units(ratings, numbers)
    return [*found, *(_two_way(matrix) if min(matrix.shape) > 1 else ())]


def _one_way(ratings: Ratings, numbers: np.ndarray) -> list[Correlation]:
    sizes = ratings.sizes
    is_paired = sizes > 1
    units, count = int(is_paired.sum()), int(sizes[is_paired].sum())
    if units < 2:
        return []
    selected = is_paired[ratings.units]
    numbers, of_units = numbers[selected], ratings.units[selected]
    means = np.bincount(of_units, weights=numbers, minlength=len(sizes)) / np.maximum(sizes, 1)
    within = float(((numbers - means[of_units]) ** 2).sum()) / (count - units)
    between = float(sizes[is_paired] @ (means[is_paired] - numbers.mean()) ** 2) / (units - 1)
    usual = (count - float(sizes[is_paired] @ sizes[is_paired]) / count) / (units - 1)
    correlation = _by_ratio(Form.ONE_WAY, between, within, usual, units, count - units)
    return [correlation]


def _by_ratio(
    form: Form, between: float, error: float, ratings: float, units: int, degrees: int
) -> Correlation:
    """A correlation that follows from the ratio of two mean squares, given the ratings of a unit."""
    value = _divided(between - error, between + (ratings - 1) * error)
    if min(between, error) < _TINY:
        return Correlation(form, value, NO_INTERVAL, units)
    low = between / error / f_quantile(_TAIL, units - 1, degrees)
    high = between / error * f_quantile(_TAIL, degrees, units - 1)
    ends = Interval(*((ratio - 1) / (ratio + ratings - 1) for ratio in (low, high)))
    return Correlation(form, value, ends, units)


def _complete_units(ratings: Ratings, numbers: np.ndarray) -> np.ndarray:
    """The numbers of the units that all raters rated: a row per unit, a column per rater."""
    raters = len(np.unique(ratings.raters))
    selected = np.flatnonzero(ratings.sizes[ratings.units] == raters)
    order = selected[np.lexsort((ratings.raters[selected], ratings.units[selected]))]
    return numbers[order].reshape(-1, raters)


def _two_way(matrix: np.ndarray) -> list[Correlation]:
    units, raters = matrix.shape
    of_units, of_raters, mean = matrix.mean(axis=1), matrix.mean(axis=0), matrix.mean()
    rows = raters * float(((of_units - mean) ** 2).sum()) / (units - 1)
    columns = units * float(((of_raters - mean) ** 2).sum()) / (raters - 1)
    degrees = (units - 1) * (raters - 1)
    error = float(((matrix - of_units[:, None] - of_raters + mean) ** 2).sum()) / degrees
    single = _agreement(rows, columns, error, units, raters)
    return [
        single,
        _of_mean(single, raters),
        _by_ratio(Form.CONSISTENCY, rows, error, raters, units, degrees),
    ]


def _agreement(rows: float, columns: float, error: float, units: int, raters: int) -> Correlation:
    """ICC(2,1), given the mean squares of units, raters and the rest.

    The degrees of freedom are those of Satterthwaite's approximation, which is about sums of variances: a
    negative estimate counts as 0 in them. So they are at least 1, and the interval contains the estimate.
    """
    more = rows + (raters - 1) * error
    value = _divided(rows - error, more + raters / units * (columns - error))
    if not math.isfinite(value) or min(rows, error, 1 - value) < _TINY:
        return Correlation(Form.AGREEMENT, value, NO_INTERVAL, units)
    a = raters / units * max(value, 0) / (1 - value)
    b = 1 + a * (units - 1)
    parts = (a * columns) ** 2 / (raters - 1) + (b * error) ** 2 / ((units - 1) * (raters - 1))
    degrees = (a * columns + b * error) ** 2 / parts
    rest = raters * columns + (raters * units - raters - units) * error
    quantile = f_quantile(_TAIL, units - 1, degrees)
    low = units * (rows - quantile * error) / (quantile * rest + units * rows)
    quantile = f_quantile(_TAIL, degrees, units - 1)
    high = units * (quantile * rows - error) / (rest + units * quantile * rows)
    return Correlation(Form.AGREEMENT, value, Interval(low, high), units)


def _of_mean(single: Correlation, raters: int) -> Correlation:
    """ICC(2,k), the correlation of the mean of several raters, given that of one (Spearman–Brown)."""
    value, low, high = (
        raters * one / (1 + (raters - 1) * one) if 1 + (raters - 1) * one > _TINY else math.nan
        for one in (single.value, *single.interval)
    )
    return replace(
        single,
        form=Form.MEAN,
        value=value,
        interval=NO_INTERVAL if math.isnan(low) else Interval(low, high),
    )


def _divided(numerator: float, denominator: float) -> float:
    return numerator / denominator if abs(denominator) > _TINY else math.nan
