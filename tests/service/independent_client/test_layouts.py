"""Layouts (specification, batch_items layout and Batches rules 2 and 3; wire reference, sections 2.3, 6 and
12).
"""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.service.independent_client.client import Client
from tests.service.independent_client.endpoints import UNKNOWN_ID
from tests.service.independent_client.researcher import (
    DETAILS,
    PREFIX,
    Record,
    batch,
    dataset,
    page,
    read_batch,
)
from tests.service.independent_client.shapes import uuid

TYPES = ("text", "image_url", "audio_url", "video_url", "metadata", "task_group_id")
SCHEMA = {"strict": False, "fields": {type: {"type": type} for type in TYPES}}
TEXT_QUESTION = {"type": "free_text", "description": "Say"}
A, B = {"label": "A", "value": "a"}, {"label": "B", "value": "b"}
CHOICE = {"type": "multiple_choice", "description": "Pick", "answer_limit": 1, "options": [A, B]}
EXPLAINED = {
    **CHOICE,
    "type": "multiple_choice_with_free_text",
    "options": [{**A, "heading": "Why?"}, {**B, "heading": "Why?"}],
}
UNIT = {
    "type": "free_text_with_unit",
    "description": "Weight",
    "unit_options": [{"label": "kg", "value": "kg"}, {"label": "one", "value": 1}],
    "unit_position": "suffix",
}
FILES = {"type": "file_upload", "description": "Files"}
IMAGE = {"type": "image", "url": "https://img.example.net/1.png", "alt_text": "A scale"}
RICH = {"type": "rich_text", "content": "<p>Read</p>"}


def create_batch(client: Client, status: int, layout: Any, data: Record | None = None) -> Any:
    body = {"name": "x", "workspace_id": client.workspace, "task_details": DETAILS, "batch_items": layout}
    return client.expect(
        status, "POST", f"{PREFIX}/batches", body | ({"dataset_id": data["id"]} if data else {})
    )


def entries(layout: Any) -> Iterator[Record]:
    """Every page, row, column and item."""
    for page_entry in layout:
        yield page_entry
        for key in ("rows", "columns", "items"):
            if key in page_entry:
                yield from entries(page_entry[key])


def without_ids(layout: Any) -> Any:
    bare = copy.deepcopy(layout)
    for entry in entries(bare):
        entry.pop("id", None)
    return bare


def field(key: str) -> Record:
    return {"type": "dataset_field", "field": key}


def test_every_entry_has_an_id_and_all_that_was_sent(client: Client) -> None:
    layout = [
        page(IMAGE, RICH, display_position="intro"),
        {
            "rows": [
                {"columns": [{"items": [field(key) for key in TYPES[:4]]}, {"items": [CHOICE, EXPLAINED]}]},
                {"columns": [{"items": [UNIT, FILES, TEXT_QUESTION], "later": {"a": 0}}], "later": False},
            ],
            "display_position": "body",
        },
        page({"type": "video_narration", "description": "Tell", "seconds": 1.0, "a": [None]}),
        page({**IMAGE, "caption": "c"}, display_position="outro", later="x"),
    ]
    created = batch(client, layout, dataset(client, SCHEMA))
    stored, sent = (
        json.dumps(each, sort_keys=True) for each in (without_ids(created["batch_items"]), layout)
    )
    assert stored == sent
    ids = [entry["id"] for entry in entries(created["batch_items"])]
    assert all(uuid(id) for id in ids)
    assert len(set(ids)) == len(ids)
    assert created["total_instruction_count"] in (5, 6)
    assert read_batch(client, created["id"])["batch_items"] == created["batch_items"]


def test_an_update_keeps_moves_creates_and_removes_by_id(client: Client) -> None:
    layout = [page(TEXT_QUESTION, CHOICE), page(IMAGE)]
    created = batch(client, layout)
    path = f"{PREFIX}/batches/{created['id']}"
    first, second = copy.deepcopy(created["batch_items"])
    moved = first["rows"][0]["columns"][0]["items"].pop(0)
    second["rows"].append(
        {"columns": [{"items": [moved, {**TEXT_QUESTION, "description": "New", "id": None}]}]}
    )
    after = client.expect(200, "PATCH", path, {"batch_items": [second, first]})["batch_items"]
    before_ids, after_ids = (
        {entry["id"] for entry in entries(each)} for each in (created["batch_items"], after)
    )
    assert before_ids < after_ids
    assert len(after_ids - before_ids) == 3
    assert after[0]["rows"][1]["columns"][0]["items"][0] == moved
    assert [entry["id"] for entry in after] == [second["id"], first["id"]]
    remaining = client.expect(200, "PATCH", path, {"batch_items": after[:1]})["batch_items"]
    assert remaining == after[:1]
    client.expect(400, "PATCH", path, {"batch_items": after})


