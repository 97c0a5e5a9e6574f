"""Invalid request bodies are rejected with 400 (wire reference, section 2)."""

import pytest

from batchwright.base.limits import LARGEST_BODY
from tests.service.api_helpers import TASK_DETAILS, Researcher

BATCHES = "/api/v1/data-collection/batches"


@pytest.mark.spec("E-01", "E-02", "H-03")
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"text"',
        b'{"name": NaN}',
        b'{"name": "\xff"}',
        b"\xff\xfe{\x00}\x00",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"name": ' + b"9" * 10_000 + b"}",
        b'{"name": "\\ud800", "workspace_id": "w"}',
    ],
    ids=lambda body: repr(body[:12]),
)
@pytest.mark.parametrize("path", [BATCHES, "/api/v1/data-collection/datasets", "/local/v1/previews"])
def test_a_body_that_is_not_the_expected_json_gets_a_400(
    researcher: Researcher, path: str, body: bytes
) -> None:
    response = researcher.http.post(path, content=body, headers={"Content-Type": "application/json"})
    assert response.status_code == 400
    error = response.json()["error"]
    assert (error["status"], error["error_code"], error["title"]) == (400, 400, "Bad Request")
    assert error["detail"]


def test_a_lone_surrogate_in_a_name_gets_a_400(researcher: Researcher) -> None:
    body = f'{{"name": "\\ud800", "workspace_id": "{researcher.workspace}", "schema": null}}'
    response = researcher.http.post("/api/v1/data-collection/datasets", content=body)
    assert response.status_code == 400
    assert response.json()["error"]["detail"].keys() == {"name"}


def test_a_huge_body_gets_a_413(researcher: Researcher) -> None:
    response = researcher.http.post(BATCHES, content=b" " * (LARGEST_BODY + 1))
    assert response.status_code == 413
    assert str(LARGEST_BODY) in response.json()["error"]["detail"]


@pytest.mark.spec("B-06")
@pytest.mark.parametrize(
    "invalid",
    [
        {"name": 5},
        {"workspace_id": None},
        {"task_details": "text"},
        {"task_details": {"task_name": "N"}},
        {"task_details": {**TASK_DETAILS, "task_steps": 1}},
        {"dataset_id": "no-uuid"},
        {"dataset_id": 7},
        {"auto_sync_enabled": "yes"},
        {"batch_items": "[]"},
        {"batch_items": {}},
    ],
    ids=repr,
)
def test_a_field_of_another_type_is_named_in_the_400(
    researcher: Researcher, invalid: dict[str, object]
) -> None:
    rejected = researcher.batch(status=400, **invalid)
    assert rejected["error"]["detail"].keys() == invalid.keys()


@pytest.mark.spec("B-04")
@pytest.mark.parametrize("field", ["name", "workspace_id", "task_details"])
def test_a_batch_needs_its_required_fields(researcher: Researcher, field: str) -> None:
    body = {"name": "N", "workspace_id": researcher.workspace, "task_details": TASK_DETAILS}
    del body[field]
    rejected = researcher.request("POST", "/batches", body, 400)
    assert rejected["error"]["detail"].keys() == {field}


def test_unknown_keys_are_ignored_with_any_value(researcher: Researcher) -> None:
    details = '{"task_name": "a", "task_introduction": "\\udc00", "task_steps": "c", "extra": "\\ud800"}'
    body = (
        f'{{"name": "N", "more": [1], "workspace_id": "{researcher.workspace}", "task_details": {details}}}'
    )
    created = researcher.http.post(BATCHES, content=body)
    assert created.status_code == 201
    assert researcher.get_batch(created.json()["id"])["task_details"]["task_name"] == "a"


@pytest.mark.parametrize(
    "path", ["/api/v1/users/me", BATCHES, "/nowhere", "/openapi.json", "/storage/exports/x/y"]
)
def test_no_response_is_cached_or_interpreted_as_another_type(researcher: Researcher, path: str) -> None:
    headers = researcher.http.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
