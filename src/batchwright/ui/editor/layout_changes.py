"""What an edit changed, found page by page: usage counts of items and fields, and newly created nodes.

A page that an edit did not change is the same object before and after it, and is skipped.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from batchwright.layout.edits import Add, ChangeType, Copy, Duplicate, Edit, SplitPage
from batchwright.layout.item_types.registry import DatasetField
from batchwright.layout.model import Layout, Page
from batchwright.layout.nodes import InvalidNode, Level, Node, NodePath, ObjectNode


class PageUsage(NamedTuple):
    """The number of items of a page, and its dataset fields."""

    items: int
    fields: tuple[str, ...]
    """The dataset fields that it shows, each once."""


class UsageCounts:
    """Usage counts of a layout, updated by the pages that changed."""

    def __init__(self) -> None:
        self._layout: Layout | None = None
        self._usage_by_page: dict[int, tuple[Page | InvalidNode, PageUsage]] = {}
        self._pages_by_field: Mapping[str, tuple[int, ...]] = {}
        self._item_count = 0

    def item_count(self, layout: Layout) -> int:
        """The number of items on all pages."""
        self._count(layout)
        return self._item_count

    def pages_by_field(self, layout: Layout) -> Mapping[str, tuple[int, ...]]:
        """For each dataset field the numbers of the pages that show it, counted from zero."""
        self._count(layout)
        return self._pages_by_field

    def _count(self, layout: Layout) -> None:
        if layout is self._layout:
            return
        usage_by_page, numbers_by_field = self._usage_by_page, dict[str, list[int]]()
        counted = [usage_by_page.get(id(page)) or (page, _page_usage(page)) for page in layout.pages]
        self._layout, self._usage_by_page = layout, {id(page_usage[0]): page_usage for page_usage in counted}
        self._item_count = sum(usage.items for _page, usage in counted)
        for number, (_page, usage) in enumerate(counted):
            for name in usage.fields:
                numbers_by_field.setdefault(name, []).append(number)
        self._pages_by_field = {name: tuple(pages) for name, pages in numbers_by_field.items()}


def _page_usage(page: Page | InvalidNode) -> PageUsage:
    items = [item for _path, item in page.walk()] if isinstance(page, Page) else []
    return PageUsage(len(items), _field_names(items))


def _field_names(items: Sequence[object]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item.field for item in items if isinstance(item, DatasetField)))


def created_nodes(edit: Edit, before: Layout, after: Layout) -> dict[str, NodePath]:
    """The paths of the nodes that an edit created, by key, in reading order; empty when it created none."""
    level = _level(edit, before)
    if level is None:
        return {}
    pages_after = {id(page) for page in after.pages}
    pages_before = {id(page) for page in before.pages}
    existing_keys = {
        node.key for page in before.pages if id(page) not in pages_after for node in page.walk_all()
    }
    return {
        node.key: path
        for path, node in _nodes_on_new_pages(pages_before, after)
        if path.level is level and node.key not in existing_keys
    }


def _level(edit: Edit, before: Layout) -> Level | None:
    """The level of the nodes that an edit creates; None when it creates none."""
    if isinstance(edit, Add):
        return next((node.level for node in edit.nodes if isinstance(node, ObjectNode)), None)
    if isinstance(edit, (ChangeType, Copy, Duplicate)):
        return next((path.level for path in before.paths(edit.keys).values()), None)
    return Level.PAGE if isinstance(edit, SplitPage) else None


def _nodes_on_new_pages(old_pages: Container[int], layout: Layout) -> Iterator[tuple[NodePath, Node]]:
    """The nodes of all pages except the given page objects, with their paths."""
    for number, page in enumerate(layout.pages):
        if id(page) not in old_pages:
            yield NodePath(number), page
            if isinstance(page, Page):
                for path, node in page.nodes_with_paths():
                    yield path._replace(page=number), node