def test_foreign_and_duplicate_ids_are_400(client: Client) -> None:
    created, foreign = batch(client, [page(TEXT_QUESTION)]), batch(client, [page(TEXT_QUESTION)])
    path = f"{PREFIX}/batches/{created['id']}"
    own = created["batch_items"][0]
    for invalid in (
        [{**page(TEXT_QUESTION), "id": UNKNOWN_ID}],
        [foreign["batch_items"][0]],
        [own, own],
        [page({**TEXT_QUESTION, "id": own["id"]}), {**page(TEXT_QUESTION), "id": own["id"]}],
        [{**page(TEXT_QUESTION), "id": 5}],
    ):
        client.expect(400, "PATCH", path, {"batch_items": invalid})
    assert read_batch(client, created["id"])["batch_items"] == created["batch_items"]


@pytest.mark.parametrize(
    "layout",
    [
        *(
            [],
            {},
            "x",
            5,
            [5],
            [{}],
            [{"rows": []}],
            [{"rows": {}}],
            [{"rows": [{}]}],
            [{"rows": [{"columns": []}]}],
        ),
        [{"rows": [{"columns": [{"items": [TEXT_QUESTION]}] * 3}]}],
        [{"rows": [{"columns": [{"items": []}]}]}],
        [{"rows": [{"columns": [{}]}]}],
        *([page(item)] for item in (5, {}, {"type": 5}, {"type": None})),
    ],
)
def test_a_malformed_layout_is_400(client: Client, layout: Any) -> None:
    assert set(create_batch(client, 400, layout)) == {"batch_items"}
    created = batch(client, [page(TEXT_QUESTION)])
    client.expect(400, "PATCH", f"{PREFIX}/batches/{created['id']}", {"batch_items": layout})


INVALID_ITEMS: list[Record] = [
    *({**TEXT_QUESTION, "description": text} for text in (None, "", 5)),
    *({**CHOICE, "answer_limit": limit} for limit in (None, 0, -2, 3, "1", 1.5, True)),
    *({**CHOICE, "options": options} for options in (None, [], [{"label": "A"}], [{"value": "a"}], [A, A])),
    {**CHOICE, "options": [{**A, "exclusive": True}, B]},
    {**CHOICE, "answer_limit": 2, "options": [{**A, "exclusive": True}, {**B, "exclusive": True}]},
    {**EXPLAINED, "options": [A]},
    *({**UNIT, "default_unit": unit} for unit in ("lb", "", 5)),
    *({**UNIT, "unit_position": place} for place in (None, "middle")),
    *({**UNIT, "unit_options": units} for units in (None, [], [{"label": "kg"}])),
    *(
        {**TEXT_QUESTION, "validation": rule}
        for rule in ({}, {"type": "date"}, {"type": "number", "min": 2, "max": 1})
    ),
    *({**TEXT_QUESTION, "validation": {"type": "string", "min": least}} for least in (-1, 0.5, "1")),
    {**FILES, "min_file_count": 3, "max_file_count": 2},
    {**FILES, "min_file_count": 11},
    *({**FILES, key: 0} for key in ("min_file_count", "max_file_count", "max_file_size_mb")),
    {**FILES, "accepted_file_types": ["jpg"]},
    *({**IMAGE, "url": url} for url in (None, "", "http://img.example.net/1.png", "1.png")),
    *({**IMAGE, "alt_text": text} for text in (None, "")),
    {"type": "rich_text"},
    {**RICH, "content_format": "rtf"},
    *({**TEXT_QUESTION, "type": type} for type in ("", "free_txt", "Free_Text", "free_text ", "hologram")),
]


