"""Finds the keys of a schema that a misspelled key is similar to, without comparing it with each of them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

_LONGEST = 64
"""Longer keys, in characters, are similar only if they differ in letter case or spaces around them."""


class SimilarKeys:
    """Keys by their spellings. Building it takes time in proportion to the characters of the keys."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._by_folded: defaultdict[str, list[str]] = defaultdict(list)
        self._by_shortened: defaultdict[str, list[str]] = defaultdict(list)
        for key in keys:
            folded = _folded(key)
            self._by_folded[folded].append(key)
            for shortened in _shortened(folded):
                self._by_shortened[shortened].append(key)

    def find(self, key: str) -> list[str]:
        """The keys that differ only in letter case or outer spaces; else those that differ in one character.

        A character more or fewer, another one, or two that changed places.
        """
        folded = _folded(key)
        if alike := self._by_folded.get(folded):
            return alike
        found = (
            one
            for spelling in _shortened(folded)
            for keys in (self._by_folded, self._by_shortened)
            for one in keys.get(spelling, ())
        )
        return list(dict.fromkeys([*self._by_shortened.get(folded, ()), *found]))


def _folded(key: str) -> str:
    return key.strip().casefold()


def _shortened(folded: str) -> Iterator[str]:
    """A key without one of its characters, for each of them."""
    for number in range(len(folded) if 1 < len(folded) <= _LONGEST else 0):
        yield folded[:number] + folded[number + 1 :]
