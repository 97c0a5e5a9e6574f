"""Bradley and Terry's model: strengths of systems from pairwise comparisons, also with an order effect."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

_MAX_STEPS = 100
_LONGEST_STEP = 2.0
_TOLERANCE = 1e-9
_LARGEST = 30.0
"""A logarithmic strength above which there is no maximum."""
_SINGULAR = 1e-9
_BLOCK_CELLS = 2_000_000
"""Maximum number of cells of sums of clusters in memory."""


class Games(NamedTuple):
    """Comparisons of a left and a right system: an array of each, with a row per comparison."""

    left: np.ndarray
    """Indexes of systems."""
    right: np.ndarray
    scores: np.ndarray
    """1 if the left system won, 0 if the right one did, 0.5 for a tie, which is half a win for both."""
    weights: np.ndarray


@dataclass(frozen=True, eq=False)
class Fit:
    """The maximum of the likelihood."""

    values: np.ndarray
    """The logarithmic strengths, with mean 0, and last the effect of the left side."""
    inverse: np.ndarray
    """The inverse of the information; it is the covariance of independent comparisons."""
    has_order: bool

    @property
    def parameters(self) -> int:
        """The number of values that can be chosen freely."""
        return len(self.values) - 2 + self.has_order

    def covariance(self, games: Games, clusters: np.ndarray) -> np.ndarray:
        """The covariance of the values if comparisons in the same cluster may be alike.

        `clusters` has the code of each comparison. It is that of many clusters; of few, it is too small.
        """
        values, count = self.values, len(self.values) - 1
        logits = values[games.left] - values[games.right] + values[count]
        rests = games.weights * (games.scores - 1 / (1 + np.exp(-logits)))
        middle = _outer_sums(games, rests, clusters, count)
        if not self.has_order:
            middle[count] = middle[:, count] = 0
        return self.inverse @ middle @ self.inverse


def fit(games: Games, count: int, *, has_order: bool = False, is_regularised: bool = False) -> Fit | None:
    """Fit the model to comparisons of `count` systems; None if the likelihood has no maximum.

    The probability that i on the left beats j is 1 / (1 + exp(strength j - strength i - effect)): Davidson,
    R. R., & Beaver, R. J. (1977). On extending the Bradley–Terry model to incorporate within-pair order
    effects. Without an order effect, it is 0. There is no maximum if the systems fall into two groups of
    which one never lost to the other (Ford, 1957), or if sides and systems cannot be told apart. If
    regularised, every system also has half a win and half a loss against one imagined system, on either side,
    which always has a maximum.
    """
    won, lost = wins_of(games, count)
    if is_regularised:
        won, lost = _with_imagined_system(won), _with_imagined_system(lost)
    if not is_connected(won + lost.T):
        return None
    found = _maximum(won, lost, has_order=has_order)
    if found is None:
        return None
    values, inverse = found
    if is_regularised:
        values, inverse = _without_imagined_system(values, inverse)
    return Fit(values, inverse, has_order)


def wins_of(games: Games, count: int) -> tuple[np.ndarray, np.ndarray]:
    """How often the left system won against the right one, and lost: system × system each."""
    pairs = games.left.astype(np.int64) * count + games.right
    return tuple(
        np.bincount(pairs, weights=games.weights * scores, minlength=count * count).reshape(count, count)
        for scores in (games.scores, 1 - games.scores)
    )


def is_connected(wins: np.ndarray) -> bool:
    """Whether every system has won against every other, directly or through others."""
    return bool(_reaches(wins).all())


def connected_parts(wins: np.ndarray) -> list[np.ndarray]:
    """The largest groups of systems that have won against each other, directly or through others.

    Args:
        wins: system × system; how often the first won against the second. A tie is half a win for both.
    """
    reaches = _reaches(wins)
    mutual = reaches & reaches.T
    return [np.flatnonzero(mutual[first]) for first in range(len(wins)) if not mutual[first, :first].any()]


def _reaches(wins: np.ndarray) -> np.ndarray:
    """Whether a system has won against another, directly or through others; and itself."""
    count = len(wins)
    reaches = (wins > 0) | np.eye(count, dtype=bool)
    for _step in range(max(1, int(np.ceil(np.log2(max(count, 2)))))):
        reaches = (reaches.astype(np.float64) @ reaches.astype(np.float64)) > 0
    return reaches


def _maximum(won: np.ndarray, lost: np.ndarray, *, has_order: bool) -> tuple[np.ndarray, np.ndarray] | None:
    """The values at the maximum by Newton's method, and the inverse of the information."""
    count, games = len(won), won + lost
    values = np.zeros(count + 1)
    for _step in range(_MAX_STEPS):
        strength, order = values[:count], values[count]
        chances = 1 / (1 + np.exp(strength[None, :] - strength[:, None] - order))
        rest, weights = won - games * chances, games * chances * (1 - chances)
        gradient = np.append(rest.sum(axis=1) - rest.sum(axis=0), rest.sum() if has_order else 0)
        information = np.zeros((count + 1, count + 1))
        information[:count, :count] = 1 - weights - weights.T  # 1: the mean is 0
        diagonal = np.arange(count)
        information[diagonal, diagonal] += weights.sum(axis=1) + weights.sum(axis=0)
        if has_order:
            information[:count, count] = information[count, :count] = weights.sum(axis=1) - weights.sum(
                axis=0
            )
        information[count, count] = weights.sum() if has_order else 1
        scales = np.linalg.eigvalsh(information)
        if scales[0] <= _SINGULAR * scales[-1]:
            return None
        step = np.linalg.solve(information, gradient)
        step *= min(1.0, _LONGEST_STEP / max(float(np.abs(step).max()), _TOLERANCE))
        values = values + step
        if np.abs(values).max() > _LARGEST:
            return None
        if np.abs(step).max() < _TOLERANCE:
            break
    return values, np.linalg.inv(information)


def _with_imagined_system(matrix: np.ndarray) -> np.ndarray:
    """The wins or losses with a quarter more on either side of each system against one more."""
    larger = np.full((len(matrix) + 1, len(matrix) + 1), 1 / 4)
    larger[:-1, :-1] = matrix
    larger[-1, -1] = 0
    return larger


def _without_imagined_system(values: np.ndarray, inverse: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The values without the last system, with mean 0, and the inverse of the information about them."""
    count = len(values) - 2
    change = np.zeros((count + 1, count + 2))
    change[:count, :count] = np.eye(count) - 1 / count
    change[count, count + 1] = 1
    return change @ values, change @ inverse @ change.T


def _outer_sums(games: Games, rests: np.ndarray, clusters: np.ndarray, count: int) -> np.ndarray:
    """The sum of the outer products of the gradients of each cluster."""
    codes, cluster_of = np.unique(clusters, return_inverse=True)
    order = np.argsort(cluster_of.reshape(-1), kind="stable")
    cluster_of, left, right, rests = (
        column[order] for column in (cluster_of.reshape(-1), games.left, games.right, rests)
    )
    width, result = count + 1, np.zeros((count + 1, count + 1))
    size = max(1, _BLOCK_CELLS // width)
    for start in range(0, len(codes), size):
        first, last = np.searchsorted(cluster_of, [start, start + size])
        inside, rows = slice(first, last), min(size, len(codes) - start)
        places = (cluster_of[inside] - start) * width
        sums = sum(
            np.bincount(places + column, weights=sign * rests[inside], minlength=rows * width)
            for column, sign in ((left[inside], 1), (right[inside], -1), (count, 1))
        ).reshape(rows, width)
        result += sums.T @ sums
    return result
