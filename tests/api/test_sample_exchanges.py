"""Every sample exchange with a call of the client, replayed as its response."""

import json
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from batchwright.api.client import ApiClient
from batchwright.api.http.errors import ErrorResponse
from batchwright.api.http.lazy_list import LazyList
from batchwright.api.resources.instructions import LegacyInstructions
from batchwright.wire.account import ParticipantCreate
from batchwright.wire.base import to_payload
from batchwright.wire.batches import BatchCreate, BatchDuplicate, BatchSetup, BatchUpdate, TaskDetails
from batchwright.wire.collections import CollectionCreate
from batchwright.wire.datapoints import JsonLinesBody
from batchwright.wire.datasets import DatasetCreate, SchemaUpdate
from batchwright.wire.deprecation import Deprecation
from batchwright.wire.instructions import InstructionsWrite
from tests.api.requests import client_at, retries
from tests.fakes.echo_server import EchoServer
from tests.fakes.raw_http import FakeResponse

SAMPLES = Path(__file__).parents[2].parent / "shared" / "wire-examples"
DETAILS = TaskDetails(task_name="Compare", task_introduction="", task_steps="")
DATASET = DatasetCreate(name="n", workspace_id="w")
BATCH = BatchCreate(name="n", workspace_id="w", task_details=DETAILS)
FEEDBACK = "/api/v1/submissions/signals"
DATA = "/api/v1/data-collection"
SCHEMA = SchemaUpdate(schema={"strict": True, "fields": {}})
LEGACY = InstructionsWrite.model_validate({"instructions": [{"type": "free_text", "description": "Why?"}]})
ITEM = {"type": "free_text", "description": "Why?", "order": 0}
COLLECTION = CollectionCreate.model_validate(
    {"name": "n", "workspace_id": "w", "task_details": DETAILS, "collection_items": [{"page_items": [ITEM]}]}
)
TESTER = ParticipantCreate(email="tester@example.org")
CALLS: dict[str, Callable[[ApiClient], Awaitable[Any]]] = {
    "GET /api/v1/users/me/": lambda service: service.account.check(),
    f"POST {DATA}/datasets": lambda service: service.datasets.create(DATASET),
    f"GET {DATA}/datasets/[^/]+": lambda service: service.datasets.get("d"),
    f"GET {DATA}/datasets/[^/]+/upload-url/[^/]+": lambda service: service.datasets.upload_url("d", "f.csv"),
    f"GET {DATA}/datasets/[^/]+/imports/[^/]+": lambda service: service.datasets.import_job("d", "i"),
    f"POST {DATA}/datasets/[^/]+/datapoints": lambda service: service.datasets.append(
        "d", JsonLinesBody(b"{}\n")
    ),
    f"GET {DATA}/datasets/[^/]+/status": lambda service: service.datasets.status("d"),
    f"PATCH {DATA}/datasets/[^/]+": lambda service: service.datasets.update_schema("d", SCHEMA),
    f"GET {DATA}/datasets/[^/]+/schema-migrations/[^/]+": lambda service: service.datasets.migration(
        "d", "j"
    ),
    f"GET {DATA}/batches": lambda service: service.batches.list("w"),
    f"POST {DATA}/batches": lambda service: service.batches.create(BATCH),
    f"GET {DATA}/batches/[^/]+": lambda service: service.batches.get("b"),
    f"PATCH {DATA}/batches/[^/]+": lambda service: service.batches.update("b", BatchUpdate(name="n")),
    f"GET {DATA}/batches/[^/]+/status": lambda service: service.batches.status("b"),
    f"POST {DATA}/batches/[^/]+/setup": lambda service: service.batches.set_up("b", BatchSetup()),
    f"POST {DATA}/batches/[^/]+/sync": lambda service: service.batches.sync("b"),
    f"GET {DATA}/batches/[^/]+/syncs/[^/]+": lambda service: service.batches.sync_job("b", "s"),
    f"GET {DATA}/batches/[^/]+/responses": lambda service: service.batches.responses("b"),
    f"GET {DATA}/batches/[^/]+/report/": lambda service: service.batches.report("b"),
    f"POST {DATA}/batches/[^/]+/export": lambda service: service.exports.start("b"),
    f"GET {DATA}/batches/[^/]+/export/[^/]+": lambda service: service.exports.get("b", "e"),
    f"POST {DATA}/batches/[^/]+/duplicate": lambda service: service.batches.duplicate("b", BatchDuplicate()),
    f"GET {DATA}/batches/[^/]+/tasks": lambda service: service.batches.tasks("b"),
    f"GET {DATA}/batches/[^/]+/task-groups": lambda service: service.batches.task_groups("b"),
    f"GET {DATA}/batches/[^/]+/instructions": lambda service: service.instructions.list("b"),
    f"POST {DATA}/batches/[^/]+/instructions": lambda service: service.instructions.add("b", LEGACY),
    f"PUT {DATA}/batches/[^/]+/instructions": lambda service: service.instructions.replace("b", LEGACY),
    f"GET {DATA}/collections": lambda service: service.collections.list("w"),
    f"POST {DATA}/collections": lambda service: service.collections.create(COLLECTION),
    f"GET {DATA}/collections/[^/]+": lambda service: service.collections.get("c"),
    f"PUT {DATA}/collections/[^/]+": lambda service: service.collections.replace("c", COLLECTION),
    f"GET {DATA}/collections/[^/]+/responses": lambda service: service.collections.responses("c"),
    f"POST {DATA}/collections/[^/]+/export": lambda service: service.exports.start_of_collection("c"),
    f"GET {DATA}/collections/[^/]+/export/[^/]+": lambda service: service.exports.get_of_collection("c", "e"),
    "POST /api/v1/researchers/participants/": lambda service: service.participants.create(TESTER),
    "GET /api/v1/submissions/signals/upload-url/[^/]+": lambda service: service.feedback.upload_url(
        "f.csv", "w"
    ),
}

