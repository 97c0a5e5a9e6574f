"""Checks responses of the service against its own OpenAPI document (`GET /openapi.json`)."""

import re
from collections.abc import Mapping
from typing import Any

import httpx

from batchwright.service.process import ServiceAddress
from tests.service.api_helpers import JsonDict
from tests.service.json_schema import errors
from tests.service.routes import fill_path

LINES = "application/x-ndjson"


def document_of(running: ServiceAddress) -> JsonDict:
    """The OpenAPI document as the service returns it."""
    response = httpx.get(f"{running.url}/openapi.json", trust_env=False)
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    document: JsonDict = response.json()
    return document


def operation(document: JsonDict, method: str, path: str) -> Any:
    """The description of an operation in the document."""
    return document["paths"][re.sub(r":\w+}", "}", path)][method.lower()]


def matches_document(document: JsonDict, method: str, path: str, response: httpx.Response) -> bool:
    """Whether a response matches the description of its operation."""
    responses = operation(document, method, path)["responses"]
    assert str(response.status_code) in responses, (method, path, response.status_code, response.text)
    content = responses[str(response.status_code)].get("content")
    if content is None:
        assert response.content == b""
        return True
    ((media, schema),) = content.items()
    assert response.headers["content-type"] == media
    assert list(errors(schema["schema"], response.json(), document)) == [], response.text
    for name, header in responses[str(response.status_code)].get("headers", {}).items():
        assert response.headers[name] == header["schema"]["const"]
    return True


def target(path: str, resource_ids: Mapping[str, str]) -> str:
    """The URL of a resource of the owner."""
    ids = {
        **resource_ids,
        "export_id": resource_ids["collection_export" if "{collection_id}" in path else "batch_export"],
    }
    if path.endswith("/instructions"):
        ids["batch_id"] = resource_ids["legacy"]
    if path.endswith("/datasets/{dataset_id}/status"):
        ids["dataset_id"] = resource_ids["v3"]
    query = "" if "_id}" in path else f"?workspace_id={resource_ids['workspace']}"
    return fill_path(path, ids) + query


def headers_of(path: str) -> dict[str, str]:
    """The content type of a request body."""
    return {"Content-Type": LINES if path.endswith("/datapoints") else "application/json"}
