"""Fixing many problems in one step: all of one rule, or all that can be fixed safely."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

from batchwright.base.i18n import N_
from batchwright.layout.edits import Remove
from batchwright.layout.item_types.registry import PAGE_RULES
from batchwright.layout.model import Layout, Page
from batchwright.layout.nodes import InvalidNode
from batchwright.layout.rules import Problem
from batchwright.layout.validator import LayoutChecker

_ON_PAGES = frozenset(rule.code for rule in PAGE_RULES)

ProblemFilter = Callable[[Problem], bool]


@dataclass(frozen=True)
class FixAllOfKind:
    """Use the fix of every problem of one rule that has one.

    Pages without such a problem stay the same objects. `checker` says what the problems are; that
    of the layout in hand knows most of them already.
    """

    label: ClassVar[str] = N_("Fix all of a kind")

    code: str
    checker: LayoutChecker = field(default_factory=LayoutChecker, compare=False)

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRejected`."""
        return _fixed(layout, self.checker, self._matches)

    def _matches(self, problem: Problem) -> bool:
        return problem.code == self.code and problem.fix is not None


@dataclass(frozen=True)
class FixAll:
    """Use the fix of every problem, whatever its rule, that has one which removes no entry.

    `checker` is that of the layout in hand, as in `FixAllOfKind`.
    """

    label: ClassVar[str] = N_("Fix all problems")

    checker: LayoutChecker = field(default_factory=LayoutChecker, compare=False)

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRejected`."""
        return _fixed(layout, self.checker, has_safe_fix)


def has_safe_fix(problem: Problem) -> bool:
    """Whether a problem has a fix that removes no entry."""
    return problem.fix is not None and not isinstance(problem.fix.edit, Remove)


def _fixed(layout: Layout, checker: LayoutChecker, matches: ProblemFilter) -> Layout:
    """The layout after the fixes that are wanted."""
    for problem in checker.check(layout):
        if problem.code not in _ON_PAGES and matches(problem) and problem.fix is not None:
            layout = problem.fix(layout)
    pages = [page for before in layout.pages for page in _fixed_page(before, checker, matches)]
    return layout.with_children(pages or layout.pages[:1])  # a layout without a page would be refused


def _fixed_page(
    page: Page | InvalidNode, checker: LayoutChecker, matches: ProblemFilter
) -> tuple[Page | InvalidNode, ...]:
    """The page after its fixes, each for what those before it have left; nothing if they remove it."""
    problems, useless = _matching_problems(page, checker, matches), list[Problem]()
    while fix := next(
        (problem.fix for problem in problems if problem.fix is not None and problem not in useless), None
    ):
        after = fix(Layout((page,))).pages
        if not after:
            return ()
        remaining = _matching_problems(after[0], checker, matches)
        if len(remaining) < len(problems):
            page, problems = after[0], remaining
        else:
            useless.append(next(problem for problem in problems if problem.fix is fix))
    return (page,)


def _matching_problems(
    page: Page | InvalidNode, checker: LayoutChecker, matches: ProblemFilter
) -> list[Problem]:
    return [problem for problem in checker.problems_on(page) if matches(problem)]
