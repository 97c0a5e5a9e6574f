"""Bulk quick fixes: all problems of one rule, or all problems that have a safe fix."""

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial, reduce
from typing import ClassVar

from batchwright.base.i18n import N_
from batchwright.layout.checking.validator import LayoutChecker
from batchwright.layout.editing.edits import Remove
from batchwright.layout.editing.selection import EditRejected
from batchwright.layout.model import Layout, Page
from batchwright.layout.nodes import InvalidNode, NodePath
from batchwright.layout.rules import PAGE_RULES, Problem
from batchwright.layout.rules.problems import AttributePath, Fix
from batchwright.schema.model import Schema

_MAX_TOGETHER, _MAX_STEPS = 500, 100
"""Maximum number of fixes of a page that are applied before it is checked again, and of these checks."""

_ON_PAGES = frozenset(rule.code for rule in PAGE_RULES)

ProblemFilter = Callable[[Problem], bool]


@dataclass(frozen=True)
class FixAllOfKind:
    """Apply the fix of every problem of one rule.

    Pages without such a problem stay the same objects. `checker` finds the problems; the checker
    of the open layout has most of them in its cache.
    """

    label: ClassVar[str] = N_("Fix all of a kind")

    code: str
    checker: LayoutChecker = field(default_factory=LayoutChecker, compare=False)

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRejected`."""
        return _fixed(layout, self.checker, self._matches)

    def _matches(self, problem: Problem) -> bool:
        return problem.code == self.code


@dataclass(frozen=True)
class FixAll:
    """Apply the fix of every problem, except fixes that remove nodes.

    `checker` is the checker of the open layout, as in `FixAllOfKind`.
    """

    label: ClassVar[str] = N_("Fix all problems")

    checker: LayoutChecker = field(default_factory=LayoutChecker, compare=False)

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRejected`."""
        return _fixed(layout, self.checker, has_safe_fix)


def schema_fix(problems: Iterable[Problem]) -> Fix | None:
    """One fix that makes all changes of the schema that fixes of these problems make; None without any."""
    fixes = [problem.fix for problem in problems if problem.fix is not None]
    edits = [fix.schema_edit for fix in fixes if fix.schema_edit is not None]
    if not edits:
        return None
    return Fix(FixAllOfKind.label, fixes[0].edit, schema_edit=partial(_changed_schema, edits))


def has_safe_fix(problem: Problem) -> bool:
    """Whether a problem has a fix that removes no nodes, and changes only the layout."""
    fix = problem.fix
    return fix is not None and fix.schema_edit is None and not isinstance(fix.edit, Remove)


def _changed_schema(edits: Iterable[Callable[[Schema], Schema]], schema: Schema) -> Schema:
    return reduce(lambda changed, edit: edit(changed), edits, schema)


def _fixed(layout: Layout, checker: LayoutChecker, matches: ProblemFilter) -> Layout:
    """The layout after the fixes of all matching problems."""
    for problem in checker.check(layout):
        if problem.code not in _ON_PAGES and matches(problem) and problem.fix is not None:
            layout = problem.fix(layout)
    pages = [page for before in layout.pages for page in _fixed_page(before, checker, matches)]
    return layout.with_children(pages or layout.pages[:1])  # the service rejects a layout without pages


def _fixed_page(
    page: Page | InvalidNode, checker: LayoutChecker, matches: ProblemFilter
) -> tuple[Page | InvalidNode, ...]:
    """The page after its fixes; empty if a fix removes the page.

    Fixes are applied together, and fewer of them if they disagree. A fix can add a problem with a fix: a
    label that was filled in can be copied to a blank heading. After `_MAX_STEPS`, the other problems stay.
    """
    fixes, tried = _matching_fixes(page, checker, matches), set[_Location]()
    most = _MAX_TOGETHER
    for _step in range(_MAX_STEPS):
        together = [entry for entry in fixes if entry[0] not in tried][:most]
        if not together:
            break
        after = _applied(page, [fix for _location, fix in together])
        if not after:
            return ()
        remaining = _matching_fixes(after[0], checker, matches)
        is_better = len(remaining) < len(fixes) and _errors(after[0], checker) <= _errors(page, checker)
        if len(together) > 1 and not is_better:
            most = len(together) // 2
            continue
        location, _fix = together[0]
        if not is_better:
            tried.add(location)
        if is_better or all(location != other for other, _fix in remaining):
            page, fixes = after[0], remaining
    return (page,)


def _applied(page: Page | InvalidNode, fixes: Iterable[Fix]) -> tuple[Page | InvalidNode, ...]:
    """The page after fixes, except those for what another one has removed; empty if it is removed itself."""
    layout = Layout((page,))
    for fix in fixes:
        with suppress(EditRejected):
            layout = fix(layout)
    return layout.pages


def _errors(page: Page | InvalidNode, checker: LayoutChecker) -> Counter[str]:
    return Counter(problem.code for problem in checker.problems_on(page) if problem.rejection)


_Location = tuple[str, NodePath, AttributePath]


def _matching_fixes(
    page: Page | InvalidNode, checker: LayoutChecker, matches: ProblemFilter
) -> list[tuple[_Location, Fix]]:
    return [
        ((problem.code, problem.path, problem.attribute), problem.fix)
        for problem in checker.problems_on(page)
        if problem.fix is not None and matches(problem)
    ]
