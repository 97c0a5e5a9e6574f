"""Errors of collection requests (wire reference, sections 2.4 and 10.2)."""

import json
from pathlib import Path
from typing import Any

import pytest

from batchwright.base.limits import MAX_ITEMS
from tests.service.accounts import write_accounts
from tests.service.api_helpers import TASK_DETAILS, JsonDict, Researcher
from tests.service.collections_helpers import (
    CHOICE,
    FILE,
    HER,
    PICTURE,
    SURVEYS,
    TEXT,
    UNIT,
    UNKNOWN,
    WHY,
    as_sent,
    items_of,
)


@pytest.mark.spec("C-07", "C-04")
@pytest.mark.parametrize("method", ["POST", "PUT"])
@pytest.mark.parametrize("omitted", ["name", "task_details", "collection_items"])
def test_every_field_is_required(researcher: Researcher, method: str, omitted: str) -> None:
    created = researcher.collection(WHY)
    path = "/collections" if method == "POST" else f"/collections/{created['id']}"
    body = {name: value for name, value in created.items() if name != omitted}
    rejected = researcher.request(method, path, body, 400)
    assert rejected["error"]["detail"] == {omitted: ["This field is required."]}
    assert rejected["error"]["title"] == "Bad Request"
    assert researcher.request("GET", f"/collections/{created['id']}") == created


@pytest.mark.spec("C-04")
def test_a_new_collection_needs_its_workspace_and_an_update_does_not(researcher: Researcher) -> None:
    body = {"name": "N", "task_details": TASK_DETAILS, "collection_items": [{"page_items": [WHY]}]}
    assert researcher.request("POST", "/collections", body, 400)["error"]["detail"].keys() == {"workspace_id"}
    created = researcher.collection(WHY)
    researcher.request("PUT", f"/collections/{created['id']}", body, 200)


def test_an_error_of_all_pages_together_names_no_page(researcher: Researcher) -> None:
    items = [{"page_items": [WHY] * (MAX_ITEMS + 1)}]
    body = {"name": "N", "task_details": TASK_DETAILS, "collection_items": items}
    created = researcher.collection(WHY)
    rejected = researcher.request("PUT", f"/collections/{created['id']}", body, 400)
    (sentence,) = rejected["error"]["detail"]["collection_items"]
    assert sentence.startswith("The layout has 10001 items")


INVALID_PAGES: list[Any] = [
    None,
    {},
    "page",
    [],
    [5],
    [[]],
    [{}],
    [{"page_items": []}],
    [{"page_items": {}}],
    [{"page_items": None}],
    [{"page_items": [None]}],
    [{"page_items": ["free_text"]}],
    [{"page_items": [{}]}],
    [{"page_items": [{"type": 5}]}],
    [{"page_items": [WHY], "id": 5}],
    [{"page_items": [WHY], "id": UNKNOWN}],
    [{"page_items": [WHY], "id": ""}],
    [{"page_items": [WHY], "order": "1"}],
    [{"page_items": [WHY], "order": None}],
    [{"page_items": [WHY], "order": 1.0}],
    [{"page_items": [WHY], "order": True}],
    [{"page_items": [{**WHY, "id": UNKNOWN}]}],
    [{"page_items": [{**WHY, "id": 7}]}],
    [{"page_items": [{"type": "free_text", "description": "Why?"}]}],
    [{"page_items": [{**WHY, "order": None}]}],
    [{"page_items": [{**WHY, "order": "0"}]}],
    [{"page_items": [{"type": "free_text", "order": 0}]}],
    [{"page_items": [{**WHY, "description": ""}]}],
    [{"page_items": [{**CHOICE, "answer_limit": 3}]}],
    [{"page_items": [{**CHOICE, "options": []}]}],
    [{"page_items": [{**FILE, "min_file_count": 3, "max_file_count": 2}]}],
    [{"page_items": [{**UNIT, "default_unit": "h"}]}],
    [{"page_items": [{"type": "rich_text"}]}],
    [{"page_items": [{"type": "rich_text", "content": 5}]}],
    [{"page_items": [{**TEXT, "content_format": "docx"}]}],
    [{"page_items": [{**PICTURE, "url": "http://img.example.net/1.png"}]}],
    [{"page_items": [{"type": "image", "url": PICTURE["url"]}]}],
    [{"page_items": [{"type": "dataset_field", "field": "prompt"}]}],
]


