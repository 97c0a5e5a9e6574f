"""Sets for best–worst scaling."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batchwright.prepare.designs.constructed_sets import constructed_sets
from batchwright.prepare.designs.item_sets import item_sets, set_balance, with_balanced_places
from batchwright.prepare.random_numbers import RandomNumbers


@settings(max_examples=25)
@given(st.integers(3, 40), st.integers(3, 5), st.integers(1, 6), st.integers(0, 3))
def test_items_are_equally_often_in_sets_and_once_in_each(
    items: int, size: int, repeats: int, seed: int
) -> None:
    items = max(items, size)
    sets = item_sets(items, size, repeats, RandomNumbers(seed))
    assert all(len(set(row)) == size for row in sets.tolist())
    assert len(sets) == -(-items * repeats // size)
    balance = set_balance(items, sets)
    assert balance.of_items.min() == repeats
    assert np.ptp(balance.of_items) <= 1


@settings(max_examples=25)
@given(st.integers(5, 30), st.integers(3, 5), st.integers(1, 80), st.integers(0, 3))
def test_items_stand_at_each_place_equally_often(items: int, size: int, count: int, seed: int) -> None:
    random = RandomNumbers(seed)
    sets = np.stack([random.order(items)[:size] for _set in range(count)])
    placed = with_balanced_places(sets, random)
    assert (np.sort(placed, axis=1) == np.sort(sets, axis=1)).all()
    times = [np.bincount(places, minlength=items) for places in placed.T]
    assert np.ptp(times, axis=0).max() <= 1


PUBLISHED = [
    *((6, 3, 5), (7, 3, 3), (9, 3, 4), (13, 3, 6), (15, 3, 7), (19, 3, 9), (8, 4, 7), (9, 4, 8)),
    *((10, 4, 6), (12, 4, 11), (13, 4, 4), (16, 4, 5), (25, 4, 8), (28, 4, 9), (37, 4, 12)),
    *((11, 5, 5), (21, 5, 5), (25, 5, 6), (41, 5, 10), (45, 5, 11)),
]
"""Items, items of a set and sets of each item of balanced incomplete block designs (Fisher & Yates, 1963)."""


@pytest.mark.parametrize(("items", "size", "repeats"), PUBLISHED)
@pytest.mark.parametrize("seed", [2, pytest.param(1, marks=pytest.mark.long)])
def test_all_pairs_are_equally_often_together_where_a_balanced_incomplete_block_design_exists(
    items: int, size: int, repeats: int, seed: int
) -> None:
    balance = set_balance(items, item_sets(items, size, repeats, RandomNumbers(seed)))
    assert len(balance.of_pairs) == items * (items - 1) // 2
    assert {*balance.of_pairs.tolist()} == {repeats * (size - 1) // (items - 1)}


@pytest.mark.parametrize(
    ("items", "size", "repeats"),
    [(20, 5, 4), (20, 4, 4), (21, 3, 7), (28, 4, 7), (40, 4, 4), (50, 5, 10), (100, 5, 6)],
)
def test_no_pair_is_in_two_sets_where_there_are_enough_items(items: int, size: int, repeats: int) -> None:
    sets = item_sets(items, size, repeats, RandomNumbers(1))
    assert set_balance(items, sets).repeated_pairs == 0


def test_twelve_items_in_sets_of_four_repeat_as_few_pairs_as_possible() -> None:
    """Four sets of each item have 72 pairs, and there are 66."""
    balance = set_balance(12, item_sets(12, 4, 4, RandomNumbers(1)))
    assert (len(balance.of_pairs), balance.repeated_pairs) == (66, 6)


@settings(max_examples=25)
@given(st.integers(5, 30), st.integers(3, 5), st.integers(1, 8), st.integers(0, 3))
def test_constructed_sets_have_each_item_equally_often(
    items: int, size: int, repeats: int, seed: int
) -> None:
    for sets in constructed_sets(items, size, repeats, RandomNumbers(seed)):
        assert all(len(set(row)) == size for row in sets.tolist())
        assert np.bincount(sets.ravel()).tolist() == [repeats] * items
