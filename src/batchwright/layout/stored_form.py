"""A layout as a service stores it, for the local service and for comparing a layout with a batch.

A service stores Markdown as HTML (wire reference, section 6.2), assigns an id to every node, and may omit an
attribute that is null or has its default value (wire reference, section 6).
"""

import json
from collections.abc import Mapping
from dataclasses import replace

from batchwright.base.cooperative import yielding_gil
from batchwright.base.json_values import Json, is_array, is_object, json_equal
from batchwright.layout.attributes import DISPLAY_POSITION, Attribute
from batchwright.layout.ids import to_request
from batchwright.layout.item_types.registry import ITEM_TYPES, RichText
from batchwright.layout.model import Column, Layout, Page, Row
from batchwright.layout.nodes import Node, ObjectNode
from batchwright.layout.rich_text import render

_Attributes = Mapping[str, Attribute]
_UNKNOWN: _Attributes = {}
_OF_PAGES: _Attributes = {DISPLAY_POSITION.name: DISPLAY_POSITION}


def as_stored(layout: Layout) -> Layout:
    """The layout with every Markdown text written as HTML (wire reference, section 6.2)."""
    return Layout(tuple(_page(page) if isinstance(page, Page) else page for page in layout.pages))


def as_html(item: RichText) -> RichText:
    """The HTML item that a service stores for a Markdown item."""
    # Markdown may show nothing, such as a comment alone; stored content may not be empty.
    content = render(item.text("content"), item.format) or "<p></p>"
    return item.with_attributes(content=content, content_format="html")


def canonical(layout: Layout) -> str:
    """A text that is the same for two layouts if they differ only in ids and omitted attributes.

    An attribute that is null or has its default value counts as omitted.
    """
    pages = (_canonical(page, _OF_PAGES) for page in to_request(layout, {}))
    texts = (json.dumps(page, sort_keys=True, separators=(",", ":")) for page in yielding_gil(pages))
    return f"[{','.join(texts)}]"


def comparable(layout: Layout, ids: Mapping[str, str]) -> Layout:
    """The layout for a comparison node by node with another version of it (`compare_layouts`).

    The nodes have the ids of the service as keys where `ids`, by key, has one. Their attributes are without
    ids, null values and default values.
    """
    return layout.with_children([_comparable(page, ids) for page in layout.pages])


def _comparable(node: Node, ids: Mapping[str, str]) -> Node:
    key = ids.get(node.key, node.key)
    if not isinstance(node, ObjectNode):
        return replace(node, key=key)
    own = _canonical({name: value for name, value in node.attributes.items() if name != "id"}, _OF_PAGES)
    bare = replace(node, key=key, attributes=own if is_object(own) else {})
    return bare.with_children([_comparable(child, ids) for child in node.children])


def _canonical(value: Json, attributes: _Attributes) -> Json:
    if is_array(value):
        return [_canonical(inner, attributes) for inner in value]
    if not isinstance(value, Mapping):
        return value
    item_attributes = _attributes(value.get("type")) or attributes
    return {
        name: _canonical(inner, _inside(item_attributes.get(name)))
        for name, inner in value.items()
        if inner is not None and not _is_default(inner, item_attributes.get(name))
    }


def _attributes(kind: Json) -> _Attributes:
    item = ITEM_TYPES.get(kind) if isinstance(kind, str) else None
    return {attribute.name: attribute for attribute in item.known_attributes} if item else _UNKNOWN


def _inside(attribute: Attribute | None) -> _Attributes:
    return {nested.name: nested for nested in attribute.nested} if attribute else _UNKNOWN


def _is_default(value: Json, attribute: Attribute | None) -> bool:
    return attribute is not None and attribute.default is not None and json_equal(value, attribute.default)


def _page(page: Page) -> Page:
    return replace(page, rows=tuple(_row(row) if isinstance(row, Row) else row for row in page.rows))


def _row(row: Row) -> Row:
    columns = tuple(_column(column) if isinstance(column, Column) else column for column in row.columns)
    return replace(row, columns=columns)


def _column(column: Column) -> Column:
    items = tuple(
        as_html(item) if isinstance(item, RichText) and item.format == "markdown" else item
        for item in column.items
    )
    return replace(column, items=items)
