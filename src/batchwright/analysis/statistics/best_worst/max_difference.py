"""The maximum difference model: strengths of items from choices of the best and the worst of a set.

The probability that i is chosen as the best and j as the worst of a set is exp(strength i − strength j),
divided by the sum of that over all ordered pairs of two items of the set (Marley & Louviere, 2005).
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from batchwright.analysis.statistics.comparisons.bradley_terry import connected_parts

_MAX_STEPS = 100
_LONGEST_STEP = 2.0
_TOLERANCE = 1e-9
_BLOCK_CELLS = 2_000_000
"""Maximum number of cells of sums of clusters in memory."""


class Choices(NamedTuple):
    """Choices of the best and the worst item: a row for each."""

    sets: np.ndarray
    """The indexes of the items of the set, choice × place; -1 where there is none."""
    best: np.ndarray
    """Places in the set."""
    worst: np.ndarray
    weights: np.ndarray

    def where(self, rows: np.ndarray) -> "Choices":
        """Some of the choices: a boolean for each."""
        return Choices(*(column[rows] for column in self))

    @property
    def best_items(self) -> np.ndarray:
        """The item that was chosen as the best."""
        return self.sets[np.arange(len(self.sets)), self.best]

    @property
    def worst_items(self) -> np.ndarray:
        """The item that was chosen as the worst."""
        return self.sets[np.arange(len(self.sets)), self.worst]


@dataclass(frozen=True, eq=False)
class MaxDifferenceFit:
    """The maximum of the likelihood."""

    values: np.ndarray
    """The logarithmic strengths by item, with mean 0 in each part."""
    inverse: np.ndarray
    """The inverse of the information; it is the covariance of independent choices."""
    parts: np.ndarray
    """The code of the part of each item."""

    def covariance(self, choices: Choices, clusters: np.ndarray) -> np.ndarray:
        """The covariance of the values if choices in the same cluster may be alike.

        `clusters` has the code of each choice. It is that of many clusters; of few, it is too small.
        """
        chances = _chances(choices, self.values, self.parts)
        rests = -(chances.best - chances.worst)
        rows = np.arange(len(rests))
        rests[rows, choices.best] += 1
        rests[rows, choices.worst] -= 1
        middle = _outer_sums(choices.sets, choices.weights[:, None] * rests, clusters, len(self.values))
        return self.inverse @ middle @ self.inverse


def fit(choices: Choices, count: int) -> MaxDifferenceFit:
    """Fit the model to choices among `count` items.

    It has a maximum if every item was preferred to every other one, directly or through others: the best of a
    set to all others in it, and all others to the worst. Otherwise, the items fall into parts of which one
    was always preferred to the other, and strengths can be compared in each part only. Those maximize the
    likelihood as the differences between parts become infinite: only the items in the part of the best one of
    a set could have been its best, and likewise for the worst.
    """
    parts = np.zeros(count, np.int64)
    for number, part in enumerate(connected_parts(_preferences(choices, count))):
        parts[part] = number
    same_part = (parts[:, None] == parts).astype(np.float64)
    observed = np.zeros(count)
    np.add.at(observed, choices.best_items, choices.weights)
    np.add.at(observed, choices.worst_items, -choices.weights)
    counted, values = _by_set(choices), np.zeros(count)
    information = same_part
    for _step in range(_MAX_STEPS):
        chances = _chances(counted, values, parts)
        gradient = observed - _sums(counted, chances.best - chances.worst, count)
        information = _information(counted, chances, count) + same_part  # the mean of each part is 0
        step = np.linalg.solve(information, gradient)
        step *= min(1.0, _LONGEST_STEP / max(float(np.abs(step).max(initial=0)), _TOLERANCE))
        values = values + step
        if np.abs(step).max(initial=0) < _TOLERANCE:
            break
    return MaxDifferenceFit(values, np.linalg.inv(information), parts)


def _preferences(choices: Choices, count: int) -> np.ndarray:
    """Item × item: how often the first was preferred to the second."""
    best, worst, sets = choices.best_items, choices.worst_items, choices.sets
    found = np.zeros((count, count))
    for place in range(sets.shape[1]):
        other, rows = sets[:, place], sets[:, place] >= 0
        np.add.at(found, (best[rows], other[rows]), 1)
        np.add.at(found, (other[rows], worst[rows]), 1)
    np.fill_diagonal(found, 0)
    return found


def _by_set(choices: Choices) -> Choices:
    """One choice for each set of items, with the weights of all: which one it is does not matter here.

    All choices from the same items have their best in the same part, and their worst.
    """
    order = np.argsort(choices.sets, axis=1, kind="stable")
    places = np.argsort(order, axis=1, kind="stable")
    rows = np.arange(len(order))
    in_order = np.take_along_axis(choices.sets, order, axis=1)
    sets, first, inverse = np.unique(in_order, axis=0, return_index=True, return_inverse=True)
    weights = np.bincount(inverse.reshape(-1), weights=choices.weights, minlength=len(sets))
    best, worst = places[rows, choices.best][first], places[rows, choices.worst][first]
    return Choices(sets, best, worst, weights)


class _Chances(NamedTuple):
    """By choice and place: how likely it is to be the best, or the worst, and both by pairs of places."""

    best: np.ndarray
    worst: np.ndarray
    pairs: np.ndarray
    """Choice × place of the best × place of the worst."""


def _chances(choices: Choices, values: np.ndarray, parts: np.ndarray) -> _Chances:
    sets, is_item = choices.sets, choices.sets >= 0
    of_part = np.where(is_item, parts[sets], -1)
    can_be_best = of_part == parts[choices.best_items][:, None]
    can_be_worst = of_part == parts[choices.worst_items][:, None]
    strengths = values[sets]
    strengths = strengths - np.where(is_item, strengths, 0).sum(axis=1, keepdims=True) / np.maximum(
        is_item.sum(axis=1, keepdims=True), 1
    )
    pairs = (
        np.where(can_be_best, np.exp(strengths), 0)[:, :, None]
        * (np.where(can_be_worst, np.exp(-strengths), 0)[:, None, :])
    )
    places = np.arange(sets.shape[1])
    pairs[:, places, places] = 0
    pairs /= pairs.sum(axis=(1, 2), keepdims=True)
    return _Chances(pairs.sum(axis=2), pairs.sum(axis=1), pairs)


def _sums(choices: Choices, of_places: np.ndarray, count: int) -> np.ndarray:
    """The weighted sums of values of places by item."""
    is_item = choices.sets >= 0
    weighted = (choices.weights[:, None] * of_places)[is_item]
    return np.bincount(choices.sets[is_item], weights=weighted, minlength=count)


def _information(choices: Choices, chances: _Chances, count: int) -> np.ndarray:
    """The covariance of how often items are the best less how often they are the worst."""
    difference = chances.best - chances.worst
    products = -(chances.pairs + chances.pairs.transpose(0, 2, 1))
    products -= difference[:, :, None] * difference[:, None, :]
    places = np.arange(choices.sets.shape[1])
    products[:, places, places] += chances.best + chances.worst
    products *= choices.weights[:, None, None]
    is_item = choices.sets >= 0
    are_items = is_item[:, :, None] & is_item[:, None, :]
    cells = (choices.sets[:, :, None] * count + choices.sets[:, None, :])[are_items]
    sums = np.bincount(cells, weights=products[are_items], minlength=count * count)
    return sums.reshape(count, count)


def _outer_sums(sets: np.ndarray, rests: np.ndarray, clusters: np.ndarray, count: int) -> np.ndarray:
    """The sum of the outer products of the gradients of each cluster."""
    order = np.argsort(clusters, kind="stable")
    codes, cluster_of = np.unique(clusters[order], return_inverse=True)
    cluster_of, sets, rests = cluster_of.reshape(-1), sets[order], rests[order]
    result = np.zeros((count, count))
    size = max(1, _BLOCK_CELLS // max(count, 1))
    for start in range(0, len(codes), size):
        first, last = np.searchsorted(cluster_of, [start, start + size])
        inside, rows = slice(first, last), min(size, len(codes) - start)
        is_item = sets[inside] >= 0
        cells = ((cluster_of[inside] - start)[:, None] * count + sets[inside])[is_item]
        sums = np.bincount(cells, weights=rests[inside][is_item], minlength=rows * count)
        sums = sums.reshape(rows, count)
        result += sums.T @ sums
    return result