@pytest.mark.spec("C-04", "C-07")
@pytest.mark.parametrize("pages", INVALID_PAGES, ids=lambda pages: json.dumps(pages)[:60])
def test_invalid_pages_are_rejected_with_400(researcher: Researcher, pages: Any) -> None:
    rejected = researcher.collection(status=400, collection_items=pages)
    assert rejected["error"]["status"] == 400
    assert rejected["error"]["detail"].keys() == {"collection_items"}
    created = researcher.collection(WHY)
    rejected = researcher.request(
        "PUT", f"/collections/{created['id']}", as_sent(created, collection_items=pages), 400
    )
    assert rejected["error"]["detail"].keys() == {"collection_items"}
    assert researcher.request("GET", f"/collections/{created['id']}") == created


def test_an_error_names_every_invalid_item_with_its_position(researcher: Researcher) -> None:
    invalid = {**CHOICE, "answer_limit": 3}
    field = {"type": "dataset_field", "field": "prompt"}
    pages = [{"page_items": [TEXT, invalid]}, {"page_items": [field]}]
    messages = researcher.collection(status=400, collection_items=pages)["error"]["detail"][
        "collection_items"
    ]
    assert [message.partition(":")[0] for message in messages] == ["page 1, item 2", "page 2, item 1"]
    assert "has no dataset" in messages[1]


def test_foreign_and_duplicate_ids_are_rejected(researcher: Researcher) -> None:
    created, second = researcher.collection(WHY, CHOICE), researcher.collection(WHY)
    path = f"/collections/{created['id']}"
    for foreign in (items_of(second)[0]["id"], second["collection_items"][0]["id"], created["id"]):
        researcher.request(
            "PUT", path, as_sent(created, collection_items=[{"page_items": [{**WHY, "id": foreign}]}]), 400
        )
    twice = as_sent(created)
    items_of(twice)[1]["id"] = items_of(twice)[0]["id"]
    researcher.request("PUT", path, twice, 400)
    assert researcher.request("GET", path) == created


@pytest.mark.parametrize(
    "invalid",
    [
        {"name": 5},
        {"name": None},
        {"name": "half \ud800"},
        {"workspace_id": 5},
        {"task_details": None},
        {"task_details": {"task_name": "only"}},
        {"task_details": {**TASK_DETAILS, "task_steps": 5}},
    ],
    ids=repr,
)
def test_other_fields_of_a_wrong_type_are_rejected(researcher: Researcher, invalid: JsonDict) -> None:
    body = {
        "name": "N",
        "workspace_id": researcher.workspace,
        "task_details": TASK_DETAILS,
        "collection_items": [{"page_items": [WHY]}],
        **invalid,
    }
    response = researcher.http.post("/api/v1/data-collection/collections", content=json.dumps(body))
    assert response.status_code == 400, response.text
    assert response.json()["error"]["detail"].keys() == invalid.keys()


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000, b'{"name": NaN}'],
    ids=lambda body: repr(body[:9]),
)
def test_invalid_collection_bodies_are_rejected(researcher: Researcher, body: bytes) -> None:
    created = researcher.collection(WHY)
    for method, path in (("POST", "/collections"), ("PUT", f"/collections/{created['id']}")):
        response = researcher.http.request(method, f"/api/v1/data-collection{path}", content=body)
        assert response.status_code == 400, response.text


@pytest.mark.spec("C-12", "C-19")
@pytest.mark.parametrize("unknown", [UNKNOWN, "x", "..", "%00", "é"])
def test_unknown_collections_are_rejected(researcher: Researcher, unknown: str) -> None:
    body = as_sent(researcher.collection(WHY))
    if unknown != "..":
        assert researcher.status_of("GET", f"/collections/{unknown}") == 400
        assert researcher.status_of("PUT", f"/collections/{unknown}", body) == 400
    if unknown == UNKNOWN:
        rejected = researcher.request("GET", f"/collections/{unknown}/responses", status=400)
        assert rejected["error"]["detail"] == "Collection not found."
        assert researcher.status_of("POST", f"/collections/{unknown}/export") == 404
        assert researcher.status_of("GET", f"/collections/{unknown}/export/{unknown}") == 404


