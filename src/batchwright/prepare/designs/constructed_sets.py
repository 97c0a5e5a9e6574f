"""Balanced sets of items by construction: base sets are moved through a group, or sets are lines of a plane.

If all differences between two items of base sets are equally frequent, so are the pairs of items in the
sets that arise by adding each element of a group (difference families; Bose, 1939). The base sets are
searched for. A subgroup may be one of them, also with an item that stays: it has few different sets.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, count, permutations
from math import isqrt, prod

import numpy as np

from batchwright.prepare.random_numbers import RandomNumbers

_TRIES = 5000
"""Exchanges that are tried for each item of the base sets."""
_MOST_TRIES = 150_000
_MOST_TRIES_OF_SUBGROUPS = 2_000_000
"""Those of several searches, which succeed now and then."""
_FIRST_HEAT, _LAST_HEAT = 3.0, 0.1
"""By how much worse half of the exchanges may be, at first and at last."""


def constructed_sets(items: int, size: int, repeats: int, random: RandomNumbers) -> Iterator[np.ndarray]:
    """Yield designs in which each item is in `repeats` sets, for which there are constructions.

    They are as balanced as the base sets that were found.
    """
    for order in _FIELDS:
        if items == size * order and (
            repeats <= order if size <= order else size == order + 1 and repeats == order
        ):
            yield _points(order, size, repeats)
        if items == order**2 and size == order and repeats <= order + 1:
            yield _lines(order)[: repeats * size]
    for moduli in _groups(items):
        if repeats % size == 0:
            factors = [*_factors(moduli, repeats // size), 0]
            yield from (
                _moved(moduli, _BaseSets(moduli, size, repeats // size, factor=factor).found(random))
                for factor in factors
            )
    yield from _with_subgroups(items, size, repeats, random)
    for moduli in _groups(items - 1):
        sets = items * repeats // size
        if repeats % (items - 1) == 0 and items * repeats % size == 0 and sets % (items - 1) == 0:
            base_sets = sets // (items - 1)
            yield _moved(moduli, _BaseSets(moduli, size, base_sets, repeats // (items - 1)).found(random))


def _with_subgroups(items: int, size: int, repeats: int, random: RandomNumbers) -> Iterator[np.ndarray]:
    """Yield designs that have a subgroup among the base sets, by itself or with an item that stays."""
    base_sets = (repeats - 1) // size
    if base_sets < 1 or repeats != base_sets * size + 1:
        return
    staying = [[-1]] if items - 1 == repeats * (size - 1) else []
    searches = list[tuple[np.ndarray, _BaseSets]]()
    for stays in (*staying, []):
        *_others, moduli = _groups(items - len(stays))
        if subgroup := _subgroup(moduli, size - len(stays)):
            cosets = np.unique(np.sort(_moved(moduli, [subgroup + stays]), axis=1), axis=0)
            searches.append((cosets, _BaseSets(moduli, size, base_sets, covered=subgroup)))
    tries = sum(search.tries for _cosets, search in searches)
    for _attempt in range(_MOST_TRIES_OF_SUBGROUPS // tries if searches else 0):
        for cosets, search in searches:
            yield np.concatenate((cosets, _moved(search.moduli, search.found(random))))


def _lines(order: int) -> np.ndarray:
    """The lines of a plane with `order` points on each, in classes of parallel ones."""
    field = _Field(order)
    numbers = range(order)
    sloping = [
        [x * order + field.sum(field.product(slope, x), shift) for x in numbers]
        for slope in numbers
        for shift in numbers
    ]
    return np.array([*sloping, *([x * order + y for y in numbers] for x in numbers)])


def _points(order: int, size: int, repeats: int) -> np.ndarray:
    """The points of a plane, each as the lines through it that are in some classes of parallel ones.

    The last of `order` + 1 classes has the upright lines, of which only all are in equally many points.
    """
    field = _Field(order)
    upright = size > order
    return np.array(
        [
            [
                *(slope * order + field.sum(field.product(slope, x), y) for slope in range(min(size, order))),
                *([order**2 + x] if upright else []),
            ]
            for x in range(order if upright else repeats)
            for y in range(order)
        ]
    )


_FIELDS = (3, 4, 5, 7, 11, 13)
"""The numbers of elements of the fields that planes are made of."""
_PRODUCTS_OF_4 = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))


@dataclass(frozen=True)
class _Field:
    """A field with a prime number of elements, or with four, which are numbered from 0."""

    order: int

    def sum(self, one: int, other: int) -> int:
        """The sum of two elements."""
        return one ^ other if self.order == 4 else (one + other) % self.order

    def product(self, one: int, other: int) -> int:
        """The product of two elements."""
        return _PRODUCTS_OF_4[one][other] if self.order == 4 else one * other % self.order


def _groups(order: int) -> Iterator[tuple[int, ...]]:
    """Yield the moduli of the cyclic group, and of the product of groups with a prime number of elements."""
    yield (order,)
    primes = [prime for prime in range(2, order + 1) for _factor in range(_power(order, prime))]
    if len({*primes}) < len(primes):
        yield tuple(primes)


def _power(order: int, divisor: int) -> int:
    """How often a number has a prime divisor; 0 of other divisors."""
    is_prime = all(divisor % number for number in range(2, isqrt(divisor) + 1))
    return next(power for power in count() if order % divisor ** (power + 1)) if is_prime else 0


def _subgroup(moduli: tuple[int, ...], size: int) -> list[int]:
    """The elements of a subgroup with a number of elements; empty if there is none of few factors."""
    order = prod(moduli)
    if len(moduli) == 1:
        return [*range(0, order, order // size)] if order % size == 0 else []
    places = range(len(moduli))
    factors = (chosen for number in places for chosen in combinations(places, number))
    chosen = next((chosen for chosen in factors if prod(moduli[place] for place in chosen) == size), None)
    if chosen is None:
        return []
    shape = [modulus if place in chosen else 1 for place, modulus in enumerate(moduli)]
    elements = np.stack(np.unravel_index(np.arange(size), shape), axis=1)
    return np.ravel_multi_index(tuple(elements.T), moduli).tolist()  # type: ignore[no-any-return]  # as above


def _factors(moduli: tuple[int, ...], base_sets: int) -> Iterator[int]:
    """Yield a factor of which the power `base_sets` is -1 in a group of prime order, if there is one.

    Differences that occur in one base set then occur in no other one if no two of it are such multiples of
    each other (Wilson, 1972).
    """
    (order, *others), half = moduli, 2 * base_sets
    is_prime = order > 2 and all(order % number for number in range(2, isqrt(order) + 1))
    if base_sets > 1 and not others and is_prime and (order - 1) % half == 0:
        powers = (pow(number, (order - 1) // half, order) for number in range(2, order))
        yield next(power for power in powers if pow(power, base_sets, order) == order - 1)


def _sums(moduli: tuple[int, ...]) -> np.ndarray:
    """The sum of each two elements of a group."""
    elements = np.stack(np.unravel_index(np.arange(prod(moduli)), moduli), axis=1)
    sums = (elements[:, None] + elements) % moduli
    return np.ravel_multi_index(tuple(sums.transpose(2, 0, 1)), moduli)


def _moved(moduli: tuple[int, ...], base_sets: list[list[int]]) -> np.ndarray:
    """The base sets with each element of the group added; -1 is the item that stays, the last one."""
    order = prod(moduli)
    sums = np.vstack((_sums(moduli), np.full(order, order)))
    return sums[np.array(base_sets)].transpose(0, 2, 1).reshape(-1, len(base_sets[0]))


@dataclass(frozen=True)
class _BaseSets:
    """A search for base sets whose differences are equally frequent."""

    moduli: tuple[int, ...]
    size: int
    count: int
    with_fixed: int = 0
    """How many of them have the item that stays."""
    factor: int = 0
    """Each base set is the one before multiplied by this, in a cyclic group; 0: any."""
    covered: Sequence[int] = ()
    """A subgroup, of which other sets have the differences."""

    @property
    def tries(self) -> int:
        """The number of exchanges that are tried."""
        return min(_MOST_TRIES, _TRIES * self.count * self.size)

    def found(self, random: RandomNumbers) -> list[list[int]]:
        """The best ones that are found by exchanging items, at first also so that they are worse."""
        order, differences = prod(self.moduli), _differences(self.moduli)
        base = [
            random.sample(order, self.size - (number < self.with_fixed)).tolist()
            for number in range(self.count)
        ]
        if self.factor:
            base = [self._multiplied(base[0], number) for number in range(self.count)]
        counts = [int(element in self.covered[1:]) for element in range(order)]
        for members in base:
            for one, other in permutations(members, 2):
                counts[differences[one][other]] += 1
        squares, least = sum(count * count for count in counts), least_squares(sum(counts), order - 1)
        fewest, best = squares, [[*members] for members in base]
        tries = self.tries
        drawn = random.fractions(4 * tries).reshape(-1, 4)
        heats = np.linspace(_FIRST_HEAT, _LAST_HEAT, tries)
        patience = (heats * drawn[:, 3] / (1 - drawn[:, 3])).tolist()
        chosen = (drawn[:, :3] * (self.count, 1, order)).tolist()
        for (number, place, item), most in zip(chosen, patience, strict=True):
            if fewest <= least:
                break
            changed = base if self.factor else [base[int(number)]]
            at, new = int(place * len(changed[0])), [int(item)]
            if new[0] in changed[0]:
                continue
            if self.factor:
                new = [self._multiplied(new, times)[0] for times in range(self.count)]
            old = [members[at] for members in changed]
            change = _replace(counts, differences, changed, at, new)
            if change > most:
                _replace(counts, differences, changed, at, old)
                continue
            squares += change
            if squares < fewest:
                fewest, best = squares, [[*members] for members in base]
        return [[*members, -1] if len(members) < self.size else members for members in best]

    def _multiplied(self, members: list[int], times: int) -> list[int]:
        """Elements of a cyclic group, multiplied so many times."""
        return [item * pow(self.factor, times, self.moduli[0]) % self.moduli[0] for item in members]


def least_squares(total: int, places: int) -> int:
    """The sum of the squares of whole numbers with a sum, if they differ by at most one."""
    low, more = divmod(total, places)
    return more * (low + 1) ** 2 + (places - more) * low**2


def _differences(moduli: tuple[int, ...]) -> list[list[int]]:
    """The difference of each two elements of a group."""
    sums = _sums(moduli)
    negatives = np.argmin(sums, axis=1)  # the sum with it is the first element, 0
    return sums[:, negatives].tolist()  # type: ignore[no-any-return]  # numpy's lists have no type


def _replace(
    counts: list[int], differences: list[list[int]], base: list[list[int]], place: int, items: list[int]
) -> int:
    """Put other items into base sets; the change of the sum of the squared numbers of differences."""
    change = 0
    for members, item in zip(base, items, strict=True):
        before = members[place]
        for other in members:
            if other != before:
                for difference in (differences[before][other], differences[other][before]):
                    change -= 2 * counts[difference] - 1
                    counts[difference] -= 1
                for difference in (differences[item][other], differences[other][item]):
                    change += 2 * counts[difference] + 1
                    counts[difference] += 1
        members[place] = item
    return change
