"""Answers that are alike because they are about the same record, or by the same participant.

Cameron, A. C., Gelbach, J. B., & Miller, D. L. (2011). Robust inference with multiway clustering. Journal of
Business & Economic Statistics, 29, 238–249.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from batchwright.analysis.store.sampling import Clusters


class Cells(NamedTuple):
    """The clusters in several groups of answers."""

    groups: np.ndarray
    """The group of each cluster."""
    sizes: np.ndarray
    """The sum of the weights of the answers in each cluster; one of size 0 does not count."""
    between: np.ndarray
    """By group, and possibly by what was answered: the sum of the squared differences of clusters.

    The difference of a cluster is the sum of those of its answers from their middle.
    """


class Spread(NamedTuple):
    """How much clusters differ, in each of several groups of answers: the arguments of `effective_size`."""

    clusters: np.ndarray
    """The number of clusters; if their sizes differ, that of equal ones that tell as much."""
    between: np.ndarray


def codings(clusters: Clusters, records: np.ndarray, participants: np.ndarray) -> list[np.ndarray]:
    """The codes of the clusters of answers, given those of their records and participants.

    For both: of records, of participants, and of each participant's answers about each record.
    """
    match clusters:
        case Clusters.RECORDS:
            return [records]
        case Clusters.PARTICIPANTS:
            return [participants]
        case _both:
            width = int(participants.max(initial=0)) + 1
            return [records, participants, records.astype(np.int64) * width + participants]


def spread(
    clusters: Clusters,
    records: np.ndarray,
    participants: np.ndarray,
    count: int,
    cells_of: Callable[[np.ndarray], Cells],
) -> Spread:
    """The spread of clusters in `count` groups; `cells_of` computes those of one coding of the answers.

    For both, the variance between records and that between participants are added, and that of single
    answers, which is part of both, is subtracted. The result is at least the larger one of both, and has the
    smaller number of clusters.
    """
    found = [cells_of(codes) for codes in codings(clusters, records, participants)]
    if clusters is Clusters.RECORDS:
        return Spread(_of_equal_sizes(found[0], count)[0], found[0].between)
    by_person = found[0 if clusters is Clusters.PARTICIPANTS else 1]
    factors, degrees = (_like(values, by_person) for values in of_sizes(by_person, count))
    variance = by_person.between * factors
    if clusters is Clusters.BOTH:
        number, of_records = _of_equal_sizes(found[0], count)
        _number, of_answers = _of_equal_sizes(found[2], count)
        both = of_records + variance - of_answers
        variance = np.maximum(both, np.maximum(of_records, variance))
        degrees = np.minimum(degrees, number - 1)
    return Spread(degrees + 1, variance * degrees / (degrees + 1))


def _of_equal_sizes(cells: Cells, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The number of clusters, and their sum of squares with the factor for few clusters."""
    number = _like(np.bincount(cells.groups[cells.sizes > 0], minlength=count), cells)
    return number, cells.between * number / np.maximum(number - 1, 1)


def of_sizes(cells: Cells, count: int) -> tuple[np.ndarray, np.ndarray]:
    """By what the sum of squares of clusters of different sizes is multiplied, and its degrees of freedom.

    The mean is close to that of a large cluster, whose difference from it is therefore too small. Both are
    exact if all answers in a cluster are the same; of n equal clusters, they are n / (n - 1) and n - 1. A
    single cluster has 0 degrees of freedom. Bell, R. M., & McCaffrey, D. F. (2002). Bias reduction in
    standard errors for linear regression with multi-stage samples. Survey Methodology, 28, 169–181.
    """
    sums = np.bincount(cells.groups, weights=cells.sizes, minlength=count)
    parts = cells.sizes / np.where(sums > 0, sums, 1)[cells.groups]
    two, three, four, five = (
        np.bincount(cells.groups, weights=parts**power, minlength=count) for power in (2, 3, 4, 5)
    )
    trace = two - 2 * three + two**2
    squared = four - 4 * five + 4 * two * four + 2 * three**2 - 4 * two**2 * three + two**4
    has_several = np.bincount(cells.groups, weights=cells.sizes > 0, minlength=count) > 1
    factors = np.divide(two, trace, out=np.ones(count), where=has_several)
    degrees = np.divide(trace**2, squared, out=np.zeros(count), where=has_several)
    return factors, np.where(has_several, np.maximum(degrees, 1), 0)


def cells_in_groups(
    codes: np.ndarray, groups: np.ndarray, count: int, weights: np.ndarray, differences: np.ndarray
) -> Cells:
    """The clusters in each of `count` groups of answers.

    Args:
        codes: the cluster of each answer.
        groups: the group of each answer.
        count: the number of groups.
        weights: the weight of each answer.
        differences: the weighted difference of each answer from the middle of its group.
    """
    width = int(codes.max(initial=0)) + 1
    cells, cell_of = np.unique(groups.astype(np.int64) * width + codes, return_inverse=True)
    sizes, sums = (
        np.bincount(cell_of.reshape(-1), weights=values, minlength=len(cells))
        for values in (weights, differences)
    )
    group_of = cells // width
    return Cells(group_of, sizes, np.bincount(group_of, weights=sums**2, minlength=count))


def _like(of_groups: np.ndarray, cells: Cells) -> np.ndarray:
    """Values by group in the shape of sums of squares, which may be by group and answer."""
    return of_groups.reshape(-1, *[1] * (cells.between.ndim - 1))
