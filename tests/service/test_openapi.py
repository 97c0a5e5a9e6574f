"""`GET /openapi.json` describes the API, all of it, and truly (design.md 6)."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from batchwright.service.app import API_ROUTES, LOCAL_ROUTES
from batchwright.service.host import Running
from tests.service.accounts import ANN, write_accounts
from tests.service.json_schema import faults, found
from tests.service.researcher import QUESTION, Answer, Researcher, page
from tests.service.routes import CALLS, filled
from tests.service.test_feature_access import body_of, own_things

NAMES = [f"{method} {path}" for method, path in CALLS]
LINES = "application/x-ndjson"
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
def document(running: Running) -> Answer:
    """The document as the service gives it."""
    answer = httpx.get(f"{running.url}/openapi.json", trust_env=False)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    given: Answer = answer.json()
    return given


@pytest.fixture(scope="module")
def owner(running: Running) -> Iterator[Researcher]:
    """Somebody who has one thing of each kind."""
    with closing(Researcher(running)) as someone:
        yield someone


@pytest.fixture(scope="module")
def things(owner: Researcher) -> dict[str, str]:
    """What the owner has, by the names of the paths; a V3 dataset and a legacy batch, too."""
    v3 = owner.ask("POST", "/datasets", {"name": "Old", "workspace_id": owner.workspace}, 201)["id"]
    return {**own_things(owner), "v3": v3, "legacy": str(owner.batch()["id"])}


def operation(document: Answer, method: str, path: str) -> Any:
    """What the document says of a call."""
    return document["paths"][re.sub(r":\w+}", "}", path)][method.lower()]


def is_true(document: Answer, method: str, path: str, answer: httpx.Response) -> bool:
    """Whether an answer is one that the document tells of."""
    told = operation(document, method, path)["responses"]
    assert str(answer.status_code) in told, (method, path, answer.status_code, answer.text)
    content = told[str(answer.status_code)].get("content")
    if content is None:
        assert answer.content == b""
        return True
    ((media, schema),) = content.items()
    assert answer.headers["content-type"] == media
    assert list(faults(schema["schema"], answer.json(), document)) == [], answer.text
    for name, header in told[str(answer.status_code)].get("headers", {}).items():
        assert answer.headers[name] == header["schema"]["const"]
    return True


def target(path: str, things: Mapping[str, str]) -> str:
    """Where a thing of the owner is."""
    known = {
        **things,
        "export_id": things["collection_export" if "{collection_id}" in path else "batch_export"],
    }
    if path.endswith("/instructions"):
        known["batch_id"] = things["legacy"]
    if path.endswith("/datasets/{dataset_id}/status"):
        known["dataset_id"] = things["v3"]
    query = "" if "_id}" in path else f"?workspace_id={things['workspace']}"
    return filled(path, known) + query


def headers_of(path: str) -> dict[str, str]:
    """What a body is sent as."""
    return {"Content-Type": LINES if path.endswith("/datapoints") else "application/json"}


def test_it_is_there_for_everybody_in_both_slash_forms(running: Running, document: Answer) -> None:
    again = httpx.get(f"{running.url}/openapi.json/", trust_env=False)
    assert again.json() == document
    assert document["openapi"].startswith("3.1")
    assert document["servers"] == [{"url": running.url}]
    assert httpx.post(f"{running.url}/openapi.json", trust_env=False).status_code == 405


def test_it_lists_the_calls_that_there_are_and_no_others(document: Answer) -> None:
    listed = {(method.upper(), path) for path, calls in document["paths"].items() for method in calls}
    assert listed == {(method, re.sub(r":\w+}", "}", path)) for method, path in CALLS}
    assert len(listed) == len([*API_ROUTES, *LOCAL_ROUTES])
    ids = [call["operationId"] for calls in document["paths"].values() for call in calls.values()]
    assert len(set(ids)) == len(ids)


def test_every_reference_leads_somewhere_and_every_path_names_its_parameters(document: Answer) -> None:
    references = set(re.findall(r"'\$ref': '([^']+)'", str(document)))
    assert references
    for reference in references:
        assert found(document, reference)
    for path, calls in document["paths"].items():
        for call in calls.values():
            named = [one["name"] for one in call["parameters"] if one["in"] == "path"]
            assert named == re.findall(r"{(\w+)}", path)
            assert call["summary"]


@pytest.mark.parametrize(("method", "path"), CALLS, ids=NAMES)
def test_what_goes_well_is_answered_as_described(
    document: Answer, owner: Researcher, things: dict[str, str], method: str, path: str
) -> None:
    body = body_of(method, path, things)
    if path.endswith("/participants"):
        body = {"email": f"good-{next(_number)}@example.org"}
    told = operation(document, method, path)
    if "requestBody" in told and body is not None and not path.endswith("/datapoints"):
        ((_media, content),) = told["requestBody"]["content"].items()
        assert list(faults(content["schema"], body, document)) == []
    if "setup" in path or "reset" in path or "export/" in path:
        things = own_things(owner) | {"legacy": things["legacy"], "v3": things["v3"]}
    answer = owner.http.request(method, target(path, things), json=body, headers=headers_of(path))
    assert answer.is_success, answer.text
    assert is_true(document, method, path, answer)


@pytest.mark.parametrize(("method", "path"), CALLS, ids=NAMES)
def test_what_is_refused_is_refused_as_described(
    document: Answer,
    owner: Researcher,
    things: dict[str, str],
    sign_in: Callable[..., Researcher],
    accounts: Path,
    method: str,
    path: str,
) -> None:
    write_accounts(accounts, [ANN], [{"id": "f" * 24, "features": []}])
    own = target(path, things)
    odd = filled(path, dict.fromkeys((*things, "export_id"), "%2F..%00ü%F0%9F%8D%B2"))
    for someone in (owner, sign_in(token="ann-1"), sign_in(token="nobody's")):
        answer = someone.http.request(method, odd, json={}, headers=headers_of(path))
        assert is_true(document, method, path, answer)
        if someone is owner and method == "GET":
            continue
        for body in BAD_BODIES:
            answer = someone.http.request(method, own, content=body, headers=headers_of(path))
            assert is_true(document, method, path, answer)
    for query in ("?limit=x", "?limit=-1&offset=9", "?workspace_id=", "?workspace_id=x"):
        answer = owner.http.request(method, own.partition("?")[0] + query, headers=headers_of(path))
        assert is_true(document, method, path, answer)


def test_a_refused_layout_is_described(document: Answer, owner: Researcher, things: dict[str, str]) -> None:
    asked = {"batch_items": [page({**QUESTION, "description": ""}, {"type": "dataset_field", "field": "x"})]}
    path = "/api/v1/data-collection/batches/{batch_id}"
    answer = owner.http.patch(filled(path, things), json=asked)
    assert answer.status_code == 422
    assert is_true(document, "PATCH", path, answer)
