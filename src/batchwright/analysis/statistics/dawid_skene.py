"""Dawid and Skene's estimate of the true value of each unit, which weights raters by their reliability."""

import numpy as np

from batchwright.analysis.statistics.ratings import Ratings

_MAX_ITERATIONS = 100
_TOLERANCE = 1e-6
_SMOOTHING = 0.01
"""Added to each count of a rater's confusions, so that no value is impossible."""


def dawid_skene(ratings: Ratings) -> np.ndarray:
    """The probability of each value for each unit: a row per unit.

    Expectation maximization that starts with the shares of the ratings. Dawid, A. P., & Skene, A. M. (1979).
    Maximum likelihood estimation of observer error-rates using the EM algorithm.
    """
    raters, rater_codes = np.unique(ratings.raters, return_inverse=True)
    width = len(ratings.domain)
    cells = rater_codes.reshape(-1) * width + ratings.values
    probabilities = ratings.counts / ratings.counts.sum(axis=1, keepdims=True)
    for _iteration in range(_MAX_ITERATIONS):
        log_confusions = np.log(_confusions(probabilities, ratings, cells, len(raters)))
        previous, probabilities = probabilities, _expected(probabilities, ratings, cells, log_confusions)
        if float(np.abs(probabilities - previous).max(initial=0)) < _TOLERANCE:
            break
    return probabilities


def _confusions(
    probabilities: np.ndarray, ratings: Ratings, cells: np.ndarray, rater_count: int
) -> np.ndarray:
    """How probable each given value is for each rater and true value: rater × given, true."""
    width = len(ratings.domain)
    sums = [
        np.bincount(cells, weights=probabilities[ratings.units, true], minlength=rater_count * width)
        for true in range(width)
    ]
    counts = np.stack(sums, axis=1).reshape(rater_count, width, width) + _SMOOTHING
    return (counts / counts.sum(axis=1, keepdims=True)).reshape(rater_count * width, width)


def _expected(
    probabilities: np.ndarray, ratings: Ratings, cells: np.ndarray, log_confusions: np.ndarray
) -> np.ndarray:
    """The probabilities of the true values, given the reliability of the raters."""
    priors = np.log(np.maximum(probabilities.mean(axis=0), 1e-300))
    likelihoods = [
        np.bincount(ratings.units, weights=log_confusions[cells, true], minlength=ratings.unit_count)
        for true in range(len(ratings.domain))
    ]
    logs = priors + np.stack(likelihoods, axis=1)
    raised = np.exp(logs - logs.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)
