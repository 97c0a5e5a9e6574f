"""Which errors are retried, and the pauses before it."""

import threading

import httpx
import pytest

from batchwright.api.client import connect
from batchwright.api.http.errors import ApiError, ClientClosed, OutcomeUnknown, Unreachable
from batchwright.api.http.http_client import open_client, ssl_context, to_api_error
from batchwright.api.http.retry import exponential_backoff, retries_reported
from batchwright.wire.account import ParticipantCreate
from batchwright.wire.batches import BatchDuplicate, BatchUpdate
from batchwright.wire.collections import CollectionReplace
from batchwright.wire.datasets import SchemaUpdate
from batchwright.wire.instructions import InstructionsWrite
from batchwright.wire.service_data import AgeToDelete, ParticipantToDelete
from tests.api.requests import BATCH, Sleeps, client_at, retries
from tests.api.test_equivalent_forms import ID, RECORD, Call
from tests.fakes.failing_server import BUSY, SERVER_ERROR, FailingServer, ServerFailure
from tests.fakes.raw_http import FakeResponse, RawRequest

NOT_SENT = [httpx.ConnectTimeout, httpx.ConnectError, httpx.PoolTimeout, httpx.ProxyError]
MAY_HAVE_ARRIVED = [
    httpx.ReadTimeout,
    httpx.WriteTimeout,
    httpx.ReadError,
    httpx.WriteError,
    httpx.CloseError,
    httpx.RemoteProtocolError,
]
LOST = [ServerFailure.RESET_AFTER, ServerFailure.CUT, SERVER_ERROR]
COLLECTION_FIELDS = {
    "name": "n",
    "task_details": {"task_name": "Rate", "task_introduction": "", "task_steps": ""},
}
PAGES = [{"page_items": [{"type": "rich_text", "content": "Hello."}]}]
INSTRUCTIONS = InstructionsWrite.model_validate(
    {"instructions": [{"type": "free_text", "description": "Why?"}]}
)
COLLECTION = CollectionReplace.model_validate({**COLLECTION_FIELDS, "collection_items": PAGES})

NOT_REPEATABLE: dict[str, Call] = {
    "duplicate": lambda service: service.batches.duplicate("b", BatchDuplicate()),
    "update": lambda service: service.batches.update("b", BatchUpdate(name="n")),
    "schema": lambda service: service.datasets.update_schema("d", SchemaUpdate(schema={})),
    "instructions": lambda service: service.instructions.add("b", INSTRUCTIONS),
    "participant": lambda service: service.participants.create(ParticipantCreate(email="a@b.example")),
    "reset": lambda service: service.local.reset("b"),
    "deletion": lambda service: service.local.delete_participant(ParticipantToDelete(participant_id="p")),
    "deletion by age": lambda service: service.local.delete_older(AgeToDelete(days=1)),
    "backup": lambda service: service.local.start_backup(),
}
REPEATABLE: dict[str, tuple[Call, FakeResponse]] = {
    "instructions": (
        lambda service: service.instructions.replace("b", INSTRUCTIONS),
        FakeResponse.from_json([RECORD]),
    ),
    "collection": (
        lambda service: service.collections.replace("c", COLLECTION),
        FakeResponse.from_json({"id": ID}),
    ),
    "export": (
        lambda service: service.exports.start_of_collection("c"),
        FakeResponse.from_json({"status": "generating", "export_id": ID}, 202),
    ),
    "sync": (
        lambda service: service.batches.sync("b"),
        FakeResponse.from_json({"status": "queued", "sync_id": ID}, 202),
    ),
}


@pytest.mark.parametrize("kind", NOT_SENT + MAY_HAVE_ARRIVED)
def test_each_network_error_states_whether_the_request_may_have_arrived(kind: type[httpx.HTTPError]) -> None:
    error = to_api_error("GET /", kind("no"))
    assert isinstance(error, Unreachable)
    assert error.arrived is (kind in MAY_HAVE_ARRIVED)


def test_connecting_sending_and_reading_have_separate_timeouts() -> None:
    times = open_client(ssl_context(), is_local=False).timeout.as_dict()
    connect, read, write = (times[name] or 0 for name in ("connect", "read", "write"))
    assert 0 < connect < min(read, write)
    assert times["pool"] is None, "waiting for a connection of the pool is not an error"


