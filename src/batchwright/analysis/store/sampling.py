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
        """The weights of answers, with mean 1, given the codes of their tasks."""
        if self.weights is None or not len(tasks):
            return np.ones(len(tasks))
        weights = self.weights[tasks]
        total = float(weights.sum())
        return weights * (len(weights) / total) if total > 0 else np.ones(len(tasks))
