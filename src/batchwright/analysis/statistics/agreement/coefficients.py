"""Coefficients of agreement as functions of the patterns of ratings and their weights.

Each is a function of sums over units: the same code computes the coefficient of all units and those of all
samples of the jackknife, in a time that is linear in the number of ratings.
"""

from collections.abc import Sequence

import numpy as np

from batchwright.analysis.statistics.agreement.distances import Metric, squared_distances
from batchwright.analysis.statistics.agreement.jackknife import Coefficient, Samples
from batchwright.analysis.statistics.agreement.ratings import Value

_BLOCK_CELLS = 1_000_000
"""Maximum number of distances in memory."""


def percent_agreement(patterns: np.ndarray) -> Coefficient:
    """The share of equal pairs of ratings, averaged over the units with at least two.

    Fleiss (1971), extended to different numbers of ratings as in Gwet (2014).
    """
    return _percent_agreement(patterns.sum(axis=1), (patterns * (patterns - 1)).sum(axis=1))


def percent_agreement_of_units(units: np.ndarray, values: np.ndarray) -> Coefficient:
    """Percent agreement from the unit and value of each rating; the weights are those of the units."""
    sizes, width = np.bincount(units), int(values.max(initial=0)) + 1
    cells, counts = np.unique(units * width + values, return_counts=True)
    equal = np.bincount(cells // width, weights=counts * (counts - 1), minlength=len(sizes))
    return _percent_agreement(sizes, equal)


def _percent_agreement(sizes: np.ndarray, equal_pairs: np.ndarray) -> Coefficient:
    is_paired, agreement = sizes > 1, equal_pairs / np.maximum(sizes * (sizes - 1), 1)

    def compute(samples: Samples) -> np.ndarray:
        return _ratio(samples.sums(agreement), samples.sums(is_paired))

    return compute


def fleiss_kappa(patterns: np.ndarray) -> Coefficient:
    """Agreement beyond that of raters who share one distribution of values.

    Fleiss (1971); with different numbers of ratings as in Gwet (2014): the distribution is the mean of the
    shares in each unit. For two raters it is Scott's pi.
    """
    observed, shares = percent_agreement(patterns), _mean_shares(patterns)

    def compute(samples: Samples) -> np.ndarray:
        return _beyond_chance(observed(samples), (shares(samples) ** 2).sum(axis=1))

    return compute


def gwet_ac1(patterns: np.ndarray) -> Coefficient:
    """Agreement beyond that of raters who sometimes rate at random; stable if one value prevails.

    Gwet (2008). The number of values is that of the columns of `patterns`, used or not.
    """
    return _gwet(patterns, (patterns * (patterns - 1)).sum(axis=1), patterns.shape[1])


def gwet_ac2(patterns: np.ndarray, similarities: np.ndarray) -> Coefficient:
    """The same with values that agree in part, as a matrix says: Gwet (2014), AC2."""
    return _gwet(patterns, (patterns * (patterns @ similarities - 1)).sum(axis=1), similarities.sum())


def _gwet(patterns: np.ndarray, equal_pairs: np.ndarray, similarity: float) -> Coefficient:
    """Gwet's coefficient, given the sum of how far each value agrees with each other one."""
    observed, shares = _percent_agreement(patterns.sum(axis=1), equal_pairs), _mean_shares(patterns)
    values = patterns.shape[1]
    by_chance = similarity / max(values * (values - 1), 1)

    def compute(samples: Samples) -> np.ndarray:
        share = shares(samples)
        return _beyond_chance(observed(samples), by_chance * (share * (1 - share)).sum(axis=1))

    return compute


def cohen_kappa(tables: np.ndarray, similarities: np.ndarray) -> Coefficient:
    """Agreement of two raters beyond that of their own distributions of values.

    Cohen, J. (1960), and (1968) with values that agree in part. `tables` has a pair of values per row: that
    of the first and of the second rater; `similarities` says how far values agree.
    """
    first, second = tables.T
    agreement = similarities[first, second]

    def compute(samples: Samples) -> np.ndarray:
        width, weights = len(similarities), samples.weights
        total = samples.sums(np.ones(len(tables)))
        with_second = similarities @ np.bincount(second, weights, minlength=width)
        totals = np.bincount(first, weights, minlength=width)
        all_pairs = totals @ with_second
        without = all_pairs - with_second[first] - (totals @ similarities)[second] + agreement
        expected = np.concatenate([[all_pairs], without])
        return _beyond_chance(_ratio(samples.sums(agreement), total), _ratio(expected, total**2))

    return compute


def krippendorff_alpha(patterns: np.ndarray, metric: Metric, domain: Sequence[Value]) -> Coefficient:
    """Krippendorff's alpha: 1 minus the ratio of observed to expected disagreement.

    Krippendorff (2011). Any number of raters, and missing ratings; units with one rating are left out. NaN if
    all paired ratings are equal.
    """
    sizes = patterns.sum(axis=1)
    paired = np.where((sizes > 1)[:, None], patterns, 0)
    scale = np.where(sizes > 1, 1 / np.maximum(sizes - 1, 1), 0.0)
    if metric is Metric.ORDINAL:
        return _ordinal_alpha(paired, scale)
    distances = squared_distances(metric, domain, np.zeros(len(domain)))
    pairs = ((paired @ distances) * paired).sum(axis=1)

    def compute(samples: Samples) -> np.ndarray:
        totals = samples.weights @ paired
        expected = _expected(totals, distances, paired @ (distances @ totals), pairs)
        return _alpha(samples.sums(pairs * scale), expected, samples.sums(paired.sum(axis=1)))

    return compute


def _ordinal_alpha(paired: np.ndarray, scale: np.ndarray) -> Coefficient:
    """Alpha with the ordinal metric, in which the distances depend on how often each value occurs.

    It is the interval metric of the ranks. Their sum of squares over all pairs of a unit is a quadratic form,
    whose matrices are added up once; a unit that is left out is subtracted.
    """
    sizes = paired.sum(axis=1)

    def compute(samples: Samples) -> np.ndarray:
        totals = samples.sums(paired)
        count = totals.sum(axis=1)
        ranks = (np.cumsum(totals, axis=1) - totals / 2) / np.maximum(count, 1)[:, None] - 1 / 2
        scaled = samples.weights * scale
        form = np.diag((scaled * sizes) @ paired) - paired.T @ (scaled[:, None] * paired)
        left_out, own = (paired * ranks[1:]).sum(axis=1), (paired * ranks[1:] ** 2).sum(axis=1)
        observed = ((ranks @ form) * ranks).sum(axis=1)
        observed[1:] -= scale * (sizes * own - left_out**2)
        expected = count * (totals * ranks**2).sum(axis=1) - (totals * ranks).sum(axis=1) ** 2
        return _alpha(2 * observed, 2 * expected, count)

    return compute


def alpha_of_units(units: np.ndarray, values: np.ndarray, distances: np.ndarray) -> Coefficient:
    """Krippendorff's alpha from the unit and value of each rating; the weights are those of the units.

    Equal to `krippendorff_alpha`, for many different patterns. `distances` is a matrix of squared distances,
    which stay the same if a unit is left out.
    """
    sizes = np.bincount(units)
    is_paired = sizes[units] > 1
    rated, given = units[is_paired], values[is_paired]
    observed = disagreement_of_units(units, values, distances)

    def compute(samples: Samples) -> np.ndarray:
        totals = np.bincount(given, weights=samples.weights[rated], minlength=len(distances))
        across = np.bincount(rated, weights=(distances @ totals)[given], minlength=len(sizes))
        expected = _expected(totals, distances, across, observed * (sizes - 1))
        return _alpha(samples.sums(observed), expected, samples.sums(np.where(sizes > 1, sizes, 0)))

    return compute


def _expected(
    totals: np.ndarray, distances: np.ndarray, across: np.ndarray, within: np.ndarray
) -> np.ndarray:
    """The sum of the distances of all pairs of ratings: of all units, and without each.

    Args:
        totals: how often each value was given.
        distances: their squared distances.
        across: the sum of the distances of the ratings of each unit from all ratings.
        within: the sum of the distances of all pairs of ratings of each unit.
    """
    total = totals @ distances @ totals
    return np.concatenate([[total], total - 2 * across + within])


def disagreement_of_units(units: np.ndarray, values: np.ndarray, distances: np.ndarray) -> np.ndarray:
    """The sum of the distances of all pairs of each unit by its number of ratings minus 1."""
    sizes, values = np.bincount(units), values[np.argsort(units, kind="stable")]
    starts, result = np.cumsum(sizes) - sizes, np.zeros(len(sizes))
    for size in np.unique(sizes[sizes > 1]).tolist():
        chosen = np.flatnonzero(sizes == size)
        step = max(1, _BLOCK_CELLS // size**2)
        for block in (chosen[start : start + step] for start in range(0, len(chosen), step)):
            rated = values[starts[block][:, None] + np.arange(size)]
            pairs = distances[rated[:, :, None], rated[:, None, :]]
            result[block] = pairs.sum(axis=(1, 2)) / (size - 1)
    return result


def interval_alpha(counts: np.ndarray, sums: np.ndarray, squares: np.ndarray) -> Coefficient:
    """Krippendorff's alpha for the interval level from the number, sum and sum of squares in each unit.

    Equal to `krippendorff_alpha`, for any number of different values.
    """
    is_paired = counts > 1
    columns = np.stack([counts, sums, squares], axis=1) * is_paired[:, None]
    observed = 2 * (counts * squares - sums**2) / np.maximum(counts - 1, 1) * is_paired

    def compute(samples: Samples) -> np.ndarray:
        total, total_sum, total_squares = samples.sums(columns).T
        return _alpha(samples.sums(observed), 2 * (total * total_squares - total_sum**2), total)

    return compute


def _alpha(observed: np.ndarray, expected: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Alpha from the sums of the distances within units and of all pairs, and the number of ratings."""
    pairs = np.maximum(total, 1) ** 2
    return 1 - _ratio((total - 1) * observed / pairs, expected / pairs)


def _mean_shares(patterns: np.ndarray) -> Coefficient:
    """A function of samples that returns the mean share of each value, over units with ratings."""
    sizes = patterns.sum(axis=1)
    shares = patterns / np.maximum(sizes, 1)[:, None]

    def compute(samples: Samples) -> np.ndarray:
        return _ratio(samples.sums(shares), samples.sums(sizes > 0)[:, None])

    return compute


def _beyond_chance(observed: np.ndarray, expected: np.ndarray) -> np.ndarray:
    return _ratio(observed - expected, 1 - expected)


def _ratio(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """Divide; NaN where the denominator is 0, up to rounding."""
    numerator, denominator = np.broadcast_arrays(
        np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
    )
    is_defined = np.abs(denominator) > 1e-12
    return np.divide(numerator, denominator, out=np.full(numerator.shape, np.nan), where=is_defined)
