"""Answers that are alike because they are about the same record, or by the same participant.

Cameron, A. C., Gelbach, J. B., & Miller, D. L. (2011). Robust inference with multiway clustering. Journal of
Business & Economic Statistics, 29, 238–249.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from batchwright.analysis.store.sampling import Clusters


class Spread(NamedTuple):
    """How much clusters differ, for each of several groups of answers."""

    clusters: np.ndarray
    """The number of clusters."""
    between: np.ndarray
    """The sum of the squared differences of clusters, which are the sums of those of their answers."""


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
    spread_of: Callable[[np.ndarray], Spread],
) -> Spread:
    """The spread of clusters; `spread_of` computes that of one coding of the answers.

    For both, the variance between records and that between participants are added, and that of single
    answers, which is part of both, is subtracted. The result is at least the larger one of both; there are as
    many clusters as records or participants, whichever are fewer.
    """
    found = [spread_of(codes) for codes in codings(clusters, records, participants)]
    if len(found) == 1:
        return found[0]
    by_record, by_person, by_answer = (one.between * corrections(one.clusters) for one in found)
    both = np.maximum(by_record + by_person - by_answer, np.maximum(by_record, by_person))
    fewest = np.minimum(found[0].clusters, found[1].clusters)
    return Spread(fewest, both / corrections(fewest))


def corrections(clusters: np.ndarray) -> np.ndarray:
    """By what sums of squares are multiplied because the mean of the clusters is estimated."""
    return clusters / np.maximum(clusters - 1, 1)


def grouped_spread(codes: np.ndarray, groups: np.ndarray, count: int, differences: np.ndarray) -> Spread:
    """The spread of the clusters in each of `count` groups.

    Args:
        codes: the cluster of each answer.
        groups: the group of each answer.
        count: the number of groups.
        differences: the difference of each answer from the middle of its group.
    """
    width = int(codes.max(initial=0)) + 1
    cells, cell_of = np.unique(groups.astype(np.int64) * width + codes, return_inverse=True)
    sums = np.bincount(cell_of.reshape(-1), weights=differences, minlength=len(cells))
    group_of = cells // width
    return Spread(
        np.bincount(group_of, minlength=count), np.bincount(group_of, weights=sums**2, minlength=count)
    )
