"""Random layouts broken in known ways."""

from random import Random
from typing import Final

from tests.samples.invalid_items import ITEM_FAULTS
from tests.samples.invalid_structures import SHAPE_FAULTS
from tests.samples.layouts import LayoutSample, sound_layout
from tests.samples.values import chance

_FAULTS: Final = {**ITEM_FAULTS, **SHAPE_FAULTS}


def random_layout(random: Random, broken: float = 0.5) -> LayoutSample:
    """A layout that is broken in one to three ways with this probability, at most once in its shape."""
    names: list[str] = []
    if chance(random, broken):
        names = random.sample(list(ITEM_FAULTS), random.choice((1, 1, 2, 3)))
        if chance(random, 0.25):
            names = [*names[1:], random.choice(list(SHAPE_FAULTS))]
    return _broken(random, *names)


def broken_layout(random: Random, fault: str) -> LayoutSample:
    """A layout broken in this one of `SHAPE_FAULTS` or `ITEM_FAULTS`."""
    return _broken(random, fault)


def _broken(random: Random, *names: str) -> LayoutSample:
    sample = sound_layout(random)
    for name in names:
        _FAULTS[name](random, sample)
        sample.broken.append(name)
    return sample
