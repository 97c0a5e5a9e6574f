"""`GET /openapi.json` describes the whole API correctly."""

import re
from collections.abc import Callable
from itertools import count
from pathlib import Path

import httpx
import pytest

from batchwright.base.limits import LARGEST_BODY, LONGEST_RICH_TEXT, MAX_ITEMS, MAX_VALUES
from batchwright.service.process import ServiceAddress
from batchwright.service.server.routes import API_ROUTES
from tests.service.accounts import ANN, write_accounts
from tests.service.api_helpers import QUESTION, JsonDict, Researcher, page
from tests.service.json_schema import errors, resolve
from tests.service.openapi_checks import headers_of, matches_document, operation, target
from tests.service.routes import CALLS, fill_path
from tests.service.test_feature_access import (
    body_of,
    owned_resources,
    restored_backup,
    saved_backup,
    uploaded_backup,
    wait_until_restored,
)

NAMES = [f"{method} {path}" for method, path in CALLS]
BAD_BODIES: list[bytes] = [
    b"",
    b"{",
    b"\xff",
    b"[" * 100_000,
    b"null",
    b"[]",
    b"{}",
    b'"text"',
    b'{"name": 5, "schema": [], "email": {}, "instructions": "x", "page": -1}',
    b'{"name": "\\ud800", "workspace_id": "x", "task_details": {}, "batch_items": {}}',
]

_number = count()


@pytest.fixture(scope="module")
def resource_ids(owner: Researcher) -> dict[str, str]:
    """The resources of the owner by parameter name, including a V3 dataset and a legacy batch."""
    v3 = owner.request("POST", "/datasets", {"name": "Old", "workspace_id": owner.workspace}, 201)["id"]
    return {**owned_resources(owner), "v3": v3, "legacy": str(owner.batch()["id"])}


def test_it_is_public_with_and_without_a_trailing_slash(running: ServiceAddress, document: JsonDict) -> None:
    again = httpx.get(f"{running.url}/openapi.json/", trust_env=False)
    assert again.json() == document
    assert document["openapi"].startswith("3.1")
    assert document["servers"] == [{"url": running.url}]
    assert httpx.post(f"{running.url}/openapi.json", trust_env=False).status_code == 405


def test_it_lists_exactly_the_existing_calls(document: JsonDict) -> None:
    listed = {(method.upper(), path) for path, calls in document["paths"].items() for method in calls}
    assert listed == {(method, re.sub(r":\w+}", "}", path)) for method, path in CALLS}
    assert len(listed) == len(API_ROUTES)
    ids = [call["operationId"] for calls in document["paths"].values() for call in calls.values()]
    assert len(set(ids)) == len(ids)


SPECIFIED = """
GET /api/v1/users/me 200
POST /api/v1/researchers/participants 201
GET /api/v1/data-collection/batches 200
POST /api/v1/data-collection/batches 201
GET /api/v1/data-collection/batches/{batch_id} 200
PATCH /api/v1/data-collection/batches/{batch_id} 200
GET /api/v1/data-collection/batches/{batch_id}/status 200
POST /api/v1/data-collection/batches/{batch_id}/setup 202
POST /api/v1/data-collection/batches/{batch_id}/sync 202
GET /api/v1/data-collection/batches/{batch_id}/syncs/{sync_id} 200
GET /api/v1/data-collection/batches/{batch_id}/responses 200
GET /api/v1/data-collection/batches/{batch_id}/report 200
POST /api/v1/data-collection/batches/{batch_id}/export 200 202
GET /api/v1/data-collection/batches/{batch_id}/export/{export_id} 200
POST /api/v1/data-collection/batches/{batch_id}/duplicate 201
GET /api/v1/data-collection/batches/{batch_id}/tasks 200
GET /api/v1/data-collection/batches/{batch_id}/task-groups 200
POST /api/v1/data-collection/datasets 201
GET /api/v1/data-collection/datasets/{dataset_id} 200
PATCH /api/v1/data-collection/datasets/{dataset_id} 200
GET /api/v1/data-collection/datasets/{dataset_id}/status 200
GET /api/v1/data-collection/datasets/{dataset_id}/upload-url/{filename} 201
GET /api/v1/data-collection/datasets/{dataset_id}/imports/{import_id} 200
POST /api/v1/data-collection/datasets/{dataset_id}/datapoints 200
GET /api/v1/data-collection/datasets/{dataset_id}/schema-migrations/{job_id} 200
GET /api/v1/data-collection/batches/{batch_id}/instructions 200
POST /api/v1/data-collection/batches/{batch_id}/instructions 201
PUT /api/v1/data-collection/batches/{batch_id}/instructions 200
GET /api/v1/data-collection/collections 200
POST /api/v1/data-collection/collections 201
GET /api/v1/data-collection/collections/{collection_id} 200
PUT /api/v1/data-collection/collections/{collection_id} 200
GET /api/v1/data-collection/collections/{collection_id}/responses 200
POST /api/v1/data-collection/collections/{collection_id}/export 200 202
GET /api/v1/data-collection/collections/{collection_id}/export/{export_id} 200
GET /api/v1/submissions/signals/upload-url/{filename} 201
"""
"""The endpoints of the specification and of section 12 of the wire reference, each with its success status.
"""


