"""The pages of a collection as a layout: nothing is lost on the way, and ids stay with their nodes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.json_values import Json, JsonObject, json_equal
from batchwright.layout.collection_pages import (
    ids_from_collection,
    item_path,
    items_of,
    layout_from_collection,
    to_collection_items,
)
from batchwright.layout.model import Page
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules.examples import CHOICE, FREE_TEXT, IMAGE, RICH_TEXT, page
from batchwright.layout.serialization import read, sequential_keys
from tests.layout.builders import sketch
from tests.layout.random_layouts import any_pages

ITEMS = st.lists(st.sampled_from([CHOICE, FREE_TEXT, IMAGE, RICH_TEXT]), min_size=1, max_size=4)


def collection(pages: list[list[JsonObject]]) -> list[Json]:
    """Pages as a client writes them."""
    return [
        {"order": order, "page_items": [{"order": place, **item} for place, item in enumerate(items)]}
        for order, items in enumerate(pages)
    ]


@given(st.lists(ITEMS, min_size=1, max_size=4))
def test_reading_and_writing_changes_nothing(pages: list[list[JsonObject]]) -> None:
    value = collection(pages)
    assert json_equal(to_collection_items(layout_from_collection(value, sequential_keys()), {}), value)


@given(st.lists(ITEMS, min_size=1, max_size=4))
def test_pages_are_sorted_by_their_order(pages: list[list[JsonObject]]) -> None:
    value = collection(pages)
    shuffled: list[Json] = list(reversed(value))
    assert to_collection_items(layout_from_collection(shuffled, sequential_keys()), {}) == value


def test_an_entry_without_an_order_has_its_index() -> None:
    value: list[Json] = [{"page_items": [{**FREE_TEXT, "order": 7}, IMAGE, {**CHOICE, "order": 1}]}]
    (first,) = layout_from_collection(value, sequential_keys()).pages
    assert isinstance(first, Page)
    assert [getattr(item, "kind", None) for item in items_of(first)] == [
        "image",
        "multiple_choice",
        "free_text",
    ]


def test_attributes_of_the_service_are_left_out_except_ids() -> None:
    stored: JsonObject = {
        "created_at": "2026-03-07T09:00:00.000Z",
        "created_by": "u",
        "parent_id": "p",
        "schema_version": 1,
    }
    value: list[Json] = [{"id": "p1", **stored, "page_items": [{"id": "i1", **stored, **FREE_TEXT}]}]
    layout = layout_from_collection(value, sequential_keys())
    assert to_collection_items(layout, {}) == collection([[FREE_TEXT]])
    assert to_collection_items(layout, {}, {"p1", "i1"}) == [
        {"id": "p1", "order": 0, "page_items": [{"id": "i1", "order": 0, **FREE_TEXT}]}
    ]


def test_columns_follow_each_other() -> None:
    wide: JsonObject = {"rows": [{"columns": [{"items": [FREE_TEXT, IMAGE]}, {"items": [CHOICE]}]}]}
    layout = read([wide, page(RICH_TEXT)], sequential_keys())
    assert to_collection_items(layout, {}) == collection([[FREE_TEXT, IMAGE, CHOICE], [RICH_TEXT]])


def test_invalid_entries_are_kept() -> None:
    value: list[Json] = ["page", {"order": 1, "page_items": ["item", {"order": 1, **FREE_TEXT}]}]
    assert to_collection_items(layout_from_collection(value, sequential_keys()), {}) == value


def test_ids_of_a_response_are_assigned_by_position() -> None:
    layout = layout_from_collection(collection([[FREE_TEXT, IMAGE], [CHOICE]]), sequential_keys())
    response: list[Json] = [
        {"id": "p2", "order": 1, "page_items": [{"id": "c", "order": 0, **CHOICE}]},
        {
            "id": "p1",
            "order": 0,
            "page_items": [{"id": "b", "order": 1, **IMAGE}, {"id": "a", "order": 0, **FREE_TEXT}],
        },
    ]
    ids = ids_from_collection(layout, response)
    assert list(ids.values()) == ["p1", "a", "b", "p2", "c"]
    written = to_collection_items(layout, ids)
    assert [entry["id"] for entry in written if isinstance(entry, dict)] == ["p1", "p2"]


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        (NodePath(0), NodePath(0)),
        (NodePath(0, 0, 0, 1), NodePath(0, item=1)),
        (NodePath(0, 1), NodePath(0, item=2)),
        (NodePath(0, 1, 1, 0), NodePath(0, item=3)),
        (NodePath(0, 2, 0, 0), NodePath(0, item=4)),
        (NodePath(1, 0, 0, 0), NodePath(1, item=0)),
        (NodePath(1, 7, 0, 0), NodePath(1, 7, 0, 0)),
        (NodePath(), NodePath()),
    ],
)
def test_an_item_is_counted_on_its_page(path: NodePath, shown: NodePath) -> None:
    layout = sketch("ab / c|d / e // f")
    assert item_path(path, layout) == shown


@given(any_pages())
def test_the_number_of_an_item_is_its_index_on_the_page(pages: list[Json]) -> None:
    layout = read(pages, sequential_keys())
    for path, item in layout.walk():
        shown = item_path(path, layout)
        page = layout.pages[path.page or 0]
        assert isinstance(page, Page)
        assert items_of(page)[shown.item or 0] is item
