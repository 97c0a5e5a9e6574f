"""Finds out which doubtful fixes of a page cause no other error, by checking the page with the fixes applied.

The fixes of different items are tried together, and the number of checks is bounded: the time grows with the
page, not with the number of its problems.
"""

import dataclasses
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import zip_longest

from batchwright.layout.editing.edits import ChangeNode
from batchwright.layout.item_types.base import Item
from batchwright.layout.model import Layout, Page
from batchwright.layout.nodes import InvalidNode, NodePath
from batchwright.layout.rules.problems import Problem

_MIN_TRIES, _MAX_VALUES_TRIED = 3, 20_000
"""The page is checked so often that at most this number of JSON values is checked, but at least so often."""

_Change = tuple[Problem, ChangeNode]


def with_harmless_fixes(
    problems: Sequence[Problem],
    page: Page | InvalidNode,
    values: int,
    check: Callable[[Page | InvalidNode], Iterable[Problem]],
) -> list[Problem]:
    """The problems of a page, without the doubtful fixes that cause another error.

    Of very many fixes of one item, the last are not tried, and so not offered until the first are applied.

    Args:
        problems: with paths from the page.
        page: to which the fixes belong.
        values: the number of JSON values of the page.
        check: returns the problems of a page.
    """
    harmless = _harmless(problems, page, max(_MIN_TRIES, _MAX_VALUES_TRIED // values), check)
    return [
        dataclasses.replace(problem, fix=None)
        if problem.fix and not problem.fix.is_safe and id(problem) not in harmless
        else problem
        for problem in problems
    ]


def _harmless(
    problems: Sequence[Problem],
    page: Page | InvalidNode,
    tries: int,
    check: Callable[[Page | InvalidNode], Iterable[Problem]],
) -> set[int]:
    """The identities of the problems whose doubtful fix causes no other error."""
    by_item: dict[NodePath, list[_Change]] = {}
    for problem in problems:
        if problem.fix and not problem.fix.is_safe and isinstance(problem.fix.edit, ChangeNode):
            by_item.setdefault(problem.path, []).append((problem, problem.fix.edit))
    before = _errors(problems) if by_item else Counter()
    harmless = set[int]()
    for together in zip_longest(*by_item.values()):
        trial = [change for change in together if change is not None]
        while trial and tries:
            tries -= 1
            new_errors = _errors(check(_changed(page, trial))) - before
            if not new_errors:
                harmless.update(id(problem) for problem, _change in trial)
                break
            trial = _less_suspicious(trial, {path for _code, path in new_errors})
    return harmless


def _changed(page: Page | InvalidNode, changes: Iterable[_Change]) -> Page | InvalidNode:
    """The page with changes of different items."""
    layout = Layout((page,))
    items = [change.changed(layout.at(problem.path._replace(page=0))) for problem, change in changes]
    return layout.with_items({item.key: item for item in items if isinstance(item, Item)}).pages[0]


def _less_suspicious(trial: Sequence[_Change], paths: Collection[NodePath]) -> list[_Change]:
    """The changes of items without a new error; half of the changes if the errors are at other items."""
    others = [change for change in trial if change[0].path not in paths]
    return others if len(others) < len(trial) else others[: len(others) // 2]


def _errors(problems: Iterable[Problem]) -> Counter[tuple[str, NodePath]]:
    """The number of errors by rule and path."""
    return Counter((problem.code, problem.path) for problem in problems if problem.rejection)
