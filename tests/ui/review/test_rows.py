"""The rows of a review: sections, places, old and new values, and what is left out."""

from itertools import chain
from typing import Any

from batchwright.base.json_values import Json
from batchwright.client.content_review import ContentReview, ContentVersion, DetailTexts, review_versions
from batchwright.layout.item_types.registry import RichText
from batchwright.layout.model import Layout
from batchwright.layout.nodes import NodePath
from batchwright.layout.serialization import random_keys, read
from batchwright.layout.stored_form import comparable
from batchwright.ui.review.rows import (
    HeadingRow,
    NodeRow,
    ValueRow,
    change_rows,
    item_place_text,
    markup_row,
    node_title,
    place_text,
    value_row,
)

WHY: dict[str, Json] = {"type": "free_text", "description": "Why?"}
WHICH: dict[str, Json] = {
    "type": "multiple_choice",
    "description": "Which?",
    "answer_limit": 1,
    "options": [{"label": "A", "value": "a"}, {"label": "Both", "value": "both", "exclusive": True}],
}


def page(number: int, *items: Any) -> Json:
    """A page whose nodes have ids; those of rows and columns are derived from their items."""
    return {
        "id": f"page {number}",
        "rows": [
            {"id": f"row {item['id']}", "columns": [{"id": f"column {item['id']}", "items": [item]}]}
            for item in items
        ],
    }


def version(*pages: Json, name: str = "Cats") -> ContentVersion:
    layout = read(pages, random_keys())
    ids = {node.key: str(node.attributes["id"]) for node in nodes(layout) if "id" in node.attributes}
    return ContentVersion(comparable(layout, ids), DetailTexts(name))


def nodes(layout: Layout) -> Any:
    return chain.from_iterable(page.walk_all() for page in layout.pages)


def review(before: ContentVersion, after: ContentVersion) -> ContentReview:
    return review_versions(before, after)


def test_equal_versions_have_one_row_for_what_stays() -> None:
    same = version(page(1, {**WHY, "id": "w"}))
    assert change_rows(review(same, same), {}) == (HeadingRow("1 item stays as it is", "check", "text2"),)


def test_a_created_page_is_one_row_and_the_items_of_a_removed_page_have_their_own() -> None:
    before = version(page(1, {**WHY, "id": "w"}))
    after = version(page(2, {**WHY, "id": "x"}, {**WHICH, "id": "y"}))
    rows = change_rows(review(before, after), {"page 2": "Thanks"})
    assert rows == (
        HeadingRow("1 will be created", "plus-circle", "ok"),
        NodeRow("Page 1, Thanks", "2 items", "new id"),
        HeadingRow("2 will be removed", "minus-circle", "err"),
        NodeRow("Page 1", "1 item · page 1", "", "page 1"),
        NodeRow("Free text, “Why?”", "Page 1, row 1 · w", "", "w", counts_answers=True),
    )


def test_old_and_new_values_of_texts_options_and_defaults_are_side_by_side() -> None:
    options = [{"label": "A", "value": "a"}, {"label": "Neither", "value": "both"}]
    changed = {**WHICH, "id": "w", "options": options, "disable_dropdown": True}
    before = version(page(1, {**WHICH, "id": "w"}))
    after = version(page(1, changed), name="Dogs")
    rows = change_rows(review(before, after), {})
    assert rows == (
        HeadingRow("2 will change", "pencil-simple", "accent_text"),
        NodeRow("Name"),
        ValueRow("", "Cats", "Dogs"),
        NodeRow("Multiple choice, “Which?”", "Page 1, row 1 · w", "", "w", counts_answers=True),
        ValueRow("Options", "A (a)\nBoth (both); exclusive: yes", "A (a)\nNeither (both)"),
        ValueRow("Never as a dropdown", "no", "yes"),
    )


def test_a_moved_item_shows_where_it_was() -> None:
    first, second = {**WHY, "id": "w"}, {**WHICH, "id": "x"}
    rows = change_rows(review(version(page(1, first, second)), version(page(1, second, first))), {})
    (moved,) = [row for row in rows if isinstance(row, NodeRow)]
    assert moved.effect.startswith("moved from Page 1")


def test_changes_that_others_have_made_are_in_the_past() -> None:
    before, after = version(page(1, {**WHY, "id": "w"})), version(page(1, {**WHICH, "id": "x"}))
    headings = [
        row.text
        for row in change_rows(review(before, after), {}, is_done=True)
        if isinstance(row, HeadingRow)
    ]
    assert headings == ["1 was created", "1 was removed"]


def test_long_values_begin_shortly_before_their_first_difference() -> None:
    same = "word " * 200
    row = value_row("Question", same + "old end", same + "new end")
    assert (row.before[0], row.after[0]) == ("…", "…")
    assert row.before.endswith("old end")
    assert row.after.endswith("new end")
    assert max(len(row.before), len(row.after)) < 100


def test_each_paragraph_of_rich_text_is_a_line() -> None:
    text = "<h2>Before you begin</h2>\n<p>You will see<br>\n<b>un</b>usual\npictures.</p>"
    html = f"{text}<ul><li>One</li><li>Two</li></ul>"
    lines = "Before you begin\nYou will see\nunusual pictures.\nOne\nTwo"
    assert markup_row("", html, "<p>Begin</p>") == ValueRow("", lines, "Begin")
    node = RichText("t", {"type": "rich_text", "content": "<h2>Hello</h2><p>You will see</p>"})
    assert node_title(node).endswith("“Hello · You will see”")


def test_rich_text_is_shown_without_markup_unless_only_that_differs() -> None:
    assert markup_row("", "<p>One &amp; two</p>", "<p>Two</p>") == ValueRow("", "One & two", "Two")
    assert markup_row("", "<p>One</p>", "<h2>One</h2>") == ValueRow("", "<p>One</p>", "<h2>One</h2>")
    assert value_row("", "", "x").before == "(empty)"


def test_a_place_omits_numbers_that_are_no_choice() -> None:
    assert place_text(NodePath(1, 2, 0, 0)) == "Page 2, row 3"
    assert place_text(NodePath(1, 2, 1, 3)) == "Page 2, row 3, column 2, item 4"


def test_a_place_in_a_collection_is_a_page_or_an_item() -> None:
    assert item_place_text(NodePath(1, 2, 0, 0)) == "Page 2, item 3"
    assert item_place_text(NodePath(1)) == "Page 2"