@pytest.mark.parametrize("item", INVALID_ITEMS, ids=str)
def test_an_invalid_item_is_422(client: Client, item: Record) -> None:
    issues = create_batch(client, 422, [page(TEXT_QUESTION), page(TEXT_QUESTION, item)])
    assert {(issue["page"], issue["row"], issue["column"], issue["item"]) for issue in issues} == {
        (1, 0, 0, 1)
    }
    assert {issue["type"] for issue in issues} == {item["type"]}


def test_every_invalid_item_is_in_one_response(client: Client) -> None:
    data = dataset(client, SCHEMA)
    columns = [
        {"items": [field("text"), field("text"), field("Text"), field("metadata")]},
        {"items": INVALID_ITEMS},
    ]
    layout = [
        page(TEXT_QUESTION),
        {"rows": [{"columns": [{"items": [TEXT_QUESTION]}]}, {"columns": columns}]},
    ]
    issues = create_batch(client, 422, layout, data)
    positions = {(issue["page"], issue["row"], issue["column"], issue["item"]) for issue in issues}
    assert positions == {(1, 1, 0, item) for item in (1, 2, 3)} | {
        (1, 1, 1, item) for item in range(len(INVALID_ITEMS))
    }
    fields = {issue["item"]: issue["field"] for issue in issues if issue["type"] == "dataset_field"}
    assert fields == {1: "text", 2: "Text", 3: "metadata"}


def test_dataset_fields_need_a_v4_dataset_with_a_schema(client: Client) -> None:
    layout = [page(field("text"))]
    for data in (None, dataset(client), dataset(client, None)):
        assert [issue["field"] for issue in create_batch(client, 422, layout, data)] == ["text"]
    created = batch(client)
    path = f"{PREFIX}/batches/{created['id']}"
    client.expect(422, "PATCH", path, {"batch_items": layout})
    data = dataset(client, SCHEMA)
    client.expect(200, "PATCH", path, {"batch_items": layout, "dataset_id": data["id"]})
    changed_schema = dataset(client, {"strict": False, "fields": {"other": {"type": "text"}}})
    client.expect(422, "PATCH", path, {"dataset_id": changed_schema["id"]})
    assert read_batch(client, created["id"])["datasets"][0]["id"] == data["id"]


def test_the_same_field_may_be_on_two_pages(client: Client) -> None:
    batch(client, [page(field("text")), page(field("text"))], dataset(client, SCHEMA))


@pytest.mark.parametrize("position", ["intro", "outro"])
def test_pages_around_the_tasks_contain_content_only(client: Client, position: str) -> None:
    issues = create_batch(
        client,
        422,
        [
            page(IMAGE, TEXT_QUESTION, RICH, {"type": "video_narration"}, display_position=position),
            page(TEXT_QUESTION),
        ],
    )
    assert [issue["item"] for issue in issues] == [1, 3]


def test_markdown_is_stored_as_sanitized_html(client: Client) -> None:
    content = (
        "# Read\n\n*this* <script>alert(1)</script> [link](javascript:alert) ![x](http://a/b.png)\n\n- one"
    )
    created = batch(client, [page({"type": "rich_text", "content": content, "content_format": "markdown"})])
    item = created["batch_items"][0]["rows"][0]["columns"][0]["items"][0]
    assert item.get("content_format", "html") == "html"
    for tag in ("<h1>Read</h1>", "<em>this</em>", "<li>one</li>"):
        assert tag in item["content"]
    assert "<script" not in item["content"]
    assert "href" not in item["content"]
    again = client.expect(
        200, "PATCH", f"{PREFIX}/batches/{created['id']}", {"batch_items": created["batch_items"]}
    )
    assert again["batch_items"] == created["batch_items"]


def test_the_sample_of_the_wire_reference_is_accepted(client: Client) -> None:
    samples = Path(__file__).parents[4] / "shared" / "wire-examples"
    if not samples.is_dir():
        pytest.skip("the wire examples are not beside this repository")
    (path,) = samples.glob("08-*.json")
    sent = json.loads(path.read_text("utf-8"))["exchanges"][0]["request"]
    keys = ("prompt", "answer_text", "photo", "clip_audio", "clip_video")
    types = ("text", "text", "image_url", "audio_url", "video_url")
    fields = {key: {"type": type} for key, type in zip(keys, types, strict=True)}
    created = batch(client, sent["batch_items"], dataset(client, {"strict": True, "fields": fields}))
    assert created["total_instruction_count"] == 5
