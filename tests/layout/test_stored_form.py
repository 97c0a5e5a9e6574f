"""The stored form of layouts: differences that participants cannot see are ignored in comparisons."""

from typing import Any

import pytest

from batchwright.layout.model import Layout
from batchwright.layout.serialization import random_keys, read
from batchwright.layout.stored_form import as_stored, canonical
from tests.samples.each_type import WHY

OPTION = {"label": "A", "value": 1}
CHOICE = {"type": "multiple_choice", "description": "?", "answer_limit": 1, "options": [OPTION]}
UPLOAD = {"type": "file_upload", "description": "?"}


def layout(*items: Any) -> Layout:
    return read([{"rows": [{"columns": [{"items": list(items)}]}]}], random_keys())


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (WHY, {**WHY, "id": "0193a7c0-0001-7001-8a1b-4c5d6e7f0001"}),
        (WHY, {**WHY, "helper_text": None}),
        (CHOICE, {**CHOICE, "disable_dropdown": False}),
        (CHOICE, {**CHOICE, "options": [{**OPTION, "exclusive": False}]}),
        (UPLOAD, {**UPLOAD, "accepted_file_types": [".jpg", ".jpeg", ".png", ".heic", ".heif"]}),
        (
            {"type": "rich_text", "content": "a"},
            {"content_format": "html", "type": "rich_text", "content": "a"},
        ),
    ],
)
def test_ids_nulls_defaults_and_the_order_of_keys_make_no_difference(first: Any, second: Any) -> None:
    assert canonical(layout(first)) == canonical(layout(second))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (CHOICE, {**CHOICE, "disable_dropdown": True}),
        (CHOICE, {**CHOICE, "options": [{**OPTION, "value": True}]}),
        (CHOICE, {**CHOICE, "options": [{**OPTION, "value": 1.0}]}),
        (UPLOAD, {**UPLOAD, "max_file_count": 9}),
        ({"type": "unknown", "disable_dropdown": False}, {"type": "unknown"}),
    ],
)
def test_any_other_difference_is_significant(first: Any, second: Any) -> None:
    assert canonical(layout(first)) != canonical(layout(second))


def test_an_explicit_body_position_equals_the_default() -> None:
    def page(**keys: Any) -> str:
        return canonical(read([{"rows": [{"columns": [{"items": [WHY]}]}], **keys}], random_keys()))

    assert page(display_position="body") == page(display_position=None) == page()
    assert page(display_position="intro") != page()


def test_markdown_is_stored_as_html_and_html_as_it_is() -> None:
    markdown = {"type": "rich_text", "content": "**a**", "content_format": "markdown"}
    html = {"type": "rich_text", "content": "<p><strong>a</strong></p>\n", "content_format": "html"}
    assert canonical(as_stored(layout(markdown))) == canonical(layout(html))
    assert canonical(as_stored(layout(html))) == canonical(layout(html))
