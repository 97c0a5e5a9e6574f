"""Collections: specification, Collections; wire reference, section 10."""

import copy
import io
import json
import zipfile
from typing import Any

import pytest

from tests.service.independent_client.batch_shapes import COLLECTION, COLLECTION_RESPONSE, EXPORTS
from tests.service.independent_client.client import Client
from tests.service.independent_client.endpoints import UNKNOWN_ID
from tests.service.independent_client.participants import participant
from tests.service.independent_client.researcher import DETAILS, PREFIX, Record, exported
from tests.service.independent_client.shapes import listed
from tests.service.independent_client.surveys import ANSWERS, QUESTIONS, check_answers

IMAGE = {"type": "image", "url": "https://img.example.net/1.png", "alt_text": "A kitchen"}
MARKDOWN = {"type": "rich_text", "content": "*Read* this", "content_format": "markdown"}
ORDERED_QUESTIONS = [{**question, "order": place} for place, question in enumerate(QUESTIONS)]
PAGES = [
    {
        "page_items": [{**IMAGE, "order": 0}, {**MARKDOWN, "order": 1}, {**ORDERED_QUESTIONS[0], "order": 2}],
        "order": 0,
    },
    {"page_items": ORDERED_QUESTIONS[1:]},
]


def create_collection(client: Client, pages: Any = PAGES) -> Record:
    body = {
        "workspace_id": client.workspace,
        "name": "Survey",
        "task_details": DETAILS,
        "collection_items": pages,
    }
    created: Record = client.expect(201, "POST", f"{PREFIX}/collections", body)
    assert COLLECTION(created)
    return created


def test_a_collection_is_created_read_and_listed(client: Client) -> None:
    created = create_collection(client)
    assert created["item_count"] == 2
    assert created.get("last_modified_at") is None
    assert created.get("last_modified_by") is None
    first, second = created["collection_items"]
    assert [item["type"] for item in first["page_items"]] == ["image", "rich_text", "free_text"]
    assert "<em>Read</em>" in first["page_items"][1]["content"]
    assert [item["parent_id"] for item in first["page_items"]] == [first["id"], first["id"], created["id"]]
    for item, sent in zip(second["page_items"], ORDERED_QUESTIONS[1:], strict=True):
        assert {**sent, "order": item["order"]}.items() <= item.items()
    assert client.expect(200, "GET", f"{PREFIX}/collections/{created['id']}") == created
    everything = client.expect(200, "GET", f"{PREFIX}/collections?workspace_id={client.workspace}&limit=200")
    assert listed(COLLECTION)(everything)
    assert everything["results"][0] == created
    client.expect(400, "GET", f"{PREFIX}/collections")


def test_a_replacement_keeps_creates_and_deletes_by_id(client: Client) -> None:
    created = create_collection(client)
    first, second = copy.deepcopy(created["collection_items"])
    body: Record = {
        "name": "Survey 2",
        "task_details": DETAILS,
        "collection_items": [
            {**second, "order": 0},
            {**first, "order": 1},
            {"page_items": [ORDERED_QUESTIONS[0]]},
        ],
    }
    deleted = second["page_items"].pop(0)
    first["page_items"][2]["description"] = "Said otherwise"
    path = f"{PREFIX}/collections/{created['id']}"
    updated = client.expect(200, "PUT", path, body)
    assert COLLECTION(updated)
    assert updated["name"] == "Survey 2"
    assert updated["last_modified_at"]
    assert updated["last_modified_by"] == created["created_by"]
    assert updated["created_at"] == created["created_at"]
    assert [page["id"] for page in updated["collection_items"][:2]] == [second["id"], first["id"]]
    ids = [item["id"] for page in updated["collection_items"] for item in page["page_items"]]
    assert ids[:-1] == [item["id"] for page in (second, first) for item in page["page_items"]]
    assert deleted["id"] not in ids
    assert updated["collection_items"][1]["page_items"][2]["description"] == "Said otherwise"
    assert client.expect(200, "GET", path) == updated
    stale = {**body, "collection_items": [{"page_items": [deleted]}]}
    client.expect(400, "PUT", path, stale)
    for key in body:
        client.expect(400, "PUT", path, {name: value for name, value in body.items() if name != key})


