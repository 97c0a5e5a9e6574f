"""Ratings from the matrices in which publications print them, and alpha of any ratings."""

from collections.abc import Hashable, Sequence

import numpy as np

from batchwright.analysis.statistics.agreement.agreement_results import coefficient_estimates
from batchwright.analysis.statistics.agreement.distances import Metric
from batchwright.analysis.statistics.agreement.jackknife import Estimate
from batchwright.analysis.statistics.agreement.ratings import Ratings, Value


def create_ratings(rows: Sequence[Sequence[Value | None]]) -> Ratings:
    """The ratings in a matrix with a row per rater and a column per unit; None is missing."""
    cells = [(unit, rater, value) for rater, row in enumerate(rows) for unit, value in enumerate(row)]
    rated = [(unit, rater, value) for unit, rater, value in cells if value is not None]
    domain = sorted({value for _unit, _rater, value in rated}, key=_sort_key)
    index: dict[Hashable, int] = {value: number for number, value in enumerate(domain)}
    units, raters, values = (
        np.array(column, dtype=np.int64)
        for column in zip(*((unit, rater, index[value]) for unit, rater, value in rated), strict=True)
    )
    codes, compact = np.unique(units, return_inverse=True)
    return Ratings(compact.reshape(-1), raters, values, tuple(domain), codes)


def alpha_estimate(ratings: Ratings, metric: Metric) -> Estimate | None:
    """Krippendorff's alpha with its interval; None if there are too many different values."""
    found = coefficient_estimates(ratings, [metric], [])
    return next((result for _name, _metric, result in found), None)


def _sort_key(value: Value) -> tuple[float, str, tuple[int, ...]]:
    if isinstance(value, frozenset):
        return 0, "", tuple(sorted(value))
    return (0, value, ()) if isinstance(value, str) else (value, "", ())
