"""What the rules are given: a page walked once, with its items by kind, and the layout as a whole."""

from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, TypeVar, cast

from batchwright.base.json_values import Json, JsonObject, is_array, is_object
from batchwright.layout.model import Choice, FreeTextWithUnit, Item, Layout, Page
from batchwright.layout.nodes import InvalidNode, Node, NodePath, ObjectNode
from batchwright.layout.rules.attribute_errors import AttributeProblem, flaws
from batchwright.layout.rules.problems import AttributePath, Fields
from batchwright.layout.sizes import NOTHING, Size

T = TypeVar("T", bound=Item)


class ItemOptions(NamedTuple):
    """A choice with its options, or a free text with its units.

    `size` is the length of the list, entries that are no objects included; 0 when it is no list.
    """

    place: NodePath
    item: Item
    options: Sequence[JsonObject]
    size: int

    def path(self, name: str, number: int) -> AttributePath:
        """The value of an option; the list `name` where entries that are no objects shift the numbers."""
        if self.size != len(self.options):
            return AttributePath(name)
        return AttributePath(name, number, "value")


class ItemFlaw(NamedTuple):
    """An item and something wrong with one of its attributes."""

    place: NodePath
    item: Item
    flaw: AttributeProblem


class NodeId(NamedTuple):
    """An id that an entry came with, of whatever kind."""

    place: NodePath
    entry: ObjectNode
    id: Json


class PageIndex:
    """One page laid out for the rules; places are in-page, without the number of the page.

    `slots` are all that stands where items belong, `items` those of them that are items. `flaws` is
    what the table of attributes says against them, `given_ids` every id that something came with.
    """

    def __init__(self, page: Page | InvalidNode, fields: Fields, ids: Container[str] | None) -> None:
        self.page = page
        self.fields = fields
        self.known_ids = ids
        self.rows: list[tuple[NodePath, Node]] = [
            (NodePath(None, r), row) for r, row in enumerate(page.inside)
        ]
        self.columns = [
            (NodePath(None, place.row, c), column)
            for place, row in self.rows
            for c, column in enumerate(row.inside)
        ]
        self.slots = [
            (NodePath(None, place.row, place.column, i), entry)
            for place, column in self.columns
            for i, entry in enumerate(column.inside)
        ]
        self.items = [(place, entry) for place, entry in self.slots if isinstance(entry, Item)]
        self._of: defaultdict[type, list[tuple[NodePath, Item]]] = defaultdict(list)
        for found in self.items:
            for kind in type(found[1]).__mro__:
                self._of[kind].append(found)
        self.flaws = [ItemFlaw(place, item, flaw) for place, item in self.items for flaw in flaws(item)]
        self.choices = [_optioned(place, item, "options") for place, item in self.of(Choice)]
        self.units = [_optioned(place, item, "unit_options") for place, item in self.of(FreeTextWithUnit)]
        self.given_ids = [
            NodeId(place, entry, given)
            for place, entry in self.entries
            if isinstance(entry, ObjectNode) and (given := entry.attributes.get("id")) is not None
        ]

    def of(self, kind: type[T]) -> list[tuple[NodePath, T]]:
        """The items of a kind with their places, in reading order."""
        return cast("list[tuple[NodePath, T]]", self._of.get(kind, []))

    @property
    def entries(self) -> Iterator[tuple[NodePath, Node]]:
        """The page, and everything on it, outer levels first."""
        return chain([(NodePath(), self.page)], self.rows, self.columns, self.slots)


@dataclass(frozen=True)
class LayoutIndex:
    """A layout for the rules that look at more than one page.

    `layout` is None when `batch_items` were no array. `doubled` holds, for each page that has ids
    standing twice in the layout, its number and the page. `size` is that of all pages.
    """

    layout: Layout | None
    doubled: Sequence[tuple[int, PageIndex]] = ()
    size: Size = NOTHING


def _optioned(place: NodePath, item: Item, name: str) -> ItemOptions:
    given = item.attributes.get(name)
    if not is_array(given):
        return ItemOptions(place, item, (), 0)
    return ItemOptions(place, item, [option for option in given if is_object(option)], len(given))
