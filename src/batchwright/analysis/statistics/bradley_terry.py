"""Bradley and Terry's model: strengths of systems from pairwise comparisons."""

import numpy as np

_MAX_ITERATIONS = 2000
_TOLERANCE = 1e-9


def strengths(wins: np.ndarray) -> np.ndarray:
    """The logarithmic strengths of systems, with mean 0, for each sample.

    The probability that i beats j is 1 / (1 + exp(strength j - strength i)). Fitted with the MM algorithm of
    Hunter, D. R. (2004). MM algorithms for generalized Bradley–Terry models. Strengths are NaN if they have
    no maximum: if the systems fall into two groups of which one never lost to the other (Ford, 1957).

    Args:
        wins: sample × system × system; how often the first won against the second. A tie is half a win for
            both.
    """
    is_defined = is_connected(wins)
    result = np.full(wins.shape[:2], np.nan)
    if is_defined.any():
        result[is_defined] = _fit(wins[is_defined])
    return result


def is_connected(wins: np.ndarray) -> np.ndarray:
    """For each sample, whether every system has won against every other, directly or through others."""
    count = wins.shape[1]
    reaches = (wins > 0) | np.eye(count, dtype=bool)
    for _step in range(max(1, int(np.ceil(np.log2(max(count, 2)))))):
        reaches = (reaches.astype(np.float64) @ reaches.astype(np.float64)) > 0
    return reaches.all(axis=(1, 2))


def _fit(wins: np.ndarray) -> np.ndarray:
    games = wins + wins.transpose(0, 2, 1)
    total = wins.sum(axis=2)
    worth = np.ones(wins.shape[:2])
    for _iteration in range(_MAX_ITERATIONS):
        new = total / (games / (worth[:, :, None] + worth[:, None, :])).sum(axis=2)
        new /= np.exp(np.log(new).mean(axis=1, keepdims=True))
        change = float(np.abs(np.log(new) - np.log(worth)).max())
        worth = new
        if change < _TOLERANCE:
            break
    return np.log(worth)
