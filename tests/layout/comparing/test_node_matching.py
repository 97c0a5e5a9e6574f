"""Pages and items of two versions of a layout without common keys are matched."""

from typing import Any

import pytest
from hypothesis import given

from batchwright.base.json_values import Json
from batchwright.layout.collection_pages import items_of, layout_from_collection
from batchwright.layout.comparing.node_matching import match_nodes
from batchwright.layout.model import Layout, Page
from batchwright.layout.serialization import random_keys, read
from tests.layout.random_layouts import any_pages


def question(text: str, **attributes: Any) -> dict[str, Any]:
    return {"type": "free_text", "description": text, **attributes}


def collection(*pages: list[dict[str, Any]]) -> Layout:
    return layout_from_collection([{"page_items": items} for items in pages], random_keys())


def names(layout: Layout) -> dict[str, str]:
    """The keys of pages and items by position: `1` for the first page, `1.2` for its second item."""
    return {
        key: name
        for number, page in enumerate(layout.pages, 1)
        if isinstance(page, Page)
        for name, key in [
            (f"{number}", page.key),
            *((f"{number}.{place}", item.key) for place, item in enumerate(items_of(page), 1)),
        ]
    }


def matched(layout: Layout, other: Layout) -> dict[str, str]:
    """The matches by position."""
    now, before = names(layout), names(other)
    return {now[key]: before[match] for key, match in match_nodes(layout, other).items()}


A, B, C, D = (question(text) for text in "ABCD")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([[A, B], [C]], [[A, B], [C]], {"1": "1", "1.1": "1.1", "1.2": "1.2", "2": "2", "2.1": "2.1"}),
        ([[A, B]], [[B]], {"1": "1", "1.1": "1.2"}),
        ([[A], [B]], [[B], [A]], {"1": "2", "1.1": "2.1", "2": "1", "2.1": "1.1"}),
        ([[A, B], [C]], [[A], [B, C]], {"1": "1", "1.1": "1.1", "2": "2", "2.1": "1.2", "2.2": "2.1"}),
        ([[A, B]], [[question("A?"), B]], {"1": "1", "1.1": "1.1", "1.2": "1.2"}),
        ([[A, B]], [[C, D, A, B]], {"1": "1", "1.3": "1.1", "1.4": "1.2"}),
        ([[A]], [[C, D]], {"1": "1"}),
        ([[A, A]], [[A, A]], {"1": "1", "1.1": "1.1", "1.2": "1.2"}),
        ([[A]], [[{"type": "rich_text", "content": "A"}]], {"1": "1"}),
        ([[A]], [[question("A", placeholder_text_input=None)]], {"1": "1", "1.1": "1.1"}),
        (
            [[question("A", id="x"), B]],
            [[B, question("New", id="x")]],
            {"1": "1", "1.1": "1.2", "1.2": "1.1"},
        ),
    ],
)
def test_what_both_have_is_matched(
    before: list[list[dict[str, Any]]], after: list[list[dict[str, Any]]], expected: dict[str, str]
) -> None:
    assert matched(collection(*after), collection(*before)) == expected


def test_markdown_is_matched_with_the_html_stored_for_it() -> None:
    markdown = {"type": "rich_text", "content": "**Your** kitchen", "content_format": "markdown"}
    html = {"type": "rich_text", "content": "<p><strong>Your</strong> kitchen</p>", "content_format": "html"}
    assert matched(collection([A], [markdown]), collection([html], [A]))["2.1"] == "1.1"


@given(any_pages())
def test_every_item_of_any_layout_is_matched_with_itself(pages: list[Json]) -> None:
    layout, other = read(pages, random_keys()), read(pages, random_keys())
    own, others = names(layout), names(other)
    matches = match_nodes(layout, other)
    assert len(set(matches.values())) == len(matches)
    assert {own[key]: others[matches[key]] for key in own} == {name: name for name in own.values()}
