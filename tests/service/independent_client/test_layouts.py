"""Layouts: specification, batch_items layout and Batches rules 2 and 3; wire.md 2.3, 6 and 12."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.service.independent_client.client import Client
from tests.service.independent_client.endpoints import NOBODY
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
SAY = {"type": "free_text", "description": "Say"}
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


def ask(client: Client, status: int, layout: Any, data: Record | None = None) -> Any:
    body = {"name": "x", "workspace_id": client.workspace, "task_details": DETAILS, "batch_items": layout}
    return client.want(
        status, "POST", f"{PREFIX}/batches", body | ({"dataset_id": data["id"]} if data else {})
    )


def entries(layout: Any) -> Iterator[Record]:
    """Every page, row, column and item."""
    for one in layout:
        yield one
        for key in ("rows", "columns", "items"):
            if key in one:
                yield from entries(one[key])


def without_ids(layout: Any) -> Any:
    bare = copy.deepcopy(layout)
    for one in entries(bare):
        one.pop("id", None)
    return bare


def field(key: str) -> Record:
    return {"type": "dataset_field", "field": key}


def test_every_entry_has_an_id_and_all_that_was_sent(client: Client) -> None:
    layout = [
        page(IMAGE, RICH, display_position="intro"),
        {
            "rows": [
                {"columns": [{"items": [field(key) for key in TYPES[:4]]}, {"items": [CHOICE, EXPLAINED]}]},
                {"columns": [{"items": [UNIT, FILES, SAY], "later": {"a": 0}}], "later": False},
            ],
            "display_position": "body",
        },
        page({"type": "video_narration", "description": "Tell", "seconds": 1.0, "a": [None]}),
        page({**IMAGE, "caption": "c"}, display_position="outro", later="x"),
    ]
    made = batch(client, layout, dataset(client, SCHEMA))
    kept, sent = (json.dumps(each, sort_keys=True) for each in (without_ids(made["batch_items"]), layout))
    assert kept == sent
    ids = [one["id"] for one in entries(made["batch_items"])]
    assert all(uuid(id) for id in ids)
    assert len(set(ids)) == len(ids)
    assert made["total_instruction_count"] in (5, 6)
    assert read_batch(client, made["id"])["batch_items"] == made["batch_items"]


def test_an_update_keeps_moves_makes_and_removes_by_id(client: Client) -> None:
    layout = [page(SAY, CHOICE), page(IMAGE)]
    made = batch(client, layout)
    path = f"{PREFIX}/batches/{made['id']}"
    first, second = copy.deepcopy(made["batch_items"])
    moved = first["rows"][0]["columns"][0]["items"].pop(0)
    second["rows"].append({"columns": [{"items": [moved, {**SAY, "description": "New", "id": None}]}]})
    after = client.want(200, "PATCH", path, {"batch_items": [second, first]})["batch_items"]
    before_ids, after_ids = ({one["id"] for one in entries(each)} for each in (made["batch_items"], after))
    assert before_ids < after_ids
    assert len(after_ids - before_ids) == 3
    assert after[0]["rows"][1]["columns"][0]["items"][0] == moved
    assert [one["id"] for one in after] == [second["id"], first["id"]]
    kept = client.want(200, "PATCH", path, {"batch_items": after[:1]})["batch_items"]
    assert kept == after[:1]
    client.want(400, "PATCH", path, {"batch_items": after})


def test_foreign_and_doubled_ids_are_400(client: Client) -> None:
    made, other = batch(client, [page(SAY)]), batch(client, [page(SAY)])
    path = f"{PREFIX}/batches/{made['id']}"
    own = made["batch_items"][0]
    for wrong in (
        [{**page(SAY), "id": NOBODY}],
        [other["batch_items"][0]],
        [own, own],
        [page({**SAY, "id": own["id"]}), {**page(SAY), "id": own["id"]}],
        [{**page(SAY), "id": 5}],
    ):
        client.want(400, "PATCH", path, {"batch_items": wrong})
    assert read_batch(client, made["id"])["batch_items"] == made["batch_items"]


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
        [{"rows": [{"columns": [{"items": [SAY]}] * 3}]}],
        [{"rows": [{"columns": [{"items": []}]}]}],
        [{"rows": [{"columns": [{}]}]}],
        *([page(item)] for item in (5, {}, {"type": 5}, {"type": None})),
    ],
)
def test_a_misshapen_layout_is_400(client: Client, layout: Any) -> None:
    assert set(ask(client, 400, layout)) == {"batch_items"}
    made = batch(client, [page(SAY)])
    client.want(400, "PATCH", f"{PREFIX}/batches/{made['id']}", {"batch_items": layout})


WRONG: list[Record] = [
    *({**SAY, "description": text} for text in (None, "", 5)),
    *({**CHOICE, "answer_limit": limit} for limit in (None, 0, -2, 3, "1", 1.5, True)),
    *({**CHOICE, "options": options} for options in (None, [], [{"label": "A"}], [{"value": "a"}], [A, A])),
    {**CHOICE, "options": [{**A, "exclusive": True}, B]},
    {**CHOICE, "answer_limit": 2, "options": [{**A, "exclusive": True}, {**B, "exclusive": True}]},
    {**EXPLAINED, "options": [A]},
    *({**UNIT, "default_unit": unit} for unit in ("lb", "", 5)),
    *({**UNIT, "unit_position": place} for place in (None, "middle")),
    *({**UNIT, "unit_options": units} for units in (None, [], [{"label": "kg"}])),
    *({**SAY, "validation": rule} for rule in ({}, {"type": "date"}, {"type": "number", "min": 2, "max": 1})),
    *({**SAY, "validation": {"type": "string", "min": least}} for least in (-1, 0.5, "1")),
    {**FILES, "min_file_count": 3, "max_file_count": 2},
    {**FILES, "min_file_count": 11},
    *({**FILES, key: 0} for key in ("min_file_count", "max_file_count", "max_file_size_mb")),
    {**FILES, "accepted_file_types": ["jpg"]},
    *({**IMAGE, "url": url} for url in (None, "", "http://img.example.net/1.png", "1.png")),
    *({**IMAGE, "alt_text": text} for text in (None, "")),
    {"type": "rich_text"},
    {**RICH, "content_format": "rtf"},
    *({**SAY, "type": type} for type in ("", "free_txt", "Free_Text", "free_text ", "hologram")),
]


@pytest.mark.parametrize("item", WRONG, ids=str)
def test_an_item_at_fault_is_422(client: Client, item: Record) -> None:
    issues = ask(client, 422, [page(SAY), page(SAY, item)])
    assert {(issue["page"], issue["row"], issue["column"], issue["item"]) for issue in issues} == {
        (1, 0, 0, 1)
    }
    assert {issue["type"] for issue in issues} == {item["type"]}


def test_every_item_at_fault_is_in_one_answer(client: Client) -> None:
    data = dataset(client, SCHEMA)
    columns = [{"items": [field("text"), field("text"), field("Text"), field("metadata")]}, {"items": WRONG}]
    layout = [page(SAY), {"rows": [{"columns": [{"items": [SAY]}]}, {"columns": columns}]}]
    issues = ask(client, 422, layout, data)
    places = {(issue["page"], issue["row"], issue["column"], issue["item"]) for issue in issues}
    assert places == {(1, 1, 0, item) for item in (1, 2, 3)} | {(1, 1, 1, item) for item in range(len(WRONG))}
    fields = {issue["item"]: issue["field"] for issue in issues if issue["type"] == "dataset_field"}
    assert fields == {1: "text", 2: "Text", 3: "metadata"}


def test_dataset_fields_need_a_v4_dataset_with_a_schema(client: Client) -> None:
    layout = [page(field("text"))]
    for data in (None, dataset(client), dataset(client, None)):
        assert [issue["field"] for issue in ask(client, 422, layout, data)] == ["text"]
    made = batch(client)
    path = f"{PREFIX}/batches/{made['id']}"
    client.want(422, "PATCH", path, {"batch_items": layout})
    data = dataset(client, SCHEMA)
    client.want(200, "PATCH", path, {"batch_items": layout, "dataset_id": data["id"]})
    other = dataset(client, {"strict": False, "fields": {"other": {"type": "text"}}})
    client.want(422, "PATCH", path, {"dataset_id": other["id"]})
    assert read_batch(client, made["id"])["datasets"][0]["id"] == data["id"]


def test_the_same_field_may_stand_on_two_pages(client: Client) -> None:
    batch(client, [page(field("text")), page(field("text"))], dataset(client, SCHEMA))


@pytest.mark.parametrize("position", ["intro", "outro"])
def test_pages_around_the_tasks_hold_content_only(client: Client, position: str) -> None:
    issues = ask(
        client,
        422,
        [page(IMAGE, SAY, RICH, {"type": "video_narration"}, display_position=position), page(SAY)],
    )
    assert [issue["item"] for issue in issues] == [1, 3]


def test_markdown_is_kept_as_clean_html(client: Client) -> None:
    content = (
        "# Read\n\n*this* <script>alert(1)</script> [link](javascript:alert) ![x](http://a/b.png)\n\n- one"
    )
    made = batch(client, [page({"type": "rich_text", "content": content, "content_format": "markdown"})])
    item = made["batch_items"][0]["rows"][0]["columns"][0]["items"][0]
    assert item.get("content_format", "html") == "html"
    for tag in ("<h1>Read</h1>", "<em>this</em>", "<li>one</li>"):
        assert tag in item["content"]
    assert "<script" not in item["content"]
    assert "href" not in item["content"]
    again = client.want(200, "PATCH", f"{PREFIX}/batches/{made['id']}", {"batch_items": made["batch_items"]})
    assert again["batch_items"] == made["batch_items"]


def test_the_sample_of_the_wire_reference_is_taken(client: Client) -> None:
    samples = Path(__file__).parents[4] / "shared" / "wire-examples"
    if not samples.is_dir():
        pytest.skip("the wire examples are not beside this repository")
    (path,) = samples.glob("08-*.json")
    sent = json.loads(path.read_text("utf-8"))["exchanges"][0]["request"]
    keys = ("prompt", "answer_text", "photo", "clip_audio", "clip_video")
    types = ("text", "text", "image_url", "audio_url", "video_url")
    fields = {key: {"type": type} for key, type in zip(keys, types, strict=True)}
    made = batch(client, sent["batch_items"], dataset(client, {"strict": True, "fields": fields}))
    assert made["total_instruction_count"] == 5
