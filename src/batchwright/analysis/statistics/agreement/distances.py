"""Distances between values, by level of measurement, for Krippendorff's alpha."""

from collections.abc import Callable, Sequence
from enum import StrEnum

import numpy as np

from batchwright.analysis.statistics.agreement.ratings import Value
from batchwright.base.i18n import N_

MAX_DOMAIN = 2000
"""Maximum number of different values for which a matrix of distances is computed."""


class Metric(StrEnum):
    """A level of measurement, or a distance of sets."""

    NOMINAL = N_("nominal")
    ORDINAL = N_("ordinal")
    INTERVAL = N_("interval")
    RATIO = N_("ratio")
    MASI = "MASI"
    JACCARD = "Jaccard"


class Weighting(StrEnum):
    """How much numbers that differ agree: less with the difference, or with its square."""

    LINEAR = N_("linear")
    QUADRATIC = N_("quadratic")


_EXPONENTS = {Weighting.LINEAR: 1, Weighting.QUADRATIC: 2}


def similarities(weighting: Weighting, domain: Sequence[Value]) -> np.ndarray:
    """A matrix of how far numbers agree: 1 for equal ones, 0 for the smallest and the largest one.

    Cohen, J. (1968). Weighted kappa: Nominal scale agreement with provision for scaled disagreement.
    """
    numbers = np.array(domain, dtype=np.float64)
    differences = np.abs(numbers[:, None] - numbers[None, :])
    found: np.ndarray = 1 - (differences / (differences.max() or 1)) ** _EXPONENTS[weighting]
    return found


def squared_distances(metric: Metric, domain: Sequence[Value], totals: np.ndarray) -> np.ndarray:
    """The matrix of squared distances; for ordinal values it depends on how often each occurs.

    Distances of intervals and ratios are relative to the largest one: alpha depends on their ratios only, and
    squares of very small or large ones would be 0 or infinite.

    Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability. MASI and Jaccard are not squared, as
    is usual for distances of sets.
    """
    match metric:
        case Metric.NOMINAL:
            return 1 - np.eye(len(domain))
        case Metric.ORDINAL:
            return _ordinal(totals)
        case Metric.INTERVAL | Metric.RATIO:
            numbers = np.array(domain, dtype=np.float64)
            differences = numbers[:, None] - numbers[None, :]
            if metric is Metric.RATIO:
                sums = numbers[:, None] + numbers[None, :]
                differences = np.divide(differences, sums, out=np.zeros_like(differences), where=sums != 0)
            return (differences / (np.abs(differences).max() or 1)) ** 2
        case Metric.MASI | Metric.JACCARD:
            return _of_sets(domain, SET_DISTANCES[metric])


def jaccard_distance(first: frozenset[int], second: frozenset[int]) -> float:
    """1 minus the share of common elements; two empty sets are equal."""
    union = first | second
    return 1 - len(first & second) / len(union) if union else 0.0


def masi_distance(first: frozenset[int], second: frozenset[int]) -> float:
    """The MASI distance: Jaccard's similarity times 1, 2/3, 1/3 or 0, subtracted from 1.

    1 for equal sets, 2/3 if one contains the other, 1/3 if they overlap, 0 if they are disjoint. Passonneau,
    R. (2006). Measuring agreement on set-valued items (MASI) for semantic and pragmatic annotation. LREC.
    """
    if first == second:
        return 0.0
    common = first & second
    if not common:
        return 1.0
    monotonicity = 2 / 3 if common in (first, second) else 1 / 3
    return 1 - len(common) / len(first | second) * monotonicity


SET_DISTANCES: dict[Metric, Callable[[frozenset[int], frozenset[int]], float]] = {
    Metric.MASI: masi_distance,
    Metric.JACCARD: jaccard_distance,
}


def _ordinal(totals: np.ndarray) -> np.ndarray:
    """The squared number of ratings between two values, half of those of both values included."""
    middle = np.cumsum(totals) - totals / 2
    return (middle[:, None] - middle[None, :]) ** 2


def _of_sets(
    domain: Sequence[Value], distance: Callable[[frozenset[int], frozenset[int]], float]
) -> np.ndarray:
    sets = [value if isinstance(value, frozenset) else frozenset() for value in domain]
    return np.array([[distance(first, second) for second in sets] for first in sets], dtype=np.float64)
