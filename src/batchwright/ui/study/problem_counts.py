"""The problems of a layout as the window counts them: errors, and fields that are still to be filled in.

Without the distinction, every new item would start with errors. An empty required field of a new item becomes
an error when the focus leaves it or when the study is about to be sent. This state is not saved: a study
opened from a file shows all errors.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from batchwright.base.i18n import _, ngettext
from batchwright.base.local_formats import joined
from batchwright.layout.model import Layout
from batchwright.ui.core.formatting import number

if TYPE_CHECKING:  # the rules are imported with the first layout, after the window is painted
    from batchwright.layout.rules.problems import AttributePath, Problem


class Unfilled:
    """Records which items are new and which of their fields had the focus."""

    def __init__(self, layout: Layout, *, is_new: bool = False) -> None:
        """Start with a layout; `is_new` means that all of its items are new."""
        self._new_keys = {node.key for node in layout.walk_all()} if is_new else set[str]()
        self._visited_fields: set[tuple[str, AttributePath]] = set()

    def add_created(self, before: Layout, after: Layout) -> None:
        """Record the items that an edit has created."""
        from batchwright.layout.comparing.changed_pages import (
            changed_pages,  # not needed before a study is open
        )

        changed = changed_pages(before.pages, after.pages)
        keys_before = frozenset[str]().union(*(page.keys for page in changed.gone))
        self._new_keys.update(*(page.keys - keys_before for _number, page in changed.new))

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


class ProblemCounts(NamedTuple):
    """The numbers of problems because of which a service would reject a layout; false if it has none."""

    errors: int = 0
    unfilled: int = 0
    """Fields of new items that are still to be filled in."""

    def __bool__(self) -> bool:
        return self.errors > 0 or self.unfilled > 0

    @property
    def errors_text(self) -> str:
        """The number of errors, such as `1 problem`; empty if there are none."""
        text = ngettext("{count} problem", "{count} problems", self.errors)
        return text.format(count=number(self.errors)) if self.errors else ""

    @property
    def unfilled_text(self) -> str:
        """The number of fields not filled in, such as `4 to fill in`; empty if there are none."""
        text = ngettext("{count} to fill in", "{count} to fill in", self.unfilled)
        return text.format(count=number(self.unfilled)) if self.unfilled else ""

    @property
    def text(self) -> str:
        """Both numbers, such as `1 problem, 4 to fill in`; empty if there are no problems."""
        return joined(text for text in (self.errors_text, self.unfilled_text) if text)

    @property
    def next_label(self) -> str:
        """The text of the button that goes to the next problem: errors come first."""
        return _("Fill in next field") if self.unfilled and not self.errors else _("Go to next problem")


def count_problems(problems: "Iterable[Problem]") -> ProblemCounts:
    """Count the problems of a layout; hints are not counted."""
    from batchwright.layout.rules.problems import Severity

    severities = [problem.severity for problem in problems]
    return ProblemCounts(severities.count(Severity.ERROR), severities.count(Severity.UNFILLED))
