"""Random layouts that are invalid in known ways."""

from random import Random
from typing import Final

from tests.samples.invalid_items import INVALID_ITEMS
from tests.samples.invalid_structures import INVALID_STRUCTURES
from tests.samples.layouts import LayoutSample, sound_layout
from tests.samples.values import chance

_FAULTS: Final = {**INVALID_ITEMS, **INVALID_STRUCTURES}


def random_layout(random: Random, broken: float = 0.5) -> LayoutSample:
    """A layout that is broken in one to three ways with this probability, at most once in its shape."""
    names: list[str] = []
    if chance(random, broken):
        names = random.sample(list(INVALID_ITEMS), random.choice((1, 1, 2, 3)))
        if chance(random, 0.25):
            names = [*names[1:], random.choice(list(INVALID_STRUCTURES))]
    return _broken(random, *names)


def invalid_layout(random: Random, error: str) -> LayoutSample:
    """A layout broken in this one of `INVALID_STRUCTURES` or `INVALID_ITEMS`."""
    return _broken(random, error)


def _broken(random: Random, *names: str) -> LayoutSample:
    sample = sound_layout(random)
    for name in names:
        _FAULTS[name](random, sample)
        sample.broken.append(name)
    return sample
