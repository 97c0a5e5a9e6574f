"""Checks a layout with all rules, page by page.

Rules see one page at a time, and their results are cached by the identity of the page: an edit creates new
objects only for the pages it changes, so that only these are checked again.
"""

import dataclasses
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from itertools import chain, compress, islice
from operator import attrgetter

from batchwright.base.cooperative import yielding_gil
from batchwright.base.json_values import Json, is_array
from batchwright.base.limits import MAX_ITEMS
from batchwright.layout.checking.doubtful_fixes import with_harmless_fixes
from batchwright.layout.comparing.changed_pages import ChangedPages, changed_pages
from batchwright.layout.editing.edits import Remove
from batchwright.layout.model import Layout, Page
from batchwright.layout.nodes import InvalidNode
from batchwright.layout.rules import LAYOUT_RULES, PAGE_RULES
from batchwright.layout.rules.page_index import LayoutIndex, PageIndex
from batchwright.layout.rules.problems import Fields, Problem, SchemaUnavailable
from batchwright.layout.serialization import read, sequential_keys
from batchwright.layout.sizes import NOTHING, Size, size_of, size_of_nodes, total

_MAX_EARLIER = 5_000
"""The maximum number of pages that are no longer in the layout whose problems are cached, for undo."""


def check_json(
    value: Json, fields: Fields = SchemaUnavailable.UNKNOWN, ids: Container[str] | None = None
) -> list[Problem]:
    """The problems of any JSON value as `batch_items`, in reading order.

    Of more pages than a layout can have, only the first `MAX_ITEMS + 1` are checked: one of them is empty, or
    they have too many items. Of a layout that is too large, nothing else is checked. Fixes are not tried, and
    may cause other errors. `ids` are the ids of the batch, None when any id is accepted.
    """
    if not is_array(value):
        return _problems_of(LayoutIndex(None))
    layout = read(value[: MAX_ITEMS + 1], sequential_keys())
    as_a_whole = _problems_of(LayoutIndex(layout, size=total(map(size_of, layout.pages))))
    if any(problem.rejection for problem in as_a_whole):
        return as_a_whole
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
        self._pages: list[_CheckedPage] = []
        """The pages of the last layout, in order."""
        self._results: dict[int, _CheckedPage] = {}
        """The same pages by identity."""
        self._earlier: dict[int, _CheckedPage] = {}
        self._prepared: dict[int, _CheckedPage] = {}
        """Assigned in a thread, and never changed."""
        self._totals = _Totals()
        self._last = Layout()

    def check(self, layout: Layout) -> list[Problem]:
        """The problems of a layout in reading order, with paths from the layout."""
        self._replace_pages(changed_pages(self._last.pages, layout.pages))
        self._last = layout
        with_problems = compress(enumerate(self._pages), map(attrgetter("problems"), self._pages))
        problems = [problem for number, page in with_problems for problem in page.on_page(number)]
        if len(layout.pages) == 1:
            problems = [_without_page_removal(layout.pages[0], problem) for problem in problems]
        layout_problems = _problems_of(LayoutIndex(layout, self._duplicate_ids(), self._totals.size))
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

    def _replace_pages(self, changed: ChangedPages[Page | InvalidNode]) -> None:
        """Check the pages that are new in the layout, and cache the problems of those that have left it."""
        place = slice(changed.start, changed.start + len(changed.before))
        before, after = (
            self._pages[place],
            [self._cached(page) or self._checked(page) for page in changed.after],
        )
        self._totals.update(before, after)
        self._pages[place] = after
        for page in before:
            self._results.pop(id(page.page), None)
            self._earlier[id(page.page)] = page
        for page in after:
            self._earlier.pop(id(page.page), None)
            self._results[id(page.page)] = page
        for key in list(islice(self._earlier, max(0, len(self._earlier) - _MAX_EARLIER))):
            del self._earlier[key]
        self._prepared = {}

    def _checked(self, page: Page | InvalidNode) -> "_CheckedPage":
        index = self._page_index(page)
        problems = self._problems(index)
        size = size_of_nodes([node for _path, node in index.nodes])
        if self._tries_fixes:
            problems = with_harmless_fixes(
                problems, page, size.values, lambda changed: self._problems(self._page_index(changed))
            )
        ids = tuple(node_id for _path, _node, node_id in index.ids if isinstance(node_id, str))
        return _CheckedPage(page, ids, size, tuple(sorted(problems, key=_reading_order)))

    def _problems(self, index: PageIndex) -> list[Problem]:
        return [rule.problem(finding) for rule in PAGE_RULES for finding in rule.check(index)]

    def _page_index(self, page: Page | InvalidNode) -> PageIndex:
        return PageIndex(page, self.fields, self._ids)

    def _duplicate_ids(self) -> list[tuple[int, PageIndex]]:
        duplicates = self._totals.duplicate_ids
        if not duplicates:
            return []
        return [
            (n, self._page_index(checked.page))
            for n, checked in enumerate(self._pages)
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


class _Totals:
    """The size of a layout, and its ids that are used more than once.

    Updated by the pages that are added or removed. A page that is in the layout twice counts twice.
    """

    def __init__(self) -> None:
        self.size = NOTHING
        self.duplicate_ids: set[str] = set()
        self._id_counts: Counter[str] = Counter()

    def update(self, removed: Sequence[_CheckedPage], added: Sequence[_CheckedPage]) -> None:
        less, more = total(page.size for page in removed), total(page.size for page in added)
        self.size = Size(*(now - old + new for now, old, new in zip(self.size, less, more, strict=True)))
        for page in removed:  # page by page, so that other threads can run in between
            self._id_counts.subtract(page.ids)
        for page in added:
            self._id_counts.update(page.ids)
        counts = self._id_counts
        self.duplicate_ids.difference_update(_ids(removed))
        self.duplicate_ids.update(node_id for node_id in _ids((*removed, *added)) if counts[node_id] > 1)
        for node_id in _ids(removed):
            if counts[node_id] == 0:
                del counts[node_id]


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
