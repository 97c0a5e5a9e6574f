"""Sets of items for best–worst scaling (Louviere et al.): items equally often, pairs as rarely as possible.

Each item is once in each round of sets, as long as rounds are whole. Items that were together in a set are
put into different ones. If some pairs are together more often than necessary, small designs are constructed,
or improved by exchanging items.
"""

from collections import Counter
from itertools import combinations
from typing import NamedTuple

import numpy as np

from batchwright.prepare.designs.constructed_sets import constructed_sets, least_squares
from batchwright.prepare.designs.ranks import ranks_in_groups
from batchwright.prepare.random_numbers import RandomNumbers

_CANDIDATES = 50
"""Items that are compared for a place in a set."""
_MOST_PLACES, _EXCHANGES_PER_PLACE = 2000, 1000
"""Places of designs that are improved, and how many exchanges are tried for each."""
_MOST_EXCHANGES = 600_000


def item_sets(items: int, size: int, repeats: int, random: RandomNumbers) -> np.ndarray:
    """Sets of items, one per row, in which each item is `repeats` times; a few once more to fill the last.

    Args:
        items: the number of items, at least `size`; they are numbered from 0.
        size: the number of items in a set.
        repeats: in how many sets each item is.
        random: draws the order of the items.
    """
    sets = _dealt(items, size, -(-items * repeats // size), random)
    if sets.size > _MOST_PLACES or not _excess(items, sets):
        return sets
    best, least = sets, _excess(items, sets)
    for constructed in constructed_sets(items, size, repeats, random):
        if (excess := _excess(items, constructed)) < least:
            best, least = random.order(items)[constructed], excess
        if not least:
            return best[random.order(len(best))]
    _improve(sets, random)
    return sets if _excess(items, sets) <= least else best[random.order(len(best))]


def _excess(items: int, sets: np.ndarray) -> int:
    """By how much the sum of the squares of how often pairs are together exceeds the least possible one."""
    counts = set_balance(items, sets).of_pairs
    return int((counts**2).sum()) - least_squares(int(counts.sum()), items * (items - 1) // 2)


def with_balanced_places(sets: np.ndarray, random: RandomNumbers) -> np.ndarray:
    """The same sets with each item at each place equally often, give or take one.

    An item that is in more sets than there are places counts as several. Then places are the colours of a
    graph of items and sets in which those at a node differ; they are exchanged along a path where an item and
    a set have none in common that is free (König).
    """
    rows, size = sets.shape
    of_items = ranks_in_groups(sets.ravel(), np.arange(sets.size)) // size
    nodes = np.unique(np.stack((sets.ravel(), of_items)), axis=1, return_inverse=True)[1].reshape(rows, size)
    in_set = np.full((rows, size), -1).tolist()
    of_node = np.full((int(nodes.max()) + 1, size), -1).tolist()
    firsts = (random.fractions(sets.size) * size).astype(np.int64).tolist()
    for edge in range(sets.size):
        row, node = edge // size, int(nodes.flat[edge])
        turned = [(firsts[edge] + place) % size for place in range(size)]
        free = [place for place in turned if of_node[node][place] < 0]
        both = next((place for place in free if in_set[row][place] < 0), None)
        if both is None:
            both, other = next(place for place in turned if in_set[row][place] < 0), free[0]
            _exchange_places(in_set, of_node, node, both, other)
        in_set[row][both], of_node[node][both] = node, row
    items = np.empty(int(nodes.max()) + 1, np.int64)
    items[nodes.ravel()] = sets.ravel()
    return items[np.array(in_set)]


def _exchange_places(
    in_set: list[list[int]], of_node: list[list[int]], node: int, taken: int, free: int
) -> None:
    """Exchange two places along the path that begins at an item, of which the second one is free there."""
    path = list[tuple[int, int]]()
    place, row = taken, of_node[node][taken]
    while row >= 0:
        path.append((row, node))
        place = free if place == taken else taken
        node = in_set[row][place]
        if node < 0:
            break
        path.append((row, node))
        place = free if place == taken else taken
        row = of_node[node][place]
    used = [(row, node, taken if number % 2 == 0 else free) for number, (row, node) in enumerate(path)]
    for row, node, place in used:
        in_set[row][place] = of_node[node][place] = -1
    for row, node, place in used:
        changed = free if place == taken else taken
        in_set[row][changed], of_node[node][changed] = node, row


class SetBalance(NamedTuple):
    """How balanced sets are: in how many each item is, and in how many each pair that is in any."""

    of_items: np.ndarray
    of_pairs: np.ndarray

    @property
    def repeated_pairs(self) -> int:
        """The number of pairs that are in more than one set."""
        return int((self.of_pairs > 1).sum())


def set_balance(items: int, sets: np.ndarray) -> SetBalance:
    """Count the sets with each item and with each pair."""
    first, second = np.triu_indices(sets.shape[1], 1)
    low, high = np.sort(sets, axis=1)[:, first].ravel(), np.sort(sets, axis=1)[:, second].ravel()
    _pairs, counts = np.unique(low.astype(np.int64) * items + high, return_counts=True)
    return SetBalance(np.bincount(sets.ravel(), minlength=items), counts)


def _dealt(items: int, size: int, count: int, random: RandomNumbers) -> np.ndarray:
    """Fill sets with the items of one round after another."""
    together: list[Counter[int]] = [Counter() for _item in range(items)]
    waiting, sets = list[int](), np.zeros((count, size), np.int64)
    for row in range(count):
        chosen = list[int]()
        while len(chosen) < size:
            waiting = waiting or random.order(items).tolist()
            place = _rarest(waiting, chosen, together)
            waiting[place], waiting[-1] = waiting[-1], waiting[place]
            chosen.append(waiting.pop())
        for one, other in combinations(chosen, 2):
            together[one][other] += 1
            together[other][one] += 1
        sets[row] = chosen
    return sets


def _rarest(waiting: list[int], chosen: list[int], together: list[Counter[int]]) -> int:
    """The place of the item among the last ones that was most rarely in a set with the chosen ones."""
    best, fewest = len(waiting) - 1, None
    for place in range(len(waiting) - 1, max(-1, len(waiting) - 1 - _CANDIDATES), -1):
        item = waiting[place]
        if item in chosen:
            continue
        times = sum(together[item][other] for other in chosen)
        if fewest is None or times < fewest:
            best, fewest = place, times
        if not times:
            break
    return best


def _improve(sets: np.ndarray, random: RandomNumbers) -> None:
    """Exchange items of sets while that makes pairs more equally often together, or as equally."""
    rows, size = sets.shape
    items = int(sets.max()) + 1
    together = np.zeros((items, items), np.int64)
    for one, other in combinations(range(size), 2):
        np.add.at(together, (sets[:, one], sets[:, other]), 1)
    together += together.T
    excess, counts = _excess(items, sets), together.tolist()
    members, tries = sets.tolist(), min(_MOST_EXCHANGES, _EXCHANGES_PER_PLACE * sets.size)
    drawn = random.fractions(4 * tries).reshape(-1, 4) * (rows, size, rows, size)
    for row, place, other_row, other_place in drawn.astype(np.int64).tolist():
        if not excess:
            break
        mine, theirs = members[row], members[other_row]
        one, other = mine[place], theirs[other_place]
        if row == other_row or one in theirs or other in mine:
            continue
        first = [item for item in mine if item != one]
        second = [item for item in theirs if item != other]
        change = _exchange(counts, one, other, first, second)
        if change <= 0:
            excess += change
            mine[place], theirs[other_place] = other, one
        else:
            _exchange(counts, other, one, first, second)
    sets[:] = members


def _exchange(counts: list[list[int]], one: int, other: int, first: list[int], second: list[int]) -> int:
    """Count `other` with the items of the first set instead of `one`; the change of the sum of squares."""
    change = 0
    for item, of_set, step in ((one, first, -1), (other, second, -1), (other, first, 1), (one, second, 1)):
        for neighbour in of_set:
            before = counts[item][neighbour]
            counts[item][neighbour] = counts[neighbour][item] = before + step
            change += 2 * step * before + 1
    return change
