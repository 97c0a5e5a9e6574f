"""How often a layout uses items and dataset fields, counted page by page."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from batchwright.layout.item_types.registry import DatasetField
from batchwright.layout.model import Layout, Page
from batchwright.layout.nodes import InvalidNode


class PageUsage(NamedTuple):
    """The number of items of a page, and its dataset fields."""

    items: int
    fields: tuple[str, ...]
    """The dataset fields that it shows, each once."""


class UsageCounts:
    """Usage counts of a layout, updated by the pages that changed.

    A page that an edit did not change is the same object before and after it, and is skipped.
    """

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
