"""Random samples of rows, also with a size for each stratum."""

import numpy as np

from batchwright.prepare.designs.ranks import ranks_in_groups
from batchwright.prepare.random_numbers import RandomNumbers


def proportional_amounts(sizes: np.ndarray, total: int) -> np.ndarray:
    """Divide a number of rows among strata in proportion to their sizes, by largest remainders.

    Of equal remainders, that of the earlier stratum counts as larger. No stratum gets more than it has.
    """
    rows = int(sizes.sum())
    total = min(total, rows)
    exact = sizes.astype(object) * total
    amounts = np.array([size // rows if rows else 0 for size in exact], np.int64)
    remainders = np.array([size % rows if rows else 0 for size in exact], np.int64)
    amounts[np.argsort(-remainders, kind="stable")[: total - int(amounts.sum())]] += 1
    return amounts


def equal_amounts(sizes: np.ndarray, total: int, random: RandomNumbers) -> np.ndarray:
    """Divide a number of rows among strata as equally as their sizes allow."""
    total = min(total, int(sizes.sum()))
    low, high = 0, int(sizes.max(initial=0))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if np.minimum(sizes, middle).sum() <= total else (low, middle - 1)
    amounts = np.minimum(sizes, low)
    larger = np.flatnonzero(sizes > low)
    amounts[larger[random.order(len(larger))[: total - int(amounts.sum())]]] += 1
    return amounts


def stratified_sample(strata: np.ndarray, amounts: np.ndarray, random: RandomNumbers) -> np.ndarray:
    """Draw rows from each stratum; their indexes in ascending order.

    Args:
        strata: the code of the stratum of each row.
        amounts: the number of rows to draw from each stratum.
        random: draws them.
    """
    return np.flatnonzero(ranks_in_groups(strata, random.order(len(strata))) < amounts[strata])
