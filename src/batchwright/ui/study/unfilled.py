"""Empty required fields of new items, which are shown as "to fill in" instead of as errors.

Otherwise every new item would start with errors. An empty field becomes an error when the focus leaves it or
when the study is about to be sent. This state is not saved: a study opened from a file shows all errors.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from batchwright.layout.model import Layout

if TYPE_CHECKING:  # rules are not needed before a study is open
    from batchwright.layout.rules.problems import AttributePath, Problem


class Unfilled:
    """Records which items are new and which of their fields had the focus."""

    def __init__(self, layout: Layout, *, is_new: bool = False) -> None:
        """Start with a layout; `is_new` means that all of its items are new."""
        self._new_keys = {entry.key for entry in layout.walk_all()} if is_new else set[str]()
        self._visited_fields: set[tuple[str, AttributePath]] = set()

    def add_created(self, before: Layout, after: Layout) -> None:
        """Record the items that an edit has created."""
        unchanged = {id(page) for page in before.pages}
        changed = [page for page in after.pages if id(page) not in unchanged]
        if changed:
            unchanged = {id(page) for page in after.pages}
            keys_before = {
                problem.key
                for page in before.pages
                if id(page) not in unchanged
                for problem in page.walk_all()
            }
            self._new_keys.update(
                problem.key
                for page in changed
                for problem in page.walk_all()
                if problem.key not in keys_before
            )

    def record_field_visited(self, key: str, attribute: "AttributePath") -> None:
        """Record that the focus left a field of an item, including its inner fields."""
        self._visited_fields.add((key, attribute))

    def clear(self) -> None:
        """Report all empty fields of existing items as errors."""
        self._new_keys.clear()

    def apply_to(self, layout: Layout, problems: "Iterable[Problem]") -> "tuple[Problem, ...]":
        """The problems, with severity `UNFILLED` for those that are not errors yet."""
        from batchwright.layout.rules.problems import Severity

        if not self._new_keys:
            return tuple(problems)
        return tuple(
            replace(problem, severity=Severity.UNFILLED) if self._is_unfilled(layout, problem) else problem
            for problem in problems
        )

    def _is_unfilled(self, layout: Layout, problem: "Problem") -> bool:
        if not problem.is_unfilled or not problem.path.indices:
            return False
        key, path = layout.at(problem.path).key, problem.attribute
        around = {path, path._replace(inner=""), path._replace(entry=None, inner="")}
        return key in self._new_keys and not any((key, field) in self._visited_fields for field in around)
