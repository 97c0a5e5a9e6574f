"""Two researchers and features that are off (wire reference, sections 2.4 and 15)."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.service.independent_client.client import NOTHING, Client
from tests.service.independent_client.endpoints import PARTICIPANTS, USERS
from tests.service.independent_client.researcher import (
    DETAILS,
    PREFIX,
    SCHEMA,
    batch,
    dataset,
    exported,
    filled,
    page,
    set_up,
    sync,
    upload_address,
)
from tests.service.independent_client.serving import serving
from tests.service.independent_client.shapes import USER
from tests.service.independent_client.test_collections import create_collection

SIGNALS = "/api/v1/submissions/signals/upload-url/a.csv"
NDJSON = {"Content-Type": "application/x-ndjson"}
FEATURES = ["v4", "collections", "test_participants"]
ACCOUNTS = {
    "users": [
        {
            "id": "a" * 24,
            "email": "a@example.net",
            "first_name": "Anna",
            "last_name": "Arendt",
            "tokens": ["token-a", "token-a2"],
            "workspaces": ["1" * 24],
        },
        {"id": "b" * 24, "email": "b@example.net", "tokens": ["token-b"], "workspaces": ["2" * 24]},
        {"id": "c" * 24, "email": "c@example.net", "tokens": ["token-c"], "workspaces": ["3" * 24]},
    ],
    "workspaces": [
        {"id": "1" * 24, "features": FEATURES},
        {"id": "2" * 24, "features": FEATURES},
        {"id": "3" * 24, "features": []},
    ],
}


@pytest.fixture(scope="module")
def researchers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Client]]:
    """Anna and Bea with all features in a workspace each, and Cleo with none."""
    folder = tmp_path_factory.mktemp("accounts")
    (folder / "accounts.json").write_text(json.dumps(ACCOUNTS), "utf-8")
    with serving(folder) as client:
        yield {
            name: replace(client, token=f"token-{name}", workspace=number * 24)
            for name, number in zip("abc", "123", strict=True)
        }


def test_each_token_has_its_owner(researchers: dict[str, Client]) -> None:
    for name, client in researchers.items():
        user = client.expect(200, "GET", USERS)
        assert (user["id"], user["email"]) == (name * 24, f"{name}@example.net")
        assert USER(user)
        names = ("Anna", "Arendt", "Anna Arendt") if name == "a" else (name, "", name)
        assert (user["first_name"], user["last_name"], user["name"]) == names
    second = replace(researchers["a"], token="token-a2")
    assert second.expect(200, "GET", USERS)["id"] == "a" * 24
    replace(researchers["a"], token="token-d").expect(401, "GET", USERS)


def test_resources_of_another_workspace_are_inaccessible(researchers: dict[str, Client]) -> None:
    anna, bea = researchers["a"], researchers["b"]
    data = filled(anna, {"prompt": "a"})
    legacy = dataset(anna)
    upload = upload_address(anna, data, "b.csv")
    created = batch(anna, [page({"type": "free_text", "description": "Say"})], data)
    set_up(anna, created["id"])
    synced = sync(anna, created["id"])
    collection = create_collection(anna)
    job = anna.expect(202, "POST", f"{PREFIX}/collections/{collection['id']}/export")
    exported(anna, f"batches/{created['id']}")
    own = f"{PREFIX}/datasets/{data['id']}"
    its = f"{PREFIX}/batches/{created['id']}"
    survey = f"{PREFIX}/collections/{collection['id']}"
    requests: list[tuple[int, str, str, Any]] = [
        (404, "GET", own, NOTHING),
        (403, "PATCH", own, {"schema": SCHEMA}),
        (403, "GET", f"{own}/upload-url/a.csv", NOTHING),
        (404, "GET", f"{own}/imports/{upload['import_id']}", NOTHING),
        (404, "GET", f"{PREFIX}/datasets/{legacy['id']}", NOTHING),
        (404, "GET", f"{PREFIX}/datasets/{legacy['id']}/status", NOTHING),
        *(
            (400, "GET", f"{its}{rest}", NOTHING)
            for rest in ("", "/status", "/responses", "/report/", "/instructions")
        ),
        *((400, "POST", f"{its}{rest}", {}) for rest in ("/setup", "/sync", "/duplicate", "/instructions")),
        (400, "PATCH", its, {"name": "mine"}),
        (404, "GET", f"{its}/syncs/{synced['sync_id']}", NOTHING),
        (403, "POST", f"{its}/export", NOTHING),
        (400, "GET", survey, NOTHING),
        (400, "GET", f"{survey}/responses", NOTHING),
        (400, "PUT", survey, {"name": "x", "task_details": DETAILS, "collection_items": []}),
        (403, "POST", f"{survey}/export", NOTHING),
        (404, "GET", f"{survey}/export/{job['export_id']}", NOTHING),
    ]
    for status, method, path, body in requests:
        bea.expect(status, method, path, body)
    bea.expect(403, "POST", f"{own}/datapoints", b'{"prompt": "b"}', NDJSON)
    assert anna.expect(200, "GET", its)["name"] == "Wave 1"
    attach = {"name": "x", "workspace_id": bea.workspace, "task_details": DETAILS, "dataset_id": data["id"]}
    bea.expect(400, "POST", f"{PREFIX}/batches", attach)


def test_another_workspace_can_be_neither_listed_nor_filled(researchers: dict[str, Client]) -> None:
    bea, foreign = researchers["b"], researchers["a"].workspace
    for path in (f"{PREFIX}/batches", f"{PREFIX}/collections", SIGNALS):
        bea.expect(403, "GET", f"{path}?workspace_id={foreign}")
    body: dict[str, Any] = {"name": "x", "workspace_id": foreign, "task_details": DETAILS}
    bea.expect(403, "POST", f"{PREFIX}/batches", body)
    bea.expect(403, "POST", f"{PREFIX}/datasets", body)
    bea.expect(403, "POST", f"{PREFIX}/datasets", {**body, "schema": SCHEMA})
    items = [{"page_items": [{"type": "free_text", "description": "x", "order": 0}]}]
    bea.expect(403, "POST", f"{PREFIX}/collections", {**body, "collection_items": items})
    for mine in (f"{PREFIX}/batches", f"{PREFIX}/collections"):
        assert bea.expect(200, "GET", f"{mine}?workspace_id={bea.workspace}")["results"] == []


def test_a_feature_that_is_off_is_named(researchers: dict[str, Client]) -> None:
    cleo = researchers["c"]
    body: dict[str, Any] = {"name": "x", "workspace_id": cleo.workspace, "task_details": DETAILS}
    items = [{"page_items": [{"type": "free_text", "description": "x", "order": 0}]}]
    for path, sent in (
        (f"{PREFIX}/datasets", {**body, "schema": SCHEMA}),
        (f"{PREFIX}/datasets", {**body, "schema": None}),
        (f"{PREFIX}/collections", {**body, "collection_items": items}),
        (PARTICIPANTS, {"email": "x@example.net"}),
    ):
        detail = cleo.expect(404, "POST", path, sent)
        assert "permission" in detail
        assert "feature" in detail
    assert "feature" in cleo.expect(404, "GET", f"{PREFIX}/collections?workspace_id={cleo.workspace}")
    dataset(cleo)
    batch(cleo)


def test_a_new_account_is_valid_immediately(researchers: dict[str, Client], tmp_path: Any) -> None:
    (tmp_path / "accounts.json").write_text(json.dumps(ACCOUNTS), "utf-8")
    with serving(tmp_path) as client:
        late = replace(client, token="token-late")
        late.expect(401, "GET", USERS)
        users = [{"id": "d" * 24, "email": "d@example.net", "tokens": ["token-late"], "workspaces": []}]
        (tmp_path / "accounts.json").write_text(json.dumps({**ACCOUNTS, "users": users}), "utf-8")
        assert late.expect(200, "GET", USERS)["email"] == "d@example.net"
        replace(client, token="token-a").expect(401, "GET", USERS)
