"""The items that show dataset fields: counting them, also by page, and the edit after a field is renamed."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import ClassVar

from batchwright.base.i18n import N_
from batchwright.layout.comparing.changed_pages import changed_pages
from batchwright.layout.item_types.registry import DatasetField
from batchwright.layout.model import Layout, Page
from batchwright.layout.nodes import InvalidNode
from batchwright.schema.model import Schema


class UsageCounts:
    """Usage counts of a layout, updated by the pages that an edit has changed."""

    def __init__(self) -> None:
        self._pages: tuple[Page | InvalidNode, ...] = ()
        self._pages_by_field: Mapping[str, tuple[int, ...]] = {}
        self._item_count = 0

    def item_count(self, layout: Layout) -> int:
        """The number of items on all pages."""
        self._update(layout)
        return self._item_count

    def pages_by_field(self, layout: Layout) -> Mapping[str, tuple[int, ...]]:
        """For each dataset field the numbers of the pages that show it, counted from zero."""
        self._update(layout)
        return self._pages_by_field

    def _update(self, layout: Layout) -> None:
        if layout.pages is self._pages:
            return
        _start, before, after = changed_pages(self._pages, layout.pages)
        self._pages = layout.pages
        self._item_count += _count_items(after) - _count_items(before)
        if list(map(_fields_on, before)) != list(map(_fields_on, after)):
            self._pages_by_field = _pages_by_field(layout.pages)


def _count_items(pages: Iterable[Page | InvalidNode]) -> int:
    return sum(page.item_count for page in pages if isinstance(page, Page))


def _fields_on(page: Page | InvalidNode) -> list[str]:
    """The dataset fields that a page shows, each once."""
    items = page.items_by_type.get(DatasetField, ()) if isinstance(page, Page) else ()
    return list(dict.fromkeys(item.text("field") for item in items))


def _pages_by_field(pages: Iterable[Page | InvalidNode]) -> Mapping[str, tuple[int, ...]]:
    numbers_by_field: dict[str, list[int]] = {}
    for number, page in enumerate(pages):
        for name in _fields_on(page):
            numbers_by_field.setdefault(name, []).append(number)
    return {name: tuple(numbers) for name, numbers in numbers_by_field.items()}


def reference_counts(layout: Layout) -> Mapping[str, int]:
    """How many items show each field."""
    return Counter(item.field for _path, item in layout.items(DatasetField) if item.field)


@dataclass(frozen=True)
class RenameFields:
    """Let items show other fields: each old name with the new one. Names may be exchanged."""

    label: ClassVar[str] = N_("Rename field")

    names: Mapping[str, str]

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards."""
        return layout.with_items(
            {
                item.key: item.with_attributes(field=self.names[item.field])
                for _path, item in layout.items(DatasetField)
                if item.field in self.names
            }
        )


_MAX_COMPARED = 1_000_000
"""Maximum number of pairs of characters, in old and in new names, that are compared: a tenth of a second."""


def probable_renames(layout: Layout, before: Schema, after: Schema) -> Mapping[str, str]:
    """The fields that items show and that were probably renamed, each with its new name.

    A field was probably renamed if it is missing, and a new field has a similar name or its position; or its
    position among the fields that can be shown, if several are missing and as many are new.
    """
    positions = dict(enumerate(after.fields))
    added = {
        name: name.casefold()
        for name, field in after.fields.items()
        if name not in before.fields and field.type.referable
    }
    renames: dict[str, str] = {}
    counts = reference_counts(layout)
    missing = [name for name in before.fields if name in counts and name not in after.fields]
    is_comparable = sum(map(len, missing)) * sum(map(len, added)) <= _MAX_COMPARED
    for name in missing if is_comparable else ():
        free = [new for new in added if new not in renames.values()]
        similar = get_close_matches(name.casefold(), [added[new] for new in free], n=1)
        if similar:
            renames[name] = next(new for new in free if added[new] == similar[0])
    order = {name: number for number, name in enumerate(before.fields)}
    free_positions = added.keys() - set(renames.values())
    for name in missing:
        at_position = positions.get(order[name], "")
        if name not in renames and at_position in free_positions and len(before.fields) == len(after.fields):
            renames[name] = at_position
    left = [name for name in missing if name not in renames]
    free = [name for name in added if name not in renames.values()]
    return renames | dict(zip(left, free, strict=True)) if len(left) == len(free) > 1 else renames
