"""Matches the entries of two versions of a list, in time that grows with n log n."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Run(NamedTuple):
    """Old entries `first` to `last` take the place of new entries `start` to `end`; ends are not included.

    They are one equal entry of each, or entries between equal ones, of which either side may have none.
    """

    first: int
    last: int
    start: int
    end: int


def matching_runs(old: Sequence[str], new: Sequence[str]) -> Iterator[Run]:
    """Yield the runs of two lists in order; together they contain every entry once."""
    first = start = 0
    for index, place in _equal_entries(old, new):
        if (first, start) != (index, place):
            yield Run(first, index, start, place)
        yield Run(index, index + 1, place, place + 1)
        first, start = index + 1, place + 1
    if (first, start) != (len(old), len(new)):
        yield Run(first, len(old), start, len(new))


def _equal_entries(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield positions of equal entries, increasing on both sides: equal ends first, then the rest."""
    shorter = min(len(old), len(new))
    after = next((n for n in range(shorter) if old[-1 - n] != new[-1 - n]), shorter)
    before = next((n for n in range(shorter - after) if old[n] != new[n]), shorter - after)
    yield from ((index, index) for index in range(before))
    middle = _matches(old[before : len(old) - after], new[before : len(new) - after])
    yield from ((before + index, before + place) for index, place in middle)
    yield from ((len(old) - n, len(new) - n) for n in range(after, 0, -1))


def _matches(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Match the nth entry of each text with its nth on the other side, as many as keep their order."""
    places = {entry: place for place, entry in enumerate(_numbered(new))}
    pairs = ((index, places[entry]) for index, entry in enumerate(_numbered(old)) if entry in places)
    return _longest_increasing(pairs)


def _numbered(texts: Sequence[str]) -> Iterator[tuple[str, int]]:
    counts = Counter[str]()
    for text in texts:
        yield text, counts[text]
        counts[text] += 1


class _Chain(NamedTuple):
    pair: tuple[int, int]
    rest: "_Chain | None"


def _longest_increasing(pairs: Iterator[tuple[int, int]]) -> list[tuple[int, int]]:
    """The most pairs whose second numbers increase; the first ones do already."""
    lowest: list[int] = []  # the lowest last number of a chain of each length
    chains: list[_Chain] = []
    for pair in pairs:
        length = bisect_left(lowest, pair[1])
        chain = _Chain(pair, chains[length - 1] if length else None)
        lowest[length : length + 1] = [pair[1]]
        chains[length : length + 1] = [chain]
    longest, rest = [], chains[-1] if chains else None
    while rest:
        longest.append(rest.pair)
        rest = rest.rest
    return longest[::-1]
