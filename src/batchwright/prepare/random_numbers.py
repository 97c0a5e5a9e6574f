"""Random numbers that are the same on every system and with every version of the libraries."""

import numpy as np

_SEEDS = 2**32


class RandomNumbers:
    """The numbers that follow from a seed; those that differ by a multiple of 2³² are the same.

    Another `use` has other numbers with the same seed, so that what steps draw is independent.
    Only `random_sample` of numpy's legacy generator is used, whose sequence will not change (NEP 19).
    """

    def __init__(self, seed: int, use: str = "") -> None:
        self._state = np.random.RandomState([seed % _SEEDS, *use.encode()])

    def fractions(self, count: int) -> np.ndarray:
        """Numbers from 0 to 1, without 1."""
        return self._state.random_sample(count)

    def order(self, count: int) -> np.ndarray:
        """The numbers from 0 to `count`, without it, in random order."""
        return np.argsort(self.fractions(count), kind="stable")

    def sample(self, count: int, size: int) -> np.ndarray:
        """Draw `size` of the numbers from 0 to `count`, without it, in ascending order."""
        return np.sort(self.order(count)[:size])
