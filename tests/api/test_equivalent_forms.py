"""Everything that the wire reference describes in two forms is read in both (sections 2, 4, 5, 7 to 13)."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from batchwright.api.client import ApiClient
from batchwright.api.http.errors import Gone, NotFound
from batchwright.wire.batches import BatchDuplicate, BatchSetup
from batchwright.wire.deprecation import Deprecation
from batchwright.wire.syncs import SyncStatus
from tests.api.requests import BATCH, client_at, retries
from tests.fakes.echo_server import EchoServer
from tests.fakes.raw_http import FakeResponse

ID, PARENT = "0193a7c0-0f02-7f02-8a1b-4c5d6e7f0f02", "0193a7c0-0022-7022-8a1b-4c5d6e7f0022"
SUNSET = {"Deprecation": "true", "Sunset": "Tue, 01 Sep 2026 23:59:59 GMT"}
RECORD = {"id": ID, "type": "free_text", "description": "Why?"}

Call = Callable[[ApiClient], Awaitable[Any]]


async def result_of(reply: FakeResponse, call: Call) -> Any:
    """The result of a call for a response."""
    with EchoServer(reply) as server:
        async with client_at(server.url, retries=retries(attempts=1)) as service:
            return await call(service)


def with_headers(reply: FakeResponse, **headers: str) -> FakeResponse:
    """A response with further headers."""
    return FakeResponse(reply.status, reply.body, {**reply.headers, **headers})


@pytest.mark.parametrize("wrap", [lambda records: records, lambda records: {"results": records}])
@pytest.mark.parametrize("parent", [{"batch_id": PARENT}, {"parent_id": PARENT, "parent_type": "batch"}])
async def test_instructions_are_parsed_with_and_without_an_envelope(
    wrap: Callable[[list[Any]], Any], parent: dict[str, str]
) -> None:
    reply = FakeResponse.from_json(wrap([{**RECORD, **parent}]))
    (record,) = (await result_of(reply, lambda service: service.instructions.list("b"))).records
    assert (record.id, record.batch) == (ID, PARENT)


@pytest.mark.spec("H-07")
async def test_the_end_of_support_is_parsed_from_every_response_about_instructions() -> None:
    reply = with_headers(FakeResponse.from_json([RECORD]), **SUNSET)
    listed = await result_of(reply, lambda service: service.instructions.list("b"))
    assert listed.deprecation == Deprecation(datetime(2026, 9, 1, 23, 59, 59, tzinfo=UTC))
    rejected = with_headers(FakeResponse.from_json({"detail": "batch_id is not valid."}, 400), **SUNSET)
    with pytest.raises(NotFound) as caught:
        await result_of(rejected, lambda service: service.instructions.list("b"))
    assert caught.value.response.deprecation == listed.deprecation
    unmarked = await result_of(
        FakeResponse.from_json([RECORD]), lambda service: service.instructions.list("b")
    )
    assert unmarked.deprecation is None


@pytest.mark.parametrize("status", [404, 410])
async def test_removed_instructions_are_reported_as_gone(status: int) -> None:
    with pytest.raises(Gone) as caught:
        await result_of(FakeResponse(status, b"", {}), lambda service: service.instructions.list("b"))
    assert caught.value.target == "list of instructions of batch b"


async def test_an_unknown_batch_does_not_mean_that_instructions_are_gone() -> None:
    rejected = with_headers(FakeResponse.from_json({"detail": "No such batch."}, 404), **SUNSET)
    with pytest.raises(NotFound):
        await result_of(rejected, lambda service: service.instructions.list("b"))


@pytest.mark.parametrize(
    ("form", "pages"),
    [({"item_count": 3}, 3), ({"collection_items": [{"id": ID, "page_items": []}]}, 1), ({}, None)],
)
async def test_listed_collections_arrive_complete_or_as_summaries(
    form: dict[str, Any], pages: int | None
) -> None:
    reply = FakeResponse.from_json(
        {"results": [{"id": ID, "name": "Vocabulary", **form}], "meta": {"count": 1}}
    )
    listing = await result_of(reply, lambda service: service.collections.list("w"))
    assert [(item.name, item.page_count) for item in listing.results] == [("Vocabulary", pages)]


@pytest.mark.spec("C-13")
@pytest.mark.parametrize("status", [400, 404])
async def test_a_service_may_offer_no_responses_of_collections(status: int) -> None:
    with pytest.raises(NotFound):
        await result_of(
            FakeResponse.from_json({"detail": "No."}, status),
            lambda service: service.collections.responses("c"),
        )


@pytest.mark.parametrize("answer", [["a", "b"], {"results": ["a", "b"], "meta": {"count": 2}}, []])
async def test_task_and_group_ids_are_parsed_with_and_without_an_envelope(answer: Any) -> None:
    expected = ("a", "b") if answer else ()
    assert (
        await result_of(FakeResponse.from_json(answer), lambda service: service.batches.tasks("b"))
        == expected
    )
    assert (
        await result_of(FakeResponse.from_json(answer), lambda service: service.batches.task_groups("b"))
        == expected
    )


@pytest.mark.parametrize("start", ["start", "start_of_collection"])
@pytest.mark.parametrize(
    ("reply", "settled"),
    [
        (FakeResponse.from_json({"status": "generating", "export_id": ID}, 202), False),
        (FakeResponse.from_json({"status": "complete", "url": "https://x.example/e.zip?s=1"}, 200), True),
        (FakeResponse.from_json({"status": "complete", "url": "https://x.example/e.zip?s=1"}, 202), True),
        (FakeResponse.from_json({"status": "failed"}, 200), True),
    ],
)
async def test_the_start_of_an_export_returns_a_new_or_an_existing_one(
    start: str, reply: FakeResponse, settled: bool
) -> None:
    job = await result_of(reply, lambda service: getattr(service.exports, start)("p"))
    assert (job.settled, job.export_id) == (settled, None if settled else ID)


@pytest.mark.parametrize(
    "reply",
    [FakeResponse(202, b"", {}), FakeResponse(204, b"", {}), FakeResponse.from_json({"any": "thing"}, 200)],
)
async def test_a_setup_is_accepted_with_any_success_status_and_body(reply: FakeResponse) -> None:
    assert await result_of(reply, lambda service: service.batches.set_up("b", BatchSetup())) is None


@pytest.mark.parametrize("status", [200, 201])
async def test_the_upload_url_of_feedback_has_status_200_or_201(status: int) -> None:
    reply = FakeResponse.from_json({"upload_url": "https://x.example/f?s=1"}, status)
    address = await result_of(reply, lambda service: service.feedback.upload_url("f.csv", "w"))
    assert address.upload_url == "https://x.example/f?s=1"


@pytest.mark.parametrize("status", [200, 202])
@pytest.mark.parametrize("job", [{"status": "queued", "sync_id": ID}, {"status": "complete"}])
async def test_a_sync_that_ends_immediately_has_no_id(status: int, job: dict[str, str]) -> None:
    sync = await result_of(FakeResponse.from_json(job, status), lambda service: service.batches.sync("b"))
    assert sync.settled is (sync.status == SyncStatus.COMPLETE)


@pytest.mark.parametrize("schema_version", [{}, {"schema_version": 3}, {"schema_version": 12}])
@pytest.mark.parametrize(
    ("generation", "is_v4"),
    [({"schema": None}, True), ({"schema": {"fields": {}}}, True), ({"status": "READY"}, False)],
)
async def test_v3_and_v4_datasets_are_distinguished_by_their_keys(
    generation: dict[str, Any], is_v4: bool, schema_version: dict[str, int]
) -> None:
    reply = FakeResponse.from_json({"id": ID, **generation, **schema_version})
    assert (await result_of(reply, lambda service: service.datasets.get("d"))).is_v4 is is_v4


@pytest.mark.parametrize(
    "timestamp",
    ["2026-03-03T08:00:00Z", "2026-03-03T08:00:00.000Z", "2026-03-03T08:00:00.000000001Z",
     "2026-03-03T09:00:00+01:00"],
)  # fmt: skip
async def test_timestamps_are_parsed_with_and_without_fractions_and_offsets(timestamp: str) -> None:
    reply = FakeResponse.from_json({**BATCH, "created_at": timestamp})
    batch = await result_of(reply, lambda service: service.batches.get("b"))
    assert batch.created_at == datetime(2026, 3, 3, 8, tzinfo=UTC)


@pytest.mark.parametrize("rest", [{}, {"auto_sync_enabled": True, "tasks_per_group": 2}])
async def test_a_batch_is_parsed_with_and_without_optional_fields(rest: dict[str, Any]) -> None:
    reply = FakeResponse.from_json({**BATCH, **rest}, 201)
    batch = await result_of(reply, lambda service: service.batches.duplicate("b", BatchDuplicate()))
    assert batch.auto_sync_enabled is bool(rest)
