"""Where records with known answers stand among the others of each group."""

from typing import NamedTuple

import numpy as np

from batchwright.prepare.random_numbers import RandomNumbers


class Mixed(NamedTuple):
    """Rows and known ones, group by group: the index of each among the rows, or among the known ones."""

    index: np.ndarray
    is_known: np.ndarray
    groups: np.ndarray


def mixed_in(groups: np.ndarray, known: int, per_group: np.ndarray, random: RandomNumbers) -> Mixed:
    """Mix known records into groups: at random places, one in each of as many equal parts of the group.

    The known ones are taken in turns, so that each is in as many groups as each other one, give or take one,
    and none is twice in a group or in groups that follow each other while there are enough.

    Args:
        groups: the group of each row, counted from 0 and ascending.
        known: the number of known records.
        per_group: how many of them each group gets, at most `known`.
        random: draws the places, and the order of the known ones.
    """
    sizes = np.bincount(groups, minlength=len(per_group))
    lengths = sizes + per_group
    of_known = np.repeat(np.arange(len(per_group)), per_group)
    number = np.arange(len(of_known)) - np.repeat(np.cumsum(per_group) - per_group, per_group)
    low = number * lengths[of_known] // per_group[of_known]
    high = (number + 1) * lengths[of_known] // per_group[of_known]
    places = low + (random.fractions(len(of_known)) * (high - low)).astype(np.int64)
    starts = np.cumsum(lengths) - lengths
    is_known = np.zeros(int(lengths.sum()), bool)
    is_known[starts[of_known] + places] = True
    index = np.empty(len(is_known), np.int64)
    index[~is_known] = np.arange(len(groups))
    index[is_known] = random.order(known)[np.arange(len(of_known)) % known]
    return Mixed(index, is_known, np.repeat(np.arange(len(lengths)), lengths))