@pytest.mark.spec("H-01", "H-04")
def test_it_is_version_1_0_0_and_describes_every_endpoint_of_the_specification(document: JsonDict) -> None:
    assert document["info"]["version"] == "1.0.0"
    responses = {
        " ".join([method.upper(), path, *sorted(code for code in call["responses"] if code < "300")])
        for path, calls in document["paths"].items()
        for method, call in calls.items()
        if not path.startswith("/local/v1/")
    }
    assert responses == set(SPECIFIED.split("\n")) - {""}


@pytest.mark.spec("H-06")
@pytest.mark.parametrize(("method", "path"), CALLS, ids=NAMES)
def test_only_instructions_are_deprecated(
    document: JsonDict, owner: Researcher, resource_ids: dict[str, str], method: str, path: str
) -> None:
    is_deprecated = path.endswith("/instructions")
    assert operation(document, method, path).get("deprecated", False) == is_deprecated
    for url in (
        fill_path(path, dict.fromkeys((*resource_ids, "export_id"), "unknown")),
        target(path, resource_ids),
    ):
        headers = owner.http.request(method, url, content=b"{", headers=headers_of(path)).headers
        assert ("deprecation" in headers, "sunset" in headers) == (is_deprecated, is_deprecated)


def test_every_reference_resolves_and_every_path_declares_its_parameters(document: JsonDict) -> None:
    references = set(re.findall(r"'\$ref': '([^']+)'", str(document)))
    assert references
    for reference in references:
        assert resolve(document, reference)
    for path, calls in document["paths"].items():
        for call in calls.values():
            named = [parameter["name"] for parameter in call["parameters"] if parameter["in"] == "path"]
            assert named == re.findall(r"{(\w+)}", path)
            assert call["summary"]


@pytest.mark.parametrize(("method", "path"), CALLS, ids=NAMES)
def test_successful_calls_get_documented_responses(
    document: JsonDict, owner: Researcher, resource_ids: dict[str, str], method: str, path: str
) -> None:
    body = body_of(method, path, resource_ids)
    if path.endswith("/participants"):
        body = {"email": f"good-{next(_number)}@example.org"}
    responses = operation(document, method, path)
    if "requestBody" in responses and body is not None and not path.endswith("/datapoints"):
        ((_media, content),) = responses["requestBody"]["content"].items()
        assert list(errors(content["schema"], body, document)) == []
    if any(part in path for part in ("setup", "reset", "export/")):
        resource_ids = owned_resources(owner) | {"legacy": resource_ids["legacy"], "v3": resource_ids["v3"]}
    if "restore_id" in path:
        backup = restored_backup if method == "GET" else uploaded_backup
        resource_ids = {**resource_ids, "restore_id": backup(owner)}
    if "backup_id" in path:
        resource_ids = {**resource_ids, "backup_id": saved_backup(owner)}
    response = owner.http.request(method, target(path, resource_ids), json=body, headers=headers_of(path))
    if (method, "restore_id" in path) == ("POST", True):
        wait_until_restored(owner, resource_ids["restore_id"])
        owner.filled_dataset(1)  # the worker is running again
    assert response.is_success, response.text
    assert matches_document(document, method, path, response)


@pytest.mark.parametrize(("method", "path"), CALLS, ids=NAMES)
def test_error_responses_are_documented(
    document: JsonDict,
    owner: Researcher,
    resource_ids: dict[str, str],
    sign_in: Callable[..., Researcher],
    accounts: Path,
    method: str,
    path: str,
) -> None:
    write_accounts(accounts, [ANN], [{"id": "f" * 24, "features": []}])
    own = target(path, resource_ids)
    odd = fill_path(path, dict.fromkeys((*resource_ids, "export_id"), "%2F..%00ü%F0%9F%8D%B2"))
    for researcher in (owner, sign_in(token="ann-1"), sign_in(token="nobody's")):
        response = researcher.http.request(method, odd, json={}, headers=headers_of(path))
        assert matches_document(document, method, path, response)
        if researcher is owner and method == "GET":
            continue
        for body in BAD_BODIES:
            response = researcher.http.request(method, own, content=body, headers=headers_of(path))
            assert matches_document(document, method, path, response)
    for query in ("?limit=x", "?limit=-1&offset=9", "?workspace_id=", "?workspace_id=x"):
        response = owner.http.request(method, own.partition("?")[0] + query, headers=headers_of(path))
        assert matches_document(document, method, path, response)


def test_the_error_of_a_layout_is_documented(
    document: JsonDict, owner: Researcher, resource_ids: dict[str, str]
) -> None:
    body = {"batch_items": [page({**QUESTION, "description": ""}, {"type": "dataset_field", "field": "x"})]}
    path = "/api/v1/data-collection/batches/{batch_id}"
    response = owner.http.patch(fill_path(path, resource_ids), json=body)
    assert response.status_code == 422
    assert matches_document(document, "PATCH", path, response)


def test_the_document_names_the_limits(document: JsonDict) -> None:
    description = document["info"]["description"]
    assert all(
        str(limit) in description for limit in (LARGEST_BODY, MAX_ITEMS, MAX_VALUES, LONGEST_RICH_TEXT)
    )
