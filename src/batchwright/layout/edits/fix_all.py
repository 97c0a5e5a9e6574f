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

Wanted = Callable[[Problem], bool]


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
        """The layout afterwards; raises `EditRefused`."""
        return _fixed(layout, self.checker, self._is_wanted)

    def _is_wanted(self, problem: Problem) -> bool:
        return problem.code == self.code and problem.fix is not None


@dataclass(frozen=True)
class FixAll:
    """Use the fix of every problem, whatever its rule, that has one which removes no entry.

    `checker` is that of the layout in hand, as in `FixAllOfKind`.
    """

    label: ClassVar[str] = N_("Fix all problems")

    checker: LayoutChecker = field(default_factory=LayoutChecker, compare=False)

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRefused`."""
        return _fixed(layout, self.checker, has_safe_fix)


def has_safe_fix(problem: Problem) -> bool:
    """Whether a problem has a fix that removes no entry."""
    return problem.fix is not None and not isinstance(problem.fix.edit, Remove)


def _fixed(layout: Layout, checker: LayoutChecker, is_wanted: Wanted) -> Layout:
    """The layout after the fixes that are wanted."""
    for problem in checker.check(layout):
        if problem.code not in _ON_PAGES and is_wanted(problem) and problem.fix is not None:
            layout = problem.fix(layout)
    left = [page for before in layout.pages for page in _fixed_page(before, checker, is_wanted)]
    return layout.with_children(left or layout.pages[:1])  # a layout without a page would be refused


def _fixed_page(
    page: Page | InvalidNode, checker: LayoutChecker, is_wanted: Wanted
) -> tuple[Page | InvalidNode, ...]:
    """The page after its fixes, each for what those before it have left; nothing if they remove it."""
    found, useless = _found_on(page, checker, is_wanted), list[Problem]()
    while fix := next((one.fix for one in found if one.fix is not None and one not in useless), None):
        after = fix(Layout((page,))).pages
        if not after:
            return ()
        left = _found_on(after[0], checker, is_wanted)
        if len(left) < len(found):
            page, found = after[0], left
        else:
            useless.append(next(one for one in found if one.fix is fix))
    return (page,)


def _found_on(page: Page | InvalidNode, checker: LayoutChecker, is_wanted: Wanted) -> list[Problem]:
    return [problem for problem in checker.problems_on(page) if is_wanted(problem)]
