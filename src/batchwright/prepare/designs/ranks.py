"""The rank of each row among those with the same code."""

import numpy as np


def ranks_in_groups(codes: np.ndarray, order: np.ndarray) -> np.ndarray:
    """How many rows with the same code come before each row, when rows are taken in an order.

    Args:
        codes: the code of each row, counted from 0.
        order: the rows in the order in which they are taken.
    """
    by_code = order[np.argsort(codes[order], kind="stable")]
    sizes = np.bincount(codes)
    starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
    ranks = np.empty(len(codes), np.int64)
    ranks[by_code] = np.arange(len(codes)) - starts
    return ranks
