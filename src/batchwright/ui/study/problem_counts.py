"""How many problems a layout has: errors, and separately the fields that are merely not filled in yet."""

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.formatting import number

if TYPE_CHECKING:  # the rules are imported with the first layout, after the window is painted
    from batchwright.layout.rules.problems import Problem


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
        return ", ".join(text for text in (self.errors_text, self.unfilled_text) if text)

    @property
    def next_label(self) -> str:
        """The text of the button that goes to the next problem: errors come first."""
        return _("Fill in next field") if self.unfilled and not self.errors else _("Go to next problem")


def count_problems(problems: "Iterable[Problem]") -> ProblemCounts:
    """Count the problems of a layout; hints are not counted."""
    from batchwright.layout.rules.problems import Severity

    counts = Counter(problem.severity for problem in problems)
    return ProblemCounts(counts[Severity.ERROR], counts[Severity.UNFILLED])
