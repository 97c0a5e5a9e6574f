"""How problems are shown, by their severity: glyph, colour, and what they are called together."""

from collections.abc import Iterable, Mapping, Sequence

from batchwright.base.i18n import _, ngettext
from batchwright.layout.rules.problems import Problem, Severity

SEVERITY_ICONS: Mapping[Severity, tuple[str, str]] = {
    Severity.ERROR: ("warning-circle-fill", "err"),
    Severity.UNFILLED: ("circle-dashed", "neutral"),
    Severity.ADVICE: ("warning-fill", "warn"),
}
"""Glyph and tone, the worst first."""

SEVERITY_ORDER: Sequence[Severity] = tuple(SEVERITY_ICONS)
"""The worst first."""


def severity_rank(problem: Problem) -> int:
    """A number to sort problems by: errors first, then what is to be filled in, then hints."""
    return SEVERITY_ORDER.index(problem.severity)


def count_of(problems: Iterable[Problem], severity: Severity) -> int:
    """How many problems are of a severity."""
    return sum(problem.severity is severity for problem in problems)


def severity_count_text(severity: Severity, count: int) -> str:
    """`2 errors`, `3 to fill in`, `1 hint`."""
    match severity:
        case Severity.ERROR:
            template = ngettext("{count} error", "{count} errors", count)
        case Severity.UNFILLED:
            template = ngettext("{count} to fill in", "{count} to fill in", count)
        case Severity.ADVICE:
            template = ngettext("{count} hint", "{count} hints", count)
    return template.format(count=count)


def severity_text(severity: Severity) -> str:
    """What a screen reader says of a page or an entry with such problems."""
    return {
        Severity.ERROR: _("has errors"),
        Severity.UNFILLED: _("has fields to fill in"),
        Severity.ADVICE: _("has hints"),
    }[severity]


def next_label(problems: Iterable[Problem]) -> str:
    """What the button says that goes to the next problem: the worst ones come first."""
    worst = min(problems, key=severity_rank, default=None)
    is_unfilled = worst is not None and worst.severity is Severity.UNFILLED
    return _("Fill in next field") if is_unfilled else _("Go to next problem")


def position_text(problem: Problem, problems: Sequence[Problem]) -> str:
    """`Problem 2 of 5`: which of those of its severity a problem is, in reading order."""
    same_severity = [candidate for candidate in problems if candidate.severity is problem.severity]
    templates = {
        Severity.ERROR: _("Problem {number} of {count}"),
        Severity.UNFILLED: _("To fill in: {number} of {count}"),
        Severity.ADVICE: _("Hint {number} of {count}"),
    }[problem.severity]
    number = same_severity.index(problem) + 1 if problem in same_severity else 1
    return templates.format(number=number, count=len(same_severity))
