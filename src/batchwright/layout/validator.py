"""Checks a layout with all rules, page by page.

Rules see one page at a time, and their results are cached by the identity of the page: an edit creates new
objects only for the pages it changes, so that only these are checked again.
"""

import dataclasses
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import chain

from batchwright.base.cooperative import yielding_gil
from batchwright.base.json_values import Json, is_array
from batchwright.base.limits import MAX_ITEMS
from batchwright.layout.doubtful_fixes import with_harmless_fixes
from batchwright.layout.edits import Remove
from batchwright.layout.item_types.registry import PAGE_RULES
from batchwright.layout.model import Layout, Page
from batchwright.layout.nodes import InvalidNode
from batchwright.layout.rules import LAYOUT_RULES
from batchwright.layout.rules.page_index import LayoutIndex, PageIndex
from batchwright.layout.rules.problems import Fields, Problem, SchemaUnavailable
from batchwright.layout.serialization import read, sequential_keys
from batchwright.layout.sizes import Size, size_of, total

_MAX_EARLIER = 5_000
"""The maximum number of pages that are no longer in the layout whose problems are cached, for undo."""


def check_json(
    value: Json, fields: Fields = SchemaUnavailable.UNKNOWN, ids: Container[str] | None = None
) -> list[Problem]:
    """The problems of any JSON value as `batch_items`, in reading order.

    Of more pages than a layout can have, only the first `MAX_ITEMS + 1` are checked: one of them is empty, or
    they have too many items. Fixes are not tried, and may cause other errors. `ids` are the ids of the batch,
    None when any id is accepted.
    """
    if not is_array(value):
        return _problems_of(LayoutIndex(None))
    layout = read(value[: MAX_ITEMS + 1], sequential_keys())
    return LayoutChecker(fields, ids, tries_fixes=False).check(layout)


class LayoutChecker:
    """Checks a layout repeatedly while it is edited.

    Caches the problems of the pages of the last layout by page object, and those of pages that were in the
    layout before: pages are immutable. A changed schema or changed ids need a new checker. `tries_fixes` is
    whether doubtful fixes are tried: only those that cause no other error are part of a problem then.
    """

    def __init__(
        self,
        fields: Fields = SchemaUnavailable.UNKNOWN,
        ids: Container[str] | None = None,
        *,
        tries_fixes: bool = True,
    ) -> None:
        self.fields = fields
        """The dataset fields that references are checked against."""
        self._ids = ids
        self._tries_fixes = tries_fixes
        self._results: dict[int, _CheckedPage] = {}
        self._earlier: dict[int, _CheckedPage] = {}
        self._prepared: dict[int, _CheckedPage] = {}
        """Assigned in a thread, and never changed."""
        self._id_counts = _IdCounts()

    def check(self, layout: Layout) -> list[Problem]:
        """The problems of a layout in reading order, with paths from the layout."""
        results = {id(page): self._cached(page) or self._checked(page) for page in layout.pages}
        self._id_counts.count(self._results, results)
        self._store_earlier(self._results, results)
        self._results, self._prepared = results, {}
        pages = [results[id(page)] for page in layout.pages]
        problems = [problem for number, page in enumerate(pages) for problem in page.on_page(number)]
        if len(pages) == 1:
            problems = [_without_page_removal(layout.pages[0], problem) for problem in problems]
        layout_problems = _problems_of(
            LayoutIndex(layout, self._duplicate_ids(pages), total(page.size for page in pages))
        )
        return sorted([*problems, *layout_problems], key=_reading_order) if layout_problems else problems

    def prepare(self, layout: Layout) -> None:
        """Check the changed pages of a layout that is about to be checked, in a thread."""
        changed = (page for page in layout.pages if id(page) not in self._results)
        self._prepared = {id(page): self._checked(page) for page in yielding_gil(changed)}

    def problems_on(self, page: Page | InvalidNode) -> tuple[Problem, ...]:
        """The problems of a single page, with paths from the page; from the cache if possible."""
        return (self._cached(page) or self._checked(page)).problems

    def _cached(self, page: Page | InvalidNode) -> "_CheckedPage | None":
        cached = self._results.get(id(page)) or self._earlier.get(id(page))
        return cached or self._prepared.get(id(page))

    def _store_earlier(self, before: Mapping[int, "_CheckedPage"], now: Mapping[int, "_CheckedPage"]) -> None:
        """Cache the problems of pages that are no longer in the layout; drop the oldest of too many."""
        for key in now.keys() - before.keys():
            self._earlier.pop(key, None)
        self._earlier.update((key, before[key]) for key in before.keys() - now.keys())
        for key in list(self._earlier)[: max(0, len(self._earlier) - _MAX_EARLIER)]:
            del self._earlier[key]

    def _checked(self, page: Page | InvalidNode) -> "_CheckedPage":
        index = self._page_index(page)
        problems = self._problems(index)
        size = size_of(page)
        if self._tries_fixes:
            problems = with_harmless_fixes(
                problems, page, size.values, lambda changed: self._problems(self._page_index(changed))
            )
        ids = tuple(node_id.id for node_id in index.node_ids if isinstance(node_id.id, str))
        return _CheckedPage(page, ids, size, tuple(sorted(problems, key=_reading_order)))

    def _problems(self, index: PageIndex) -> list[Problem]:
        return [rule.problem(finding) for rule in PAGE_RULES for finding in rule.check(index)]

    def _page_index(self, page: Page | InvalidNode) -> PageIndex:
        return PageIndex(page, self.fields, self._ids)

    def _duplicate_ids(self, pages: Sequence["_CheckedPage"]) -> list[tuple[int, PageIndex]]:
        duplicates = self._id_counts.duplicates
        if len(pages) > len(self._results):
            # The same page object is in the layout twice, which the counts do not include.
            duplicates = {checked for checked, times in Counter(_ids(pages)).items() if times > 1}
        if not duplicates:
            return []
        return [
            (n, self._page_index(checked.page))
            for n, checked in enumerate(pages)
            if not duplicates.isdisjoint(checked.ids)
        ]


