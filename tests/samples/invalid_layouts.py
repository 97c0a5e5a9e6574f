"""Random layouts that are invalid in known ways."""

from random import Random
from typing import Final

from tests.samples.invalid_items import INVALID_ITEMS
from tests.samples.invalid_structures import INVALID_STRUCTURES
from tests.samples.layouts import LayoutSample, valid_layout
from tests.samples.values import chance

_DEFECTS: Final = {**INVALID_ITEMS, **INVALID_STRUCTURES}


def random_layout(random: Random, invalid_probability: float = 0.5) -> LayoutSample:
    """A layout that has one to three defects with this probability, at most one of them in its structure."""
    names: list[str] = []
    if chance(random, invalid_probability):
        names = random.sample(list(INVALID_ITEMS), random.choice((1, 1, 2, 3)))
        if chance(random, 0.25):
            names = [*names[1:], random.choice(list(INVALID_STRUCTURES))]
    return _with_defects(random, *names)


def invalid_layout(random: Random, error: str) -> LayoutSample:
    """A layout with one defect of `INVALID_STRUCTURES` or `INVALID_ITEMS`."""
    return _with_defects(random, error)


def _with_defects(random: Random, *names: str) -> LayoutSample:
    sample = valid_layout(random)
    for name in names:
        _DEFECTS[name](random, sample)
        sample.defects.append(name)
    return sample
