"""Fixing all problems of one kind in one step."""

from dataclasses import dataclass, field
from typing import ClassVar

from batchwright.layout.checking import LayoutChecker
from batchwright.layout.entries import Misshapen
from batchwright.layout.model import Layout, Page
from batchwright.layout.rules import PAGE_RULES, Problem

_ON_PAGES = frozenset(rule.code for rule in PAGE_RULES)


@dataclass(frozen=True)
class FixAll:
    """Use the fix of every problem of one rule that has one.

    Pages without such a problem stay the same objects. `checker` says what the problems are; that
    of the layout in hand knows most of them already.
    """

    label: ClassVar[str] = "Fix all of a kind"

    code: str
    checker: LayoutChecker = field(default_factory=LayoutChecker, compare=False)

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRefused`."""
        if self.code not in _ON_PAGES:
            for problem in self.checker.check(layout):
                if problem.code == self.code and problem.fix is not None:
                    layout = problem.fix(layout)
            return layout
        left = [page for before in layout.pages for page in self._mended(before)]
        return layout.with_inside(left or layout.pages[:1])  # a layout without a page would be refused

    def _mended(self, page: Page | Misshapen) -> tuple[Page | Misshapen, ...]:
        """The page after all fixes, each for what those before it have left; nothing if they remove it."""
        found = self._found_on(page)
        while fix := next((one.fix for one in found if one.fix is not None), None):
            after = fix(Layout((page,))).pages
            if not after:
                return ()
            left = self._found_on(after[0])
            if len(left) >= len(found):
                break  # a fix that mends nothing would be tried for ever
            page, found = after[0], left
        return (page,)

    def _found_on(self, page: Page | Misshapen) -> list[Problem]:
        return [problem for problem in self.checker.problems_on(page) if problem.code == self.code]