def test_batches_and_collections_are_not_interchangeable(researcher: Researcher) -> None:
    collection, batch = researcher.collection(WHY)["id"], researcher.batch()["id"]
    assert researcher.status_of("GET", f"/collections/{batch}") == 400
    assert researcher.status_of("POST", f"/collections/{batch}/export") == 404
    for method, path, status in (
        ("GET", "", 400),
        ("PATCH", "", 400),
        ("GET", "/status", 400),
        ("GET", "/responses", 400),
        ("GET", "/report", 400),
        ("POST", "/duplicate", 400),
        ("POST", "/export", 404),
    ):
        assert researcher.status_of(method, f"/batches/{collection}{path}", _body(method)) == status, path
    setup = {"dataset_id": researcher.dataset()["id"]}
    assert researcher.status_of("POST", f"/batches/{collection}/setup", setup) == 400
    for method, what in (("GET", "progress"), ("GET", "participation"), ("POST", "reset")):
        assert researcher.status_of(method, f"/local/v1/batches/{collection}/{what}") == 400


def _body(method: str) -> JsonDict | None:
    return None if method == "GET" else {}


def test_wrong_methods_are_rejected(researcher: Researcher) -> None:
    created = researcher.collection(WHY)["id"]
    for method, path in (("PATCH", created), ("DELETE", created), ("POST", f"{created}/responses")):
        assert (
            researcher.http.request(method, f"/api/v1/data-collection/collections/{path}").status_code == 405
        )


@pytest.mark.spec("C-17")
def test_collections_of_others_are_as_unknown_and_their_export_forbidden(
    researcher: Researcher, surveyor: Researcher
) -> None:
    created = researcher.collection(WHY)
    path = f"/collections/{created['id']}"
    assert surveyor.status_of("GET", path) == 400
    assert surveyor.status_of("PUT", path, as_sent(created)) == 400
    assert surveyor.status_of("GET", f"{path}/responses") == 400
    assert surveyor.status_of("POST", f"{path}/export") == 403
    researcher.exported(created["id"], "collections")
    export = researcher.request("POST", f"{path}/export", status=200)["export_id"]
    assert surveyor.status_of("GET", f"{path}/export/{export}") == 404
    assert surveyor.status_of("GET", f"/local/v1{path}/participation") == 400
    assert surveyor.status_of("POST", f"/local/v1{path}/reset") == 400
    assert surveyor.status_of("GET", f"/collections?workspace_id={researcher.workspace}") == 403
    assert (
        surveyor.status_of("POST", "/collections", {**created, "collection_items": [{"page_items": [WHY]}]})
        == 403
    )
    assert researcher.request("GET", path) == created


def test_where_collections_are_off_every_call_names_permission_and_feature(
    surveyor: Researcher, accounts: Path
) -> None:
    created = surveyor.collection(WHY)
    surveyor.exported(created["id"], "collections")
    path = f"/collections/{created['id']}"
    export = surveyor.request("POST", f"{path}/export", status=200)["export_id"]
    write_accounts(accounts, [HER], [{"id": SURVEYS, "features": ["v4", "test_participants"]}])
    for method, method_and_path, body in (
        ("POST", "/collections", {**created, "collection_items": [{"page_items": [WHY]}]}),
        ("GET", f"/collections?workspace_id={surveyor.workspace}", None),
        ("GET", path, None),
        ("PUT", path, as_sent(created)),
        ("GET", f"{path}/responses", None),
        ("POST", f"{path}/export", None),
        ("GET", f"{path}/export/{export}", None),
    ):
        detail = surveyor.request(method, method_and_path, body, 404)["error"]["detail"]
        assert "permission" in detail
        assert "feature" in detail
    write_accounts(accounts, [HER], [])
    assert surveyor.request("GET", path, status=200) == created
