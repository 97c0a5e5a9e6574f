"""The presentation of problems by severity: icon, colour and texts."""

from collections.abc import Iterable, Mapping, Sequence

from batchwright.base.i18n import _, ngettext
from batchwright.layout.rules.problems import Problem, Severity

SEVERITY_ICONS: Mapping[Severity, tuple[str, str]] = {
    Severity.ERROR: ("warning-circle-fill", "err"),
    Severity.UNFILLED: ("circle-dashed", "neutral"),
    Severity.ADVICE: ("warning-fill", "warn"),
}
"""Icon and tone by severity, the most severe first."""

SEVERITY_ORDER: Sequence[Severity] = tuple(SEVERITY_ICONS)
"""The severities, the most severe first."""


def severity_rank(problem: Problem) -> int:
    """Sort key: errors first, then unfilled attributes, then hints."""
    return SEVERITY_ORDER.index(problem.severity)


def count_of(problems: Iterable[Problem], severity: Severity) -> int:
    """The number of problems of a severity."""
    return sum(problem.severity is severity for problem in problems)


def severity_count_text(severity: Severity, count: int) -> str:
    """A count as text, such as `2 errors`, `3 to fill in` or `1 hint`."""
    match severity:
        case Severity.ERROR:
            template = ngettext("{count} error", "{count} errors", count)
        case Severity.UNFILLED:
            template = ngettext("{count} to fill in", "{count} to fill in", count)
        case Severity.ADVICE:
            template = ngettext("{count} hint", "{count} hints", count)
    return template.format(count=count)


def severity_text(severity: Severity) -> str:
    """The description for screen readers of a page or node with such problems."""
    return {
        Severity.ERROR: _("has errors"),
        Severity.UNFILLED: _("has fields to fill in"),
        Severity.ADVICE: _("has hints"),
    }[severity]


def position_text(problem: Problem, problems: Sequence[Problem]) -> str:
    """The position of a problem among those of its severity, in reading order: `Problem 2 of 5`."""
    same_severity = [candidate for candidate in problems if candidate.severity is problem.severity]
    templates = {
        Severity.ERROR: _("Problem {number} of {count}"),
        Severity.UNFILLED: _("To fill in: {number} of {count}"),
        Severity.ADVICE: _("Hint {number} of {count}"),
    }[problem.severity]
    number = same_severity.index(problem) + 1 if problem in same_severity else 1
    return templates.format(number=number, count=len(same_severity))
