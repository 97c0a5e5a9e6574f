"""Bradley and Terry's model: strengths of systems from pairwise comparisons, also with an order effect."""

import numpy as np

_MAX_ITERATIONS = 2000
_TOLERANCE = 1e-9
_MAX_NEWTON_STEPS = 100
_LONGEST_STEP = 2.0
_LARGEST = 30.0
"""A logarithmic strength above which there is no maximum."""
_SINGULAR = 1e-9


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


def strengths_with_order(won: np.ndarray, lost: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The logarithmic strengths of systems, with mean 0, and the effect of the left side, for each sample.

    The probability that i on the left beats j is 1 / (1 + exp(strength j - strength i - effect)): Davidson,
    R. R., & Beaver, R. J. (1977). On extending the Bradley–Terry model to incorporate within-pair order
    effects. Fitted with Newton's method. All are NaN if there is no maximum, or if sides and systems cannot
    be told apart.

    Args:
        won: sample × left system × right system; how often the left one won. A tie is half a win for both.
        lost: the same for the right one.
    """
    count = won.shape[1]
    result = np.full((len(won), count + 1), np.nan)
    is_defined = is_connected(won + lost.transpose(0, 2, 1))
    if is_defined.any():
        result[is_defined] = _fit_with_order(won[is_defined], lost[is_defined])
    return result[:, :count], result[:, count]


def _fit_with_order(won: np.ndarray, lost: np.ndarray) -> np.ndarray:
    games, count = won + lost, won.shape[1]
    values = np.zeros((len(won), count + 1))
    is_singular = np.zeros(len(won), dtype=bool)
    for _step in range(_MAX_NEWTON_STEPS):
        strength, order = values[:, :count], values[:, count]
        logits = strength[:, :, None] - strength[:, None, :] + order[:, None, None]
        chances = 1 / (1 + np.exp(-logits))
        rest, weights = won - games * chances, games * chances * (1 - chances)
        gradient = np.concatenate(
            [rest.sum(axis=2) - rest.sum(axis=1), rest.sum(axis=(1, 2))[:, None]], axis=1
        )
        hessian = np.zeros((len(won), count + 1, count + 1))
        hessian[:, :count, :count] = 1 - weights - weights.transpose(0, 2, 1)  # 1: the mean is 0
        diagonal = np.arange(count)
        hessian[:, diagonal, diagonal] += weights.sum(axis=2) + weights.sum(axis=1)
        hessian[:, :count, count] = hessian[:, count, :count] = weights.sum(axis=2) - weights.sum(axis=1)
        hessian[:, count, count] = weights.sum(axis=(1, 2))
        scales = np.linalg.eigvalsh(hessian)
        is_singular |= scales[:, 0] <= _SINGULAR * scales[:, -1]
        hessian[is_singular] = np.eye(count + 1)
        step = np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
        step[is_singular] = 0
        step = np.clip(step, -_LONGEST_STEP, _LONGEST_STEP)
        values = values + step
        if np.abs(step).max() < _TOLERANCE:
            break
    values[is_singular | (np.abs(values).max(axis=1) > _LARGEST)] = np.nan
    return values


def is_connected(wins: np.ndarray) -> np.ndarray:
    """For each sample, whether every system has won against every other, directly or through others."""
    return _reaches(wins).all(axis=(1, 2))


def connected_parts(wins: np.ndarray) -> list[np.ndarray]:
    """The largest groups of systems that have won against each other, directly or through others.

    Args:
        wins: system × system; how often the first won against the second. A tie is half a win for both.
    """
    reaches = _reaches(wins[None])[0]
    mutual = reaches & reaches.T
    return [np.flatnonzero(mutual[first]) for first in range(len(wins)) if not mutual[first, :first].any()]


def _reaches(wins: np.ndarray) -> np.ndarray:
    """For each sample, whether a system has won against another, directly or through others; and itself."""
    count = wins.shape[1]
    reaches = (wins > 0) | np.eye(count, dtype=bool)
    for _step in range(max(1, int(np.ceil(np.log2(max(count, 2)))))):
        reaches = (reaches.astype(np.float64) @ reaches.astype(np.float64)) > 0
    return reaches


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