WITHOUT_SAMPLE = {f"GET {DATA}/batches/[^/]+/tasks", f"GET {DATA}/batches/[^/]+/task-groups"}

needs_samples = pytest.mark.skipif(not SAMPLES.is_dir(), reason="no sample exchanges beside the repository")


def call_of(exchange: dict[str, Any]) -> Callable[[ApiClient], Awaitable[Any]] | None:
    """The call that sends the request of an exchange; None if the client has no such call."""
    request_line = f"{exchange['method']} {exchange['path'].partition('?')[0]}"
    return next((call for pattern, call in CALLS.items() if re.fullmatch(pattern, request_line)), None)


def exchanges() -> list[Any]:
    """The exchanges that the client has a call for, each under a name."""
    result = []
    for path in sorted(SAMPLES.glob("*.json")):
        for number, exchange in enumerate(json.loads(path.read_text(encoding="utf-8"))["exchanges"]):
            if call_of(exchange):
                result.append(pytest.param(exchange, id=f"{path.stem}-{number}"))
    return result


@pytest.mark.spec("H-03")
@needs_samples
@pytest.mark.parametrize("exchange", exchanges())
async def test_the_client_parses_each_sample_response(exchange: dict[str, Any]) -> None:
    call = call_of(exchange)
    assert call
    body = json.dumps(exchange["response"]) if "response" in exchange else exchange.get("response_text", "")
    headers = {"Content-Type": "application/json", **exchange.get("response_headers", {})}
    reply = FakeResponse(exchange["status"], body.encode(), headers)
    with EchoServer(reply) as server:
        if exchange["status"] >= 400:
            with pytest.raises(ErrorResponse) as caught:
                async with client_at(server.url, retries=retries(attempts=1)) as service:
                    await call(service)
            assert caught.value.status == exchange["status"]
            return
        async with client_at(server.url) as service:
            value = await call(service)
    if isinstance(value, LegacyInstructions):
        expected = exchange["response"]
        records = expected if isinstance(expected, list) else expected["results"]
        assert [to_payload(record) for record in value.records] == records
        assert value.deprecation == Deprecation(datetime(2026, 9, 1, 23, 59, 59, tzinfo=UTC))
    elif isinstance(value, LazyList):
        assert [to_payload(entry) for entry in value] == exchange["response"]["results"]
    elif value is not None:
        assert to_payload(value) == exchange["response"]


@needs_samples
def test_every_call_has_a_sample() -> None:
    request_line = [call_of(expected.values[0]) for expected in exchanges()]
    assert {pattern for pattern, call in CALLS.items() if call not in request_line} == WITHOUT_SAMPLE


@pytest.mark.spec("H-03", "AP-02")
@pytest.mark.parametrize("call", CALLS.values(), ids=list(CALLS))
async def test_every_request_body_is_a_json_object_or_empty_except_for_appends(
    call: Callable[[ApiClient], Awaitable[Any]],
) -> None:
    with EchoServer(FakeResponse(400)) as server, pytest.raises(ErrorResponse):
        async with client_at(server.url) as service:
            await call(service)
    (request,) = server.requests
    content_type = request.header(b"content-type")
    if request.call.endswith("/datapoints"):
        assert (content_type, request.body) == (b"application/x-ndjson", b"{}\n")
    elif request.body:
        assert content_type == b"application/json"
        assert isinstance(json.loads(request.body), dict)
    else:
        assert content_type is None
