"""How answers stand for others: what intervals are about, and the weights of records."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np


class Clusters(StrEnum):
    """What intervals are about: of what the answers are taken as a random sample."""

    RECORDS = "records"
    """Further records, answered by the same participants."""
    PARTICIPANTS = "participants"
    """Further participants, who answer about the same records."""
    BOTH = "both"
    """Further records, answered by further participants."""


@dataclass(frozen=True, eq=False)
class Sampling:
    """How answers stand for others."""

    clusters: Clusters = Clusters.RECORDS
    weights: np.ndarray | None = None
    """The weight of each task, by code; None: all have the same."""

    def weights_of(self, tasks: np.ndarray) -> np.ndarray:
        """The weights of answers, given the codes of their tasks; the mean of those above 0 is 1."""
        if self.weights is None:
            return np.ones(len(tasks))
        return scaled_weights(self.weights[tasks], np.zeros(len(tasks), dtype=np.int64), 1)[0]


def scaled_weights(weights: np.ndarray, groups: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The weights of answers with a mean of 1 in each of `count` groups, and the size of each group.

    An answer of weight 0 stands for none: neither the mean nor the size counts it.
    """
    sizes = np.bincount(groups[weights > 0], minlength=count)
    sums = np.bincount(groups, weights=weights, minlength=count)
    scale = np.divide(sizes, sums, out=np.ones(count), where=sums > 0)
    return weights * scale[groups], sizes
