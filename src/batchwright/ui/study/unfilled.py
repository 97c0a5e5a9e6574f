"""Required fields of new entries that nobody has filled in yet: shown as still to do, not as errors.

A field counts as an error, as the rules say, once it was left empty or the study is to be sent. Nothing of
this is saved: what is opened from a file shows its problems as they are.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from batchwright.layout.model import Layout

if TYPE_CHECKING:  # rules are not needed before a study is open
    from batchwright.layout.rules.problems import AttributePath, Problem


class Unfilled:
    """Which entries are new, and which of their fields were left."""

    def __init__(self, layout: Layout, *, is_new: bool = False) -> None:
        """Start with the layout of a study that was opened, or that is new itself."""
        self._new_keys = {entry.key for entry in layout.walk_all()} if is_new else set[str]()
        self._left: set[tuple[str, AttributePath]] = set()

    def add_created(self, before: Layout, after: Layout) -> None:
        """Take note of the entries that an edit has created."""
        kept = {id(page) for page in before.pages}
        changed = [page for page in after.pages if id(page) not in kept]
        if changed:
            kept = {id(page) for page in after.pages}
            known = {one.key for page in before.pages if id(page) not in kept for one in page.walk_all()}
            self._new_keys.update(
                one.key for page in changed for one in page.walk_all() if one.key not in known
            )

    def mark_left(self, key: str, attribute: "AttributePath") -> None:
        """Take note that a field of an entry was left, with all that is inside it."""
        self._left.add((key, attribute))

    def clear(self) -> None:
        """Let everything that is not filled in be an error, up to what is created next."""
        self._new_keys.clear()

    def marked(self, layout: Layout, problems: "Iterable[Problem]") -> "tuple[Problem, ...]":
        """The problems, those of fields that are still to be filled in as such."""
        from batchwright.layout.rules.problems import Severity

        if not self._new_keys:
            return tuple(problems)
        return tuple(
            replace(one, severity=Severity.UNFILLED) if self._is_waiting(layout, one) else one
            for one in problems
        )

    def _is_waiting(self, layout: Layout, problem: "Problem") -> bool:
        if not problem.is_unfilled or not problem.path.indices:
            return False
        key, path = layout.at(problem.path).key, problem.attribute
        around = {path, path._replace(inner=""), path._replace(entry=None, inner="")}
        return key in self._new_keys and not any((key, one) in self._left for one in around)
