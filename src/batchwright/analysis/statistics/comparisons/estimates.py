"""Values of a model that was fitted to answers, with intervals that allow for answers that are alike."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from batchwright.analysis.statistics.clusters import cells_in_groups, codings, of_sizes
from batchwright.analysis.statistics.intervals import level_quantile
from batchwright.analysis.store.sampling import Clusters
from batchwright.analysis.store.text_columns import number_of_different

Value = tuple[float, float, float]
"""A value with the ends of its interval."""
NOTHING: Value = (math.nan, math.nan, math.nan)
_TINY = 1e-18
"""A variance that is 0 but for rounding."""


class Answered(NamedTuple):
    """The answers that a model was fitted to: who answered about what, an array of each."""

    records: np.ndarray
    participants: np.ndarray
    weights: np.ndarray
    clusters: Clusters


@dataclass(frozen=True, eq=False)
class ModelEstimate:
    """Values of a model, and the covariances that their intervals are from."""

    values: np.ndarray
    covariances: Sequence[np.ndarray]
    """The variance of a contrast is the largest one of these."""
    degrees: float

    def value(self, *contrast: tuple[int, float]) -> Value:
        """A sum of values, given their places and factors, with its interval."""
        value = sum(factor * float(self.values[place]) for place, factor in contrast)
        error = self.error(*contrast)
        half = level_quantile(self.degrees) * error if error else math.nan
        return value, value - half, value + half

    def error(self, *contrast: tuple[int, float]) -> float:
        """The standard error of a sum of values; 0 if there is none."""
        if self.degrees < 1:
            return 0.0
        variance = max(
            sum(one * other * float(matrix[i, j]) for i, one in contrast for j, other in contrast)
            for matrix in self.covariances
        )
        return math.sqrt(variance) if variance > _TINY else 0.0


def cluster_covariances(
    covariance: Callable[[np.ndarray], np.ndarray], answered: Answered
) -> tuple[list[np.ndarray], float]:
    """The covariances of values, of which the largest one counts, and their degrees of freedom.

    They are multiplied by a factor for few clusters, and are about further records also if each has several
    answers.

    Args:
        covariance: returns the covariance if answers with the same code may be alike.
        answered: the answers.
    """
    records = number_of_different(answered.records)
    coded = codings(answered.clusters, answered.records, answered.participants)
    matrices = [covariance(codes) for codes in coded]
    of_records = records / max(1, records - 1)
    if answered.clusters is Clusters.RECORDS:
        return [of_records * matrices[0]], records - 1
    weights, nothing = answered.weights, np.zeros(len(answered.records), dtype=np.int64)
    cells = cells_in_groups(answered.participants, nothing, 1, weights, nothing)
    (factor,), (degrees,) = (values.tolist() for values in of_sizes(cells, 1))
    if answered.clusters is Clusters.PARTICIPANTS:
        return [factor * matrices[0]], degrees
    answers = number_of_different(coded[2])
    by_answer = answers / max(1, answers - 1) * matrices[2]
    by_record, by_person = of_records * matrices[0], factor * matrices[1]
    return [by_record + by_person - by_answer, by_record, by_person], min(degrees, records - 1)
