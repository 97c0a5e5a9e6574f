"""Task groups: which rows are in which group, and in which order participants see them."""

from enum import StrEnum
from typing import NamedTuple

import numpy as np

from batchwright.prepare.designs.ranks import ranks_in_groups
from batchwright.prepare.random_numbers import RandomNumbers


class Order(StrEnum):
    """The order of the rows of a group."""

    KEPT = "kept"
    SHUFFLED = "shuffled"
    BLOCKED = "blocked"
    """Rows of one block follow each other; the blocks and the rows in each are shuffled."""


class Grouped(NamedTuple):
    """Rows in their groups, group by group and in the order of each; a row may be there several times."""

    rows: np.ndarray
    groups: np.ndarray
    """The number of the group of each row, counted from 0."""
    is_copy: np.ndarray
    """Whether the same row comes earlier in the same group."""


def dealt_groups(keys: np.ndarray, size: int, random: RandomNumbers) -> np.ndarray:
    """Divide rows at random among groups of equal sizes, give or take one; returns the group of each.

    Rows with the same key are in different groups if there are enough.

    Args:
        keys: the code of each row, counted from 0; rows that have nothing in common have different ones.
        size: the largest number of rows of a group.
        random: draws the groups.
    """
    count = max(1, -(-len(keys) // size))
    groups = np.empty(len(keys), np.int64)
    groups[_order_by_key(keys, random)] = random.order(count)[np.arange(len(keys)) % count]
    return groups


def _order_by_key(keys: np.ndarray, random: RandomNumbers) -> np.ndarray:
    """The rows in random order, but those with the same key behind each other."""
    shuffled = random.order(len(keys))
    key_ranks = random.order(int(keys.max(initial=-1)) + 1)
    return shuffled[np.argsort(key_ranks[keys[shuffled]], kind="stable")]


def groups_of_topics(
    topics: np.ndarray, size: int | None, random: RandomNumbers, keys: np.ndarray | None = None
) -> np.ndarray:
    """A group for each topic, or as few groups of equal sizes as needed if it has more than `size` rows.

    Rows of a topic with the same one of `keys` are in different groups if it has enough.
    """
    sizes = np.bincount(topics)
    parts = np.ones_like(sizes) if size is None else np.maximum(1, -(-sizes // size))
    first = np.cumsum(parts) - parts
    order = random.order(len(topics)) if keys is None else _order_by_key(keys, random)
    ranks = ranks_in_groups(topics, order)
    return first[topics] + ranks % parts[topics]


def repeated_keys(keys: np.ndarray, groups: np.ndarray) -> int:
    """The number of rows that are in a group with an earlier one that has the same key."""
    pairs = groups * (int(keys.max(initial=-1)) + 1) + keys
    return len(pairs) - len(np.unique(pairs))


def with_shared_rows(
    rows: np.ndarray, groups: np.ndarray, shared: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Put further rows into every group; returns all rows and their groups, in the order of groups.

    Args:
        rows: the rows of the groups.
        groups: the group of each.
        shared: the rows for every group.
    """
    numbers = np.unique(groups)
    all_rows = np.concatenate((np.tile(shared, len(numbers)), rows))
    of_rows = np.concatenate((np.repeat(numbers, len(shared)), groups))
    order = np.lexsort((all_rows, of_rows))
    return all_rows[order], of_rows[order]


def ordered(
    rows: np.ndarray,
    groups: np.ndarray,
    order: Order,
    random: RandomNumbers,
    blocks: np.ndarray | None = None,
    repeats: int = 0,
) -> Grouped:
    """Give the rows of each group their order, and repeat some of them.

    A repeated row is one of the first half of its group, and comes again in the second half.

    Args:
        rows: the rows of all groups.
        groups: the group of each.
        order: the order within a group.
        random: draws it, and the rows that are repeated.
        blocks: the code of the block of each row, for blocks.
        repeats: the number of rows of each group that are repeated, at most half of them.
    """
    drawn = random.fractions(len(rows))
    if order is Order.KEPT:
        places = np.lexsort((np.arange(len(rows)), groups))
    elif order is Order.BLOCKED and blocks is not None:
        of_block = groups * (int(blocks.max(initial=-1)) + 1) + blocks
        _codes, first = np.unique(of_block, return_inverse=True)
        places = np.lexsort((drawn, random.fractions(len(_codes))[first], groups))
    else:
        places = np.lexsort((drawn, groups))
    rows, groups = rows[places], groups[places]
    is_copy = np.zeros(len(rows), bool)
    if not repeats:
        return Grouped(rows, groups, is_copy)
    return _with_repeats(rows, groups, repeats, random)


def _with_repeats(rows: np.ndarray, groups: np.ndarray, repeats: int, random: RandomNumbers) -> Grouped:
    """Repeat rows of the first half of each group at random places in the second half."""
    _codes, inverse, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    places = np.arange(len(rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    halves = (sizes // 2)[inverse]
    early = np.flatnonzero(places < halves)
    chosen = early[ranks_in_groups(inverse[early], random.order(len(early))) < repeats]
    after = halves[chosen] + random.fractions(len(chosen)) * (sizes[inverse[chosen]] - halves[chosen])
    all_rows = np.concatenate((rows, rows[chosen]))
    all_groups = np.concatenate((groups, groups[chosen]))
    is_copy = np.concatenate((np.zeros(len(rows), bool), np.ones(len(chosen), bool)))
    order = np.lexsort((np.concatenate((places + 0.0, after)), all_groups))
    return Grouped(all_rows[order], all_groups[order], is_copy[order])
