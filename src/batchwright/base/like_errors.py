"""Limits how many errors of one kind are listed: a wrong file can have millions of the same error."""

from collections import Counter
from collections.abc import Hashable
from typing import Generic, TypeVar

Kind = TypeVar("Kind", bound=Hashable)

MAX_LIKE_ERRORS = 1000
"""Errors of one kind that a command lists one by one."""


class LikeErrors(Generic[Kind]):
    """Counts errors by kind, such as a field and a reason, or the code of a rule.

    Args:
        most_alike: errors of one kind that are listed.
        most: errors that are listed together; kinds that appear only later are not told apart.
    """

    def __init__(self, most_alike: int, most: int) -> None:
        self._most_alike, self._most = most_alike, most
        self._listed: Counter[Kind] = Counter()
        self._listed_together = 0
        self.further: Counter[Kind | None] = Counter()
        """Errors that are not listed, by kind; those of later kinds are counted under None."""

    def is_listed(self, kind: Kind) -> bool:
        """Count an error; whether it is listed."""
        if self._listed_together < self._most and self._listed[kind] < self._most_alike:
            self._listed[kind] += 1
            self._listed_together += 1
            return True
        self.further[kind if kind in self._listed else None] += 1
        return False
