"""Finds the pages that differ between two layouts, so that work after an edit is done for these pages only.

Edits keep the page objects that they do not change. Comparing the objects of a thousand pages takes a few
microseconds, because the loop runs in C; what is done for each page in Python takes a hundred times as long.
"""

from collections.abc import Iterable, Sequence
from itertools import compress, count
from operator import is_not
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class ChangedPages(NamedTuple, Generic[T]):
    """The pages from the first to the last that differ; the pages around them are the same objects.

    `start` is the index of the first one, before and after.
    """

    start: int
    before: Sequence[T]
    after: Sequence[T]

    @property
    def new(self) -> list[tuple[int, T]]:
        """The pages that were not there before, with their indices; without those that were only moved."""
        known = set(map(id, self.before))
        return [(n, page) for n, page in enumerate(self.after, self.start) if id(page) not in known]

    @property
    def gone(self) -> list[T]:
        """The pages that are no longer there."""
        remaining = set(map(id, self.after))
        return [page for page in self.before if id(page) not in remaining]


def changed_pages(before: Sequence[T], after: Sequence[T]) -> ChangedPages[T]:
    """Compare the pages of two layouts, by identity."""
    shorter = min(len(before), len(after))
    start = _first_different(before, after, shorter)
    end = min(_first_different(reversed(before), reversed(after), shorter), shorter - start)
    return ChangedPages(start, before[start : len(before) - end], after[start : len(after) - end])


def _first_different(before: Iterable[T], after: Iterable[T], default: int) -> int:
    return next(compress(count(), map(is_not, before, after)), default)
