"""Sides that are drawn for two outputs."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from batchwright.prepare.designs.sides import drawn_sides
from batchwright.prepare.random_numbers import RandomNumbers

PAIRS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(lambda pair: pair[0] != pair[1]))


@given(PAIRS, st.integers(0, 9))
def test_left_and_right_differ_by_at_most_one_for_each_pair_and_each_system(
    pairs: list[tuple[int, int]], seed: int
) -> None:
    first, second = np.array(pairs, np.int64).reshape(-1, 2).T
    is_first_left = drawn_sides(first, second, RandomNumbers(seed))
    sides = Counter(
        pair if is_left else pair[::-1] for pair, is_left in zip(pairs, is_first_left.tolist(), strict=True)
    )
    for a in range(7):
        left, right = (sum(n for pair, n in sides.items() if pair[side] == a) for side in (0, 1))
        assert abs(left - right) <= 1
        for b in range(7):
            assert abs(sides[a, b] - sides[b, a]) <= 1


def test_each_pair_stands_on_either_side_in_about_half_of_the_draws() -> None:
    first, second = np.array([0, 0, 1, 2]), np.array([1, 2, 2, 3])
    draws = np.array([drawn_sides(first, second, RandomNumbers(seed)) for seed in range(400)])
    assert (np.abs(draws.mean(axis=0) - 0.5) < 0.1).all()
