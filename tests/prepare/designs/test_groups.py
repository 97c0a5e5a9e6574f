"""Task groups, and where known answers stand in them."""

from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from batchwright.prepare.designs.groups import (
    Order,
    dealt_groups,
    groups_of_topics,
    ordered,
    repeated_keys,
    with_shared_rows,
)
from batchwright.prepare.designs.known_answers import mixed_in
from batchwright.prepare.random_numbers import RandomNumbers

KEYS = st.lists(st.integers(0, 8), min_size=1, max_size=60).map(
    lambda keys: np.unique(keys, return_inverse=True)[1]
)


@given(KEYS, st.integers(1, 12), st.integers(0, 5))
def test_dealt_groups_have_equal_sizes_and_keep_the_same_keys_apart(
    keys: np.ndarray, size: int, seed: int
) -> None:
    groups = dealt_groups(keys, size, RandomNumbers(seed))
    count = -(-len(keys) // size)
    sizes = np.bincount(groups, minlength=count)
    assert len(sizes) == count
    assert sizes.max() <= size
    assert np.ptp(sizes) <= 1
    if np.bincount(keys).max() <= count:
        assert repeated_keys(keys, groups) == 0


@given(KEYS, st.integers(1, 12))
def test_a_group_has_one_topic(topics: np.ndarray, size: int) -> None:
    groups = groups_of_topics(topics, size, RandomNumbers(1))
    assert len(set(zip(groups.tolist(), topics.tolist(), strict=True))) == len(set(groups.tolist()))
    assert np.bincount(groups).max() <= size
    assert len(np.unique(groups_of_topics(topics, None, RandomNumbers(1)))) == topics.max() + 1


@given(st.lists(st.integers(0, 4), min_size=1, max_size=40), st.integers(0, 3), st.sampled_from(Order))
def test_order_keeps_the_rows_of_each_group_and_copies_come_later(
    groups: list[int], repeats: int, order: Order
) -> None:
    codes = np.unique(np.sort(groups), return_inverse=True)[1]
    rows = np.arange(len(codes)) + 100
    blocks = np.arange(len(codes)) % 3
    result = ordered(rows, codes, order, RandomNumbers(2), blocks, repeats)
    assert (np.diff(result.groups) >= 0).all()
    first = ~result.is_copy
    assert sorted(result.rows[first].tolist()) == rows.tolist()
    assert dict(zip(result.rows[first].tolist(), result.groups[first].tolist(), strict=True)) == dict(
        zip(rows.tolist(), codes.tolist(), strict=True)
    )
    for group in range(codes.max() + 1):
        own = result.groups == group
        assert result.is_copy[own].sum() == min(repeats, (codes == group).sum() // 2)
        seen: list[int] = []
        for row, is_copy in zip(result.rows[own].tolist(), result.is_copy[own].tolist(), strict=True):
            assert (row in seen) == is_copy
            seen.append(row)


def test_blocked_rows_follow_each_other() -> None:
    blocks = np.array([0, 1, 2, 0, 1, 2, 0, 1])
    result = ordered(np.arange(8), np.zeros(8, np.int64), Order.BLOCKED, RandomNumbers(3), blocks)
    shown = blocks[result.rows].tolist()
    assert sum(a != b for a, b in pairwise(shown)) == 2


def test_shared_rows_are_in_every_group() -> None:
    rows, groups = with_shared_rows(np.array([4, 5, 6]), np.array([0, 1, 1]), np.array([7, 8]))
    of_groups = {group: sorted(rows[groups == group].tolist()) for group in (0, 1)}
    assert of_groups == {0: [4, 7, 8], 1: [5, 6, 7, 8]}


@given(st.lists(st.integers(1, 12), min_size=1, max_size=8), st.integers(1, 6), st.integers(0, 5))
def test_known_records_are_spread_over_each_group_and_used_equally_often(
    sizes: list[int], per_group: int, seed: int
) -> None:
    known = per_group + seed
    groups = np.repeat(np.arange(len(sizes)), sizes)
    mixed = mixed_in(groups, known, np.full(len(sizes), per_group), RandomNumbers(seed))
    assert mixed.index[~mixed.is_known].tolist() == list(range(len(groups)))
    assert mixed.groups[~mixed.is_known].tolist() == groups.tolist()
    times = np.bincount(mixed.index[mixed.is_known], minlength=known)
    assert np.ptp(times) <= 1
    for group, size in enumerate(sizes):
        own = mixed.groups == group
        used = Counter(mixed.index[own & mixed.is_known].tolist())
        assert used.total() == per_group
        assert set(used.values()) == {1}
        places = np.flatnonzero(mixed.is_known[own])
        length = size + per_group
        parts = [
            int(np.searchsorted([n * length // per_group for n in range(1, per_group)], p, "right"))
            for p in places
        ]
        assert parts == list(range(per_group))
