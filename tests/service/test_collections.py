"""Collections are created, listed and replaced (specification, Collections; wire reference, section 10)."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from batchwright.base.json_values import DEEPEST
from tests.service.accounts import ANN
from tests.service.api_helpers import TASK_DETAILS, JsonDict, Researcher
from tests.service.collections_helpers import (
    CHOICE,
    FILE,
    PICTURE,
    TEXT,
    WHY,
    as_sent,
    entries,
    items_of,
    link_of,
    named,
)


@pytest.mark.spec("C-03", "C-08", "C-05")
def test_a_collection_is_answered_as_it_was_sent_with_ids(researcher: Researcher) -> None:
    pages: list[JsonDict] = [{"page_items": [TEXT, CHOICE], "note": "kept"}, {"page_items": [PICTURE, WHY]}]
    created = researcher.collection(collection_items=pages)
    assert (created["name"], created["workspace_id"]) == ("Survey", researcher.workspace)
    assert created["task_details"] == TASK_DETAILS
    assert (created["schema_version"], created["item_count"]) == (1, 2)
    assert "last_modified_at" not in created
    ids = [entry["id"] for entry in entries(created)]
    assert len(set(ids)) == len(ids) == 6
    for sent, page in zip(pages, created["collection_items"], strict=True):
        for item, stored in zip(sent["page_items"], page["page_items"], strict=True):
            assert stored.items() >= item.items()
    assert created["collection_items"][0]["note"] == "kept"
    assert researcher.request("GET", f"/collections/{created['id']}", status=200) == created
    assert researcher.request("GET", f"/collections/{created['id']}/", status=200) == created
    assert researcher.request("GET", f"/collections/{created['id'].upper()}", status=200) == created


def test_the_parent_of_an_instruction_is_the_collection_and_that_of_content_its_page(
    researcher: Researcher,
) -> None:
    created = researcher.collection(TEXT, {**WHY, "order": 1}, PICTURE)
    (page,) = created["collection_items"]
    text, why, picture = page["page_items"]
    assert {item["parent_type"] for item in (text, why, picture)} == {"collection"}
    assert (text["parent_id"], why["parent_id"], picture["parent_id"]) == (
        page["id"],
        created["id"],
        page["id"],
    )
    assert (text["schema_version"], picture["schema_version"]) == (1, 1)
    assert "schema_version" not in why
    assert {item["created_by"] for item in entries(created)} == {created["created_by"]}


def test_pages_and_items_are_sorted_by_order_or_position(researcher: Researcher) -> None:
    def texts(*orders: int | None) -> list[JsonDict]:
        contents = [{**TEXT, "content": f"<p>{n}</p>"} for n in range(len(orders))]
        return [
            content if order is None else {**content, "order": order}
            for content, order in zip(contents, orders, strict=True)
        ]

    pages = [
        {"order": 5, "page_items": texts(2, 1, 0)},
        {"page_items": texts(None, 0, None)},
        {"order": -1, "page_items": texts(7, 7, 7)},
    ]
    created = researcher.collection(collection_items=pages)
    assert [page["order"] for page in created["collection_items"]] == [-1, 1, 5]
    shown = [
        "".join(item["content"][3] for item in page["page_items"]) for page in created["collection_items"]
    ]
    assert shown == ["012", "012", "210"]


def test_markdown_is_read_back_as_html(researcher: Researcher) -> None:
    markdown = {"type": "rich_text", "content": "**Bold** <script>x</script>", "content_format": "markdown"}
    created = items_of(researcher.collection(markdown))[0]
    assert "<strong>Bold</strong>" in created["content"]
    assert "<script>" not in created["content"]
    assert "content_format" not in created


@pytest.mark.spec("C-01")
def test_the_list_contains_the_collections_of_a_workspace_newest_first(
    surveyor: Researcher, researcher: Researcher
) -> None:
    researcher.collection(WHY)
    before = surveyor.request("GET", f"/collections?workspace_id={surveyor.workspace}", status=200)["meta"][
        "count"
    ]
    created = [surveyor.collection(WHY, name=f"S{number}") for number in range(3)]
    surveyor.batch()
    listed = surveyor.request("GET", f"/collections/?workspace_id={surveyor.workspace}", status=200)
    assert listed["results"][:3] == created[::-1]
    assert listed["meta"]["count"] == before + 3
    second_page = surveyor.request(
        "GET", f"/collections?workspace_id={surveyor.workspace}&limit=1&offset=1", status=200
    )
    assert second_page == {"results": [created[1]], "meta": listed["meta"]}
    batches = surveyor.request("GET", f"/batches?workspace_id={surveyor.workspace}", status=200)
    assert not {entry["id"] for entry in batches["results"]} & {entry["id"] for entry in created}
    assert batches["meta"]["count"] == len(batches["results"])


@pytest.mark.spec("C-02")
@pytest.mark.parametrize(
    "query", ["", "?workspace_id=", "?workspace_id={}&limit=x", "?workspace_id={}&offset=-1"]
)
def test_invalid_parameters_of_a_list_are_rejected(researcher: Researcher, query: str) -> None:
    assert researcher.status_of("GET", f"/collections{query.format(researcher.workspace)}") == 400


@pytest.mark.spec("C-06", "C-09", "C-10", "C-11")
def test_a_replacement_keeps_entries_with_their_id_creates_new_ones_and_deletes_the_rest(
    researcher: Researcher, surveyor: Researcher
) -> None:
    first = surveyor.collection(
        collection_items=[{"page_items": [TEXT, WHY, CHOICE]}, {"page_items": [PICTURE]}]
    )
    page, deleted_page = first["collection_items"]
    text, why, choice = page["page_items"]
    changed = surveyor.request(
        "PUT",
        f"/collections/{first['id']}/",
        {
            "name": "Survey 2",
            "task_details": {**TASK_DETAILS, "task_name": "Other"},
            "collection_items": [
                {"page_items": [{**TEXT, "id": text["id"], "content": "<p>Moved</p>"}]},
                {"id": page["id"], "page_items": [FILE, {**WHY, "id": why["id"], "description": "And why?"}]},
            ],
        },
        200,
    )
    assert (changed["id"], changed["name"]) == (first["id"], "Survey 2")
    assert changed["task_details"]["task_name"] == "Other"
    assert changed["workspace_id"] == surveyor.workspace
    new_page, first_page = changed["collection_items"]
    (moved,) = new_page["page_items"]
    question, file = first_page["page_items"]
    assert (first_page["id"], moved["id"], question["id"]) == (page["id"], text["id"], why["id"])
    assert (moved["content"], question["description"]) == ("<p>Moved</p>", "And why?")
    assert moved["parent_id"] == new_page["id"]
    assert (moved["created_at"], first_page["created_at"]) == (text["created_at"], page["created_at"])
    previous_ids = {entry["id"] for entry in entries(first)}
    assert not {new_page["id"], file["id"]} & previous_ids
    assert not {deleted_page["id"], choice["id"]} & {entry["id"] for entry in entries(changed)}
    assert changed["last_modified_at"] >= first["created_at"]
    assert changed["last_modified_by"] == ANN["id"]
    assert surveyor.request("GET", f"/collections/{first['id']}") == changed
    assert researcher.status_of("PUT", f"/collections/{first['id']}", as_sent(changed)) == 400


def test_an_answer_can_be_sent_back_as_it_came(researcher: Researcher) -> None:
    created = researcher.collection(
        collection_items=[{"page_items": [PICTURE, WHY]}, {"order": 0, "page_items": [TEXT, CHOICE]}]
    )
    forged = as_sent(created)
    for entry in entries(forged):
        entry |= {"created_at": "1999-01-01T00:00:00.000Z", "created_by": 5, "schema_version": "x"}
    for sent in (as_sent(created), forged):
        again = researcher.request("PUT", f"/collections/{created['id']}", sent, 200)
        assert again["collection_items"] == created["collection_items"]
        assert again["created_at"] == created["created_at"]


def test_unknown_attributes_are_stored_unchanged(researcher: Researcher) -> None:
    deep: Any = "end"
    for _level in range(DEEPEST - 2):
        deep = [deep]
    odd = {"type": "video_narration", "text": "half \ud800", "a": {"b": [None, 1e300, True]}, "deep": deep}
    body: JsonDict = {
        "name": "N",
        "workspace_id": researcher.workspace,
        "task_details": TASK_DETAILS,
        "collection_items": [{"page_items": [{**WHY, "order": 10**30, "later": deep}, odd]}],
    }
    response = researcher.http.post("/api/v1/data-collection/collections", content=json.dumps(body))
    assert response.status_code == 201, response.text
    created = response.json()
    assert [item["type"] for item in items_of(created)] == ["video_narration", "free_text"]
    assert items_of(created)[0].items() >= odd.items()
    with named(link_of(researcher, created), 1) as person:
        assert person.start().state == "page"
    body["collection_items"] = [{"page_items": [{**WHY, "later": [[deep]]}]}]
    response = researcher.http.post("/api/v1/data-collection/collections", content=json.dumps(body))
    assert response.status_code == 400, response.text


@pytest.mark.parametrize("deep", [DEEPEST + 10, DEEPEST + 20, 100_000])
def test_task_details_may_be_as_deep_as_a_body(researcher: Researcher, deep: int) -> None:
    details = json.dumps(TASK_DETAILS)[:-1] + f', "more": {"[" * deep}{"]" * deep}}}'
    pages = json.dumps([{"page_items": [WHY]}])
    body = (
        f'{{"name": "N", "workspace_id": "{researcher.workspace}", "task_details": {details},'
        f' "collection_items": {pages}}}'
    )
    response = researcher.http.post("/api/v1/data-collection/collections", content=body)
    assert response.status_code == (201 if deep == DEEPEST + 10 else 400), response.text[:500]
    if response.status_code == 201:
        fetched = researcher.http.get(f"/api/v1/data-collection/collections/{response.json()['id']}")
        assert fetched.json()["task_details"] == json.loads(details)


def test_concurrent_replacements_are_serialized(researcher: Researcher) -> None:
    created = researcher.collection(WHY)
    path = f"/collections/{created['id']}"

    def replace(number: int) -> JsonDict:
        updated: JsonDict = researcher.request("PUT", path, as_sent(created, name=f"N{number}"), 200)
        return updated

    def export(_number: int) -> str:
        return str(researcher.request("POST", f"{path}/export")["export_id"])

    with ThreadPoolExecutor(8) as people:
        answers = list(people.map(replace, range(16)))
        assert len(set(people.map(export, range(16)))) == 1
    assert sorted(response["name"] for response in answers) == sorted(f"N{n}" for n in range(16))
    assert researcher.request("GET", path) in answers
