"""The pages of a collection as a layout, and back (wire reference, section 10).

A collection has pages of items, without rows and columns. In a layout, each item is a row with one column, so
that it is edited like any other layout; only its pages and items have ids at the service.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from batchwright.base.json_values import Json, JsonObject, is_array, is_object
from batchwright.layout.attributes import DISPLAY_POSITION
from batchwright.layout.ids import choose_known_ids
from batchwright.layout.item_types.base import Item
from batchwright.layout.model import Column, Layout, Page, Row
from batchwright.layout.nodes import InvalidNode, Level, Node, NodePath, ObjectNode
from batchwright.layout.serialization import INSIDE, derived_keys, read_item

PAGE_ITEMS = "page_items"
"""The attribute of a page that contains its items."""

SERVER_ATTRIBUTES = frozenset(
    {"order", "created_at", "created_by", "parent_id", "parent_type", "schema_version"}
)
"""Attributes of pages and items that the service sets, besides `id`; they are ignored in requests."""


def layout_from_collection(collection_items: Iterable[Json], keys: Iterator[str]) -> Layout:
    """The layout of the pages of a collection, sorted by `order`; nodes get the keys in reading order.

    Ids are kept as attributes; other attributes that the service sets are left out.
    """
    return Layout(tuple(_page(page, keys) for page in sorted_by_order(collection_items)))


def to_collection_items(layout: Layout, ids: Mapping[str, str], known_ids: Container[str] = ()) -> list[Json]:
    """The `collection_items` of a request: existing pages and items have their ids, new ones have none.

    Args:
        layout: the pages; the columns of a row follow each other.
        ids: the ids of the service by key.
        known_ids: the ids of the target collection. A node that is not in `ids` keeps the id it was read with
            only if it is one of these.
    """
    id_of = choose_known_ids(layout, ids, known_ids)

    def written(node: Node, order: int) -> Json:
        if isinstance(node, InvalidNode) or not isinstance(node, ObjectNode):
            return node.value if isinstance(node, InvalidNode) else None
        node_id = id_of(node)
        attributes = {name: value for name, value in node.attributes.items() if name not in {"id", "order"}}
        entry: dict[str, Json] = {
            **({} if node_id is None else {"id": node_id}),
            "order": order,
            **attributes,
        }
        if isinstance(node, Page):
            entry[PAGE_ITEMS] = [written(item, place) for place, item in enumerate(items_of(node))]
        return entry

    return [written(page, order) for order, page in enumerate(layout.pages)]


def ids_from_collection(layout: Layout, collection_items: Sequence[Json]) -> dict[str, str]:
    """The ids that the service assigned to pages and items, by key, from its response for this layout.

    Nodes are paired by position; where a page has another number of items in the response, these are skipped.
    """
    return dict(_paired(layout.pages, collection_items))


def items_of(page: Page) -> list[Node]:
    """The items of a page in reading order; an invalid row or column takes the place of its items."""
    return [
        item
        for row in page.rows
        for column in (row.children if isinstance(row, Row) else (row,))
        for item in _items_of_column(column)
    ]


def _items_of_column(column: Node) -> Sequence[Node]:
    return column.children if isinstance(column, Column) else (column,)


def item_path(path: NodePath, layout: Layout) -> NodePath:
    """The path as users of a collection see it: a page, or an item of a page. It has no rows and columns.

    A row or column has the path of its first item. A path that does not exist in the layout is unchanged.
    """
    if path.page is None or path.row is None or path.page >= len(layout.pages):
        return path
    page = layout.pages[path.page]
    if not isinstance(page, Page) or path.row >= len(page.rows):
        return path
    columns = page.rows[path.row].children[: path.column or 0]
    before = page.item_offsets[path.row] + sum(len(_items_of_column(column)) for column in columns)
    return NodePath(path.page, item=before + (path.item or 0))


def sorted_by_order(entries: Iterable[Json]) -> list[Json]:
    """Pages or items sorted by `order`; one without it has its index, equal ones keep their position."""

    def order(numbered: tuple[int, Json]) -> int:
        index, entry = numbered
        order = entry.get("order") if is_object(entry) else None
        return order if isinstance(order, int) and not isinstance(order, bool) else index

    return [entry for _index, entry in sorted(enumerate(entries), key=order)]


def _page(value: Json, keys: Iterator[str]) -> Page | InvalidNode:
    key = next(keys)
    items = value.get(PAGE_ITEMS) if is_object(value) else None
    if not is_object(value) or not is_array(items):
        return InvalidNode(key, value)
    rows = tuple(_row(item, keys) for item in sorted_by_order(items))
    return Page(key, _own_attributes(value, PAGE_ITEMS, INSIDE[Level.PAGE]), rows)


def _row(value: Json, keys: Iterator[str]) -> Row:
    row, column = next(keys), next(keys)
    own = _own_attributes(value) if is_object(value) else value
    return Row(row, {}, (Column(column, {}, (read_item(own, keys),)),))


def _own_attributes(entry: JsonObject, *children: str) -> JsonObject:
    """The attributes of a page or item itself: neither what the service sets nor its children."""
    omitted = {*SERVER_ATTRIBUTES, *children}
    return {name: value for name, value in entry.items() if name not in omitted}


def _paired(nodes: Sequence[Node], response: Json) -> Iterator[tuple[str, str]]:
    if not is_array(response) or len(response) != len(nodes):
        return
    for node, stored in zip(nodes, sorted_by_order(response), strict=True):
        if not isinstance(node, ObjectNode) or not is_object(stored):
            continue
        if isinstance(node, Item) and stored.get("type") != node.kind:
            continue
        node_id = stored.get("id")
        if isinstance(node_id, str):
            yield node.key, node_id
        if isinstance(node, Page):
            yield from _paired(items_of(node), stored.get(PAGE_ITEMS))


def single_column(layout: Layout) -> Layout:
    """The layout as pages of a collection: columns below each other, and no position of pages."""

    def rows_of(row: Node) -> Sequence[Node]:
        if not isinstance(row, Row) or len(row.columns) < 2:
            return (row,)
        first, *others = row.columns
        keys = derived_keys(f"{row.key}.column")
        return [row.with_children((first,)), *(Row(next(keys), {}, (column,)) for column in others)]

    def page_of(page: Page | InvalidNode) -> Page | InvalidNode:
        if isinstance(page, InvalidNode):
            return page
        rows = [row for outer in page.rows for row in rows_of(outer)]
        return page.with_children(rows).without_attributes(DISPLAY_POSITION.name)

    return Layout(tuple(map(page_of, layout.pages)))
