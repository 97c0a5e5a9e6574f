"""The input of the rules: a page with its items by type, and the layout as a whole."""

from collections import Counter
from collections.abc import Collection, Container, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, TypeVar, cast

from batchwright.base.json_values import Json, JsonObject, is_array, is_object
from batchwright.layout.attributes import Attribute
from batchwright.layout.item_types.base import Item
from batchwright.layout.model import Layout, Page
from batchwright.layout.nodes import InvalidNode, Node, NodePath, ObjectNode
from batchwright.layout.rules.attribute_errors import AttributeProblem, attribute_problems
from batchwright.layout.rules.problems import AttributePath, Fields
from batchwright.layout.sizes import NOTHING, Size

T = TypeVar("T", bound=Item)


class ItemOptions(NamedTuple):
    """A list of options or units in an item; `name` is the attribute.

    `options` are its entries that are objects, `size` its length with those that are not; 0 when it is not
    a list.
    """

    path: NodePath
    item: Item
    name: str
    options: Sequence[JsonObject]
    size: int

    def value_path(self, number: int) -> AttributePath:
        """The path of an option's value; that of the list if it has entries that are not objects."""
        if self.size != len(self.options):
            return AttributePath(self.name)
        return AttributePath(self.name, number, "value")


class ItemProblem(NamedTuple):
    """An item and a problem of one of its attributes."""

    path: NodePath
    item: Item
    problem: AttributeProblem


class PageIndex:
    """Everything the rules need of one page, collected in one pass. Paths omit the number of the page.

    `slots` are all nodes at the level of items, `items` those of them that are valid items, `untyped_items`
    the items of types that Batchwright does not know. `nodes` are the nodes of all levels, `objects` those of
    them that are valid. `ids` are the `id` attributes of all nodes that have one, valid or not.
    `attribute_problems` are the invalid attributes of the items. `batch_ids` are the ids of the batch, None
    when any id is accepted.
    """

    def __init__(self, page: Page | InvalidNode, fields: Fields, ids: Container[str] | None) -> None:
        self.page = page
        self.fields = fields
        self.batch_ids = ids
        self.rows: list[tuple[NodePath, Node]] = [
            (NodePath(None, r), row) for r, row in enumerate(page.children)
        ]
        self.columns = [
            (NodePath(None, path.row, c), column)
            for path, row in self.rows
            for c, column in enumerate(row.children)
        ]
        self.slots = [
            (NodePath(None, path.row, path.column, i), node)
            for path, column in self.columns
            for i, node in enumerate(column.children)
        ]
        self.items = [(path, node) for path, node in self.slots if isinstance(node, Item)]
        self.untyped_items = [(path, item) for path, item in self.items if type(item) is Item]
        self.nodes = [(NodePath(), page), *self.rows, *self.columns, *self.slots]
        self.objects = [(path, node) for path, node in self.nodes if isinstance(node, ObjectNode)]
        self.ids: list[tuple[NodePath, ObjectNode, Json]] = [
            (path, node, node_id)
            for path, node in self.objects
            if (node_id := node.attributes.get("id")) is not None
        ]
        self._of: dict[type[Item], list[tuple[NodePath, Item]]] = {}
        self.attribute_problems = [
            ItemProblem(path, item, problem)
            for path, item in self.items
            for problem in attribute_problems(item)
        ]
        self._options: dict[tuple[type[Item], str], list[ItemOptions]] = {}
        self._holders: dict[Attribute, list[tuple[NodePath, Item, Attribute]]] = {}

    def of(self, kind: type[T]) -> list[tuple[NodePath, T]]:
        """The items of a type with their paths, in reading order."""
        items = self._of.get(kind)
        if items is None:
            items = self._of[kind] = [slot for slot in self.items if isinstance(slot[1], kind)]
        return cast("list[tuple[NodePath, T]]", items)

    def options(self, kind: type[Item], name: str) -> list[ItemOptions]:
        """The lists of options or units in an attribute of all items of a type."""
        options = self._options.get((kind, name))
        if options is None:
            options = [_options(path, item, name) for path, item in self.of(kind)]
            self._options[kind, name] = options
        return options

    def holders(self, attribute: Attribute) -> list[tuple[NodePath, Item, Attribute]]:
        """The items that have an attribute, or a list whose entries have it, with that attribute or list."""
        holders = self._holders.get(attribute)
        if holders is None:
            holders = self._holders[attribute] = [
                (path, item, holder)
                for path, item in self.items
                for holder in _holders(item.known_attributes, attribute)
            ]
        return holders


@dataclass(frozen=True)
class LayoutIndex:
    """A layout for the rules that check more than one page.

    `layout` is None when `batch_items` is not an array. `duplicates` has the number and index of each page
    with ids that are used more than once in the layout. `size` is the size of all pages.
    """

    layout: Layout | None
    duplicates: Sequence[tuple[int, PageIndex]] = ()
    size: Size = NOTHING


@cache
def _holders(attributes: tuple[Attribute, ...], attribute: Attribute) -> tuple[Attribute, ...]:
    """Those of the attributes of an item type that are an attribute, or lists whose entries have it."""
    return tuple(holder for holder in attributes if holder is attribute or attribute in holder.nested)


def _options(path: NodePath, item: Item, name: str) -> ItemOptions:
    entries = item.attributes.get(name)
    if not is_array(entries):
        return ItemOptions(path, item, name, (), 0)
    return ItemOptions(path, item, name, [option for option in entries if is_object(option)], len(entries))


def repeated(texts: Collection[str]) -> Collection[str]:
    """The texts that occur more than once."""
    if len(set(texts)) == len(texts):
        return ()
    return [text for text, times in Counter(texts).items() if times > 1]