def test_order_is_respected_and_equal_numbers_are_stable(client: Client) -> None:
    items = [
        {**QUESTIONS[0], "description": text, "order": order}
        for text, order in (("c", 2), ("a", 1), ("b", 1))
    ]
    pages = [{"page_items": items, "order": 5}, {"page_items": items[:1], "order": 3}]
    created = create_collection(client, pages)["collection_items"]
    assert [len(page["page_items"]) for page in created] == [1, 3]
    assert [item["description"] for item in created[1]["page_items"]] == ["a", "b", "c"]


@pytest.mark.parametrize(
    "pages",
    [
        *(None, [], {}, [5], [{}], [{"page_items": []}], [{"page_items": [5]}], [{"page_items": [{}]}]),
        *(
            [{"page_items": [{**ORDERED_QUESTIONS[0], key: value}]}]
            for key, value in (("description", ""), ("order", "1"))
        ),
        [{"page_items": [{**ORDERED_QUESTIONS[1], "answer_limit": 9}]}],
        [{"page_items": [{**IMAGE, "url": "http://img.example.net/1.png"}]}],
        [{"page_items": [{"type": "dataset_field", "field": "prompt", "order": 0}]}],
        [{"page_items": ORDERED_QUESTIONS, "id": UNKNOWN_ID}],
    ],
)
def test_errors_are_400(client: Client, pages: Any) -> None:
    body = {"workspace_id": client.workspace, "name": "x", "task_details": DETAILS, "collection_items": pages}
    client.expect(400, "POST", f"{PREFIX}/collections", body)


@pytest.mark.parametrize("key", ["workspace_id", "name", "task_details", "collection_items"])
def test_missing_keys_of_a_collection_are_named(client: Client, key: str) -> None:
    body = {"workspace_id": client.workspace, "name": "x", "task_details": DETAILS, "collection_items": PAGES}
    if key == "name":
        assert set(client.expect(400, "POST", f"{PREFIX}/collections", {**body, key: ""})) == {key}
    del body[key]
    assert set(client.expect(400, "POST", f"{PREFIX}/collections", body)) == {key}


def test_a_collection_is_answered_right_away(client: Client) -> None:
    created = create_collection(client)
    resource = f"collections/{created['id']}"
    empty = client.expect(200, "GET", f"{PREFIX}/{resource}/responses")
    assert empty == {"results": [], "meta": {"count": 0}}
    assert participant(client, resource).answer_all(ANSWERS) == 2
    envelope = client.expect(200, "GET", f"{PREFIX}/{resource}/responses")
    assert listed(COLLECTION_RESPONSE)(envelope)
    assert len(envelope["results"]) == len(QUESTIONS)
    assert {record["collection_id"] for record in envelope["results"]} == {created["id"]}
    check_answers(envelope["results"])
    job = exported(client, resource)
    with zipfile.ZipFile(io.BytesIO(client.store(job["url"], "GET").body)) as archive:
        names = {name for name in archive.namelist() if not name.startswith("files/")}
        assert names == {"responses.jsonl", "collection.json", "README.md"}
        (line,) = archive.read("responses.jsonl").decode().splitlines()
        assert {response["id"] for response in json.loads(line)["responses"]} == {
            record["id"] for record in envelope["results"]
        }
        assert len(archive.namelist()) == 5
    assert EXPORTS["complete"](client.expect(200, "POST", f"{PREFIX}/{resource}/export"))
    client.expect(404, "GET", f"{PREFIX}/{resource}/export/{UNKNOWN_ID}")
