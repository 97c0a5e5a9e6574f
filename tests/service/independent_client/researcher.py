"""API calls of a researcher; every response is compared with its table."""

import json
import time
from collections.abc import Callable
from typing import Any

from tests.service.independent_client.batch_shapes import BATCH, EXPORTS, NEW_BATCH, SYNCS
from tests.service.independent_client.client import NOTHING, Client
from tests.service.independent_client.shapes import (
    IMPORT_ADDRESS,
    MIGRATIONS,
    UPLOAD_ADDRESS,
    V3_DATASET,
    V4_DATASET,
    import_job,
)

PREFIX = "/api/v1/data-collection"
DETAILS = {
    "task_name": "Rate the kitchen answer",
    "task_introduction": "<p>You will read one answer at a time.</p>",
    "task_steps": "<ol><li>Read the answer</li><li>Fill in every question</li></ol>",
}
SCHEMA: dict[str, Any] = {
    "strict": False,
    "fields": {
        "prompt": {"type": "text", "label": "Prompt"},
        "photo": {"type": "image_url"},
        "source": {"type": "metadata"},
    },
}
Record = dict[str, Any]


def poll(fetch: Callable[[], Any], is_done: Callable[[Any], bool]) -> Any:
    """Poll until the result satisfies `is_done`."""
    for _ in range(600):
        result = fetch()
        if is_done(result):
            return result
        time.sleep(0.05)
    raise AssertionError(f"still {result} after 30 seconds")


def page(*items: Any, **keys: Any) -> Record:
    return {"rows": [{"columns": [{"items": list(items)}]}], **keys}


def jsonl(*records: Record) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def nothing_unfinished(job: Record) -> bool:
    return job["status"] not in ("uninitialised", "queued", "processing", "generating")


def dataset(client: Client, schema: Any = NOTHING, name: str = "Answers") -> Record:
    body = {"name": name, "workspace_id": client.workspace}
    created: Record = client.expect(
        201, "POST", f"{PREFIX}/datasets", body if schema is NOTHING else {**body, "schema": schema}
    )
    assert (V3_DATASET if schema is NOTHING else V4_DATASET)(created)
    assert created["name"] == name
    assert created["workspace_id"] == client.workspace
    return created


def upload_address(client: Client, data: Record, filename: str) -> Record:
    address: Record = client.expect(201, "GET", f"{PREFIX}/datasets/{data['id']}/upload-url/{filename}")
    assert (IMPORT_ADDRESS if "schema" in data else UPLOAD_ADDRESS)(address)
    assert address["dataset_id"] == data["id"]
    return address


def send(client: Client, address: Record, body: bytes) -> None:
    headers = {"Content-Type": address["content_type"]}
    response = client.store(address["upload_url"], address["http_method"], body, headers)
    assert (response.status, response.body) == (200, b"")


def upload(client: Client, data: Record, filename: str, body: bytes) -> Record:
    """Upload a file to a V4 dataset and wait until its import job ends or pauses."""
    address = upload_address(client, data, filename)
    send(client, address, body)

    def fetch() -> Record:
        job: Record = client.expect(
            200, "GET", f"{PREFIX}/datasets/{data['id']}/imports/{address['import_id']}"
        )
        assert import_job(job)
        assert (job["dataset_id"], job["filename"]) == (data["id"], filename)
        return job

    return poll(fetch, nothing_unfinished)  # type: ignore[no-any-return]


def filled(client: Client, *records: Record, schema: Any = SCHEMA) -> Record:
    """A V4 dataset with these records."""
    data = dataset(client, schema)
    assert upload(client, data, "answers.jsonl", jsonl(*records))["status"] == "complete"
    return data


def append(client: Client, data: Record, body: bytes, content_type: str = "application/x-ndjson") -> Any:
    return client.expect(
        200, "POST", f"{PREFIX}/datasets/{data['id']}/datapoints", body, {"Content-Type": content_type}
    )


def migrated(client: Client, data: Record, job_id: str) -> Record:
    def fetch() -> Record:
        path = f"{PREFIX}/datasets/{data['id']}/schema-migrations/{job_id}"
        job: Record = client.expect(200, "GET", path)
        assert MIGRATIONS[job["status"]](job)
        assert (job["dataset_id"], job["job_id"]) == (data["id"], job_id)
        return job

    return poll(fetch, nothing_unfinished)  # type: ignore[no-any-return]


def batch(client: Client, layout: Any = NOTHING, data: Record | None = None, **more: Any) -> Record:
    body: Record = {"name": "Wave 1", "workspace_id": client.workspace, "task_details": DETAILS, **more}
    if layout is not NOTHING:
        body["batch_items"] = layout
    if data is not None:
        body["dataset_id"] = data["id"]
    created: Record = client.expect(201, "POST", f"{PREFIX}/batches", body)
    assert NEW_BATCH(created)
    return created


def read_batch(client: Client, batch_id: str) -> Record:
    response: Record = client.expect(200, "GET", f"{PREFIX}/batches/{batch_id}")
    assert BATCH(response)
    return response


def set_up(client: Client, batch_id: str, **body: Any) -> None:
    assert client.expect(202, "POST", f"{PREFIX}/batches/{batch_id}/setup", body) is None
    path = f"{PREFIX}/batches/{batch_id}/status"
    status = poll(
        lambda: client.expect(200, "GET", path), lambda response: response["status"] != "PROCESSING"
    )
    assert status == {"status": "READY"}


def sync(client: Client, batch_id: str) -> Record:
    """Start a sync and wait until it ends."""
    job: Record = client.expect(202, "POST", f"{PREFIX}/batches/{batch_id}/sync")
    assert SYNCS["queued"](job)
    assert job["status"] == "queued"

    def fetch() -> Record:
        response: Record = client.expect(200, "GET", f"{PREFIX}/batches/{batch_id}/syncs/{job['sync_id']}")
        assert SYNCS[response["status"]](response)
        assert {**response, **job}.keys() == response.keys()
        return response

    return poll(fetch, nothing_unfinished)  # type: ignore[no-any-return]


def exported(client: Client, resource: str) -> Record:
    """Export a batch or a collection, and wait until the archive is available."""
    started = client.request("POST", f"{PREFIX}/{resource}/export")
    job: Record = started.json
    assert EXPORTS[job["status"]](job)
    assert (started.status, job["status"]) in ((202, "generating"), (200, "complete"))
    if started.status == 200:
        return job

    def fetch() -> Record:
        response: Record = client.expect(200, "GET", f"{PREFIX}/{resource}/export/{job['export_id']}")
        assert EXPORTS[response["status"]](response)
        return response

    return poll(fetch, nothing_unfinished)  # type: ignore[no-any-return]