@dataclasses.dataclass
class _CheckedPage:
    """A page with its ids and problems: with paths from the page, and from the layout at its last position.

    The page index is not stored: thousands of them would slow down garbage collection.
    """

    page: Page | InvalidNode
    ids: tuple[str, ...]
    size: Size
    problems: tuple[Problem, ...]
    number: int | None = None
    placed: tuple[Problem, ...] = ()

    def on_page(self, number: int) -> tuple[Problem, ...]:
        if self.problems and number != self.number:
            self.number = number
            self.placed = tuple(problem.on_page(number) for problem in self.problems)
        return self.placed


class _IdCounts:
    """Counts how often each id is used in the layout, updated by the pages that are added or removed."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self.duplicates: set[str] = set()

    def count(self, before: Mapping[int, _CheckedPage], now: Mapping[int, _CheckedPage]) -> None:
        removed = [before[key] for key in before.keys() - now.keys()]
        added = [now[key] for key in now.keys() - before.keys()]
        for page in removed:  # page by page, so that other threads can run in between
            self._counts.subtract(page.ids)
        for page in added:
            self._counts.update(page.ids)
        for node_id in _ids((*removed, *added)):
            if self._counts[node_id] > 1:
                self.duplicates.add(node_id)
            else:
                self.duplicates.discard(node_id)
            if self._counts[node_id] == 0:
                del self._counts[node_id]


def _without_page_removal(page: Page | InvalidNode, problem: Problem) -> Problem:
    """The problem, without its fix if that removes the only page."""
    edit = problem.fix.edit if problem.fix else None
    if isinstance(edit, Remove) and page.key in edit.keys:
        return dataclasses.replace(problem, fix=None)
    return problem


def _problems_of(index: LayoutIndex) -> list[Problem]:
    return [rule.problem(finding) for rule in LAYOUT_RULES for finding in rule.check(index)]


def _ids(pages: Iterable[_CheckedPage]) -> Iterable[str]:
    return chain.from_iterable(page.ids for page in pages)


def _reading_order(problem: Problem) -> tuple[int, ...]:
    return problem.path.indices