async def test_deleting_data_may_take_longer_than_other_requests(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times = list[float]()

    async def send(_client: httpx.AsyncClient, request: httpx.Request, **_options: object) -> httpx.Response:
        times.append(request.extensions["timeout"]["read"])
        raise httpx.ConnectError("no")

    monkeypatch.setattr(httpx.AsyncClient, "send", send)
    async with client_at("http://127.0.0.1:9", retries=retries(sleep=Sleeps())) as service:
        with pytest.raises(Unreachable):
            await service.local.stored_data()
        usual = max(times)
        with pytest.raises(Unreachable):
            await service.local.delete_older(AgeToDelete(days=30))
    assert times[-1] > usual


def test_retry_delays_double_with_a_random_addition() -> None:
    sequences = [list(exponential_backoff()) for _ in range(20)]
    for pauses in sequences:
        assert all(least <= pause <= least * 1.25 for least, pause in zip((1, 2, 4, 8), pauses, strict=True))
    assert len(set(map(tuple, sequences))) > 1


@pytest.mark.parametrize("lost", LOST)
@pytest.mark.parametrize("call", NOT_REPEATABLE.values(), ids=NOT_REPEATABLE)
async def test_a_request_that_is_not_idempotent_is_not_repeated(
    call: Call, lost: ServerFailure | FakeResponse
) -> None:
    with FailingServer([lost], lambda _: FakeResponse.from_json(BATCH, 201)) as server:
        with pytest.raises(OutcomeUnknown):
            async with client_at(server.url) as service:
                await call(service)
        assert len(server.arrived) == (0 if isinstance(lost, FakeResponse) else 1)


@pytest.mark.parametrize("call", NOT_REPEATABLE.values(), ids=NOT_REPEATABLE)
async def test_a_request_that_is_not_idempotent_is_not_repeated_after_a_500(call: Call) -> None:
    sleep = Sleeps()
    with FailingServer([BUSY, SERVER_ERROR]) as server, pytest.raises(OutcomeUnknown):
        async with client_at(server.url, retries=retries(sleep=sleep)) as service:
            await call(service)
    assert len(sleep.delays) == 1, "after a 429 nothing was created; after a 500 something may have been"


@pytest.mark.parametrize("lost", LOST)
@pytest.mark.parametrize(("call", "reply"), REPEATABLE.values(), ids=REPEATABLE)
async def test_an_idempotent_request_is_repeated(
    call: Call, reply: FakeResponse, lost: ServerFailure | FakeResponse
) -> None:
    with FailingServer([lost], lambda _: reply) as server:
        async with client_at(server.url) as service:
            assert await call(service)


async def test_a_503_is_retried_after_the_requested_delay() -> None:
    sleep = Sleeps()
    unavailable = FakeResponse(503, b"", {"Retry-After": "7"})
    with FailingServer([unavailable], lambda _: FakeResponse.from_json(BATCH)) as server:
        async with client_at(server.url, retries=retries(sleep=sleep)) as service:
            await service.batches.get("b")
    assert sleep.delays == [7]


async def test_a_closed_client_sends_and_retries_nothing() -> None:
    sleep = Sleeps()

    async with connect("https://api.example.org", "token", retry_policy=retries(sleep=sleep)) as service:
        await service.close()
        with pytest.raises(ClientClosed):
            await service.batches.status("b")
    assert sleep.delays == []


@pytest.mark.parametrize("is_long", [False, True])
async def test_a_late_response_is_reported_when_overdue_and_when_it_arrives(
    monkeypatch: pytest.MonkeyPatch, is_long: bool
) -> None:
    monkeypatch.setattr("batchwright.api.http.retry.SILENCE_S", 0.05)
    reports: list[str] = []

    is_reported = threading.Event()

    def answer(_request: RawRequest) -> FakeResponse:
        is_reported.wait(0.3 if is_long else 30)  # the request of a long body is not reported
        return FakeResponse.from_json([RECORD])

    question = {"type": "free_text", "description": "Why? " * (20_000 if is_long else 1)}
    instructions = InstructionsWrite.model_validate({"instructions": [question]})

    def on_retry(error: ApiError) -> None:
        assert type(error) is Unreachable
        reports.append("silent")
        is_reported.set()

    with FailingServer([], answer) as server:
        async with client_at(server.url) as service:
            with retries_reported(on_retry, lambda: reports.append("answered")):
                await service.instructions.replace("b", instructions)
    assert reports == ([] if is_long else ["silent", "answered"]), "sending a long body takes its time"
