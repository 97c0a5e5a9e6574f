"""Which errors are retried, and the pauses before it."""

import asyncio
import threading

import httpx
import pytest

from batchwright.api.client import ApiClient, connect
from batchwright.api.errors import ApiError, ClientClosed, OutcomeUnknown, Unreachable
from batchwright.api.http_client import open_client, ssl_context, to_api_error
from batchwright.api.retry import exponential_backoff, retries_reported
from batchwright.wire.account import ParticipantCreate
from batchwright.wire.batches import BatchDuplicate, BatchUpdate
from batchwright.wire.collections import CollectionReplace
from batchwright.wire.datasets import SchemaUpdate
from batchwright.wire.instructions import InstructionsWrite
from tests.api.requests import BATCH, Sleeps, retries, run_at_url
from tests.api.test_two_forms import ID, RECORD, Call
from tests.fakes.raw_http import RawRequest, Reply
from tests.fakes.stumbling_server import BUSY, FAULT, Stumble, StumblingServer

NEVER_LEFT = [httpx.ConnectTimeout, httpx.ConnectError, httpx.PoolTimeout, httpx.ProxyError]
MAY_HAVE_ARRIVED = [
    httpx.ReadTimeout,
    httpx.WriteTimeout,
    httpx.ReadError,
    httpx.WriteError,
    httpx.CloseError,
    httpx.RemoteProtocolError,
]
LOST = [Stumble.RESET_AFTER, Stumble.CUT, FAULT]
WHOLE = {"name": "n", "task_details": {"task_name": "", "task_introduction": "", "task_steps": ""}}
PAGES = [{"page_items": [{"type": "rich_text", "content": "Hello."}]}]
INSTRUCTIONS = InstructionsWrite.model_validate(
    {"instructions": [{"type": "free_text", "description": "Why?"}]}
)
COLLECTION = CollectionReplace.model_validate({**WHOLE, "collection_items": PAGES})

MAKING: dict[str, Call] = {
    "duplicate": lambda service: service.batches.duplicate("b", BatchDuplicate()),
    "update": lambda service: service.batches.update("b", BatchUpdate(name="n")),
    "schema": lambda service: service.datasets.update_schema("d", SchemaUpdate(schema={})),
    "instructions": lambda service: service.instructions.add("b", INSTRUCTIONS),
    "participant": lambda service: service.participants.create(ParticipantCreate(email="a@b.example")),
    "reset": lambda service: service.local.reset("b"),
}
SETTLING: dict[str, tuple[Call, Reply]] = {
    "instructions": (lambda service: service.instructions.replace("b", INSTRUCTIONS), Reply.of([RECORD])),
    "collection": (lambda service: service.collections.replace("c", COLLECTION), Reply.of({"id": ID})),
    "export": (
        lambda service: service.exports.start_of_collection("c"),
        Reply.of({"status": "generating", "export_id": ID}, 202),
    ),
    "sync": (lambda service: service.batches.sync("b"), Reply.of({"status": "queued", "sync_id": ID}, 202)),
}


@pytest.mark.parametrize("fault", NEVER_LEFT + MAY_HAVE_ARRIVED)
def test_each_failure_says_whether_the_request_may_have_arrived(fault: type[httpx.HTTPError]) -> None:
    error = to_api_error("GET /", fault("no"))
    assert isinstance(error, Unreachable)
    assert error.arrived is (fault in MAY_HAVE_ARRIVED)


def test_connecting_sending_and_reading_have_times_of_their_own() -> None:
    times = open_client(ssl_context(), is_local=False).timeout.as_dict()
    connect, read, write = (times[name] or 0 for name in ("connect", "read", "write"))
    assert 0 < connect < min(read, write)
    assert times["pool"] is None, "to wait for a turn is no failure"


def test_pauses_grow_and_no_two_programs_ask_in_step() -> None:
    drawn = [list(exponential_backoff()) for _ in range(20)]
    for pauses in drawn:
        assert all(least <= pause <= least * 1.25 for least, pause in zip((1, 2, 4, 8), pauses, strict=True))
    assert len(set(map(tuple, drawn))) > 1


@pytest.mark.parametrize("lost", LOST)
@pytest.mark.parametrize("call", MAKING.values(), ids=MAKING)
def test_what_makes_or_changes_something_is_not_repeated_by_itself(call: Call, lost: Stumble | Reply) -> None:
    with StumblingServer([lost], lambda _: Reply.of(BATCH, 201)) as server:
        with pytest.raises(OutcomeUnknown):
            run_at_url(server.url, call)
        assert len(server.arrived) == (0 if isinstance(lost, Reply) else 1)


@pytest.mark.parametrize("call", MAKING.values(), ids=MAKING)
def test_nor_is_it_when_the_service_failed_before(call: Call) -> None:
    sleep = Sleeps()
    with StumblingServer([BUSY, FAULT]) as server, pytest.raises(OutcomeUnknown):
        run_at_url(server.url, call, retries=retries(sleep=sleep))
    assert len(sleep.delays) == 1, "429 says that nothing was made; 500 does not"


@pytest.mark.parametrize("lost", LOST)
@pytest.mark.parametrize(("call", "reply"), SETTLING.values(), ids=SETTLING)
def test_what_comes_to_the_same_when_done_twice_is_repeated(
    call: Call, reply: Reply, lost: Stumble | Reply
) -> None:
    with StumblingServer([lost], lambda _: reply) as server:
        assert run_at_url(server.url, call)


def test_a_503_is_waited_out_for_as_long_as_it_asks() -> None:
    sleep = Sleeps()
    unavailable = Reply(503, b"", {"Retry-After": "7"})
    with StumblingServer([unavailable], lambda _: Reply.of(BATCH)) as server:
        run_at_url(server.url, lambda service: service.batches.get("b"), retries=retries(sleep=sleep))
    assert sleep.delays == [7]


def test_a_connection_that_was_ended_is_not_asked_again() -> None:
    sleep = Sleeps()

    async def do() -> None:
        async with connect("https://api.example.org", "token", retry_policy=retries(sleep=sleep)) as service:
            await service.close()
            with pytest.raises(ClientClosed):
                await service.batches.status("b")

    asyncio.run(do())
    assert sleep.delays == []


@pytest.mark.parametrize("is_long", [False, True])
def test_a_request_without_a_response_is_reported_and_so_is_its_response(
    monkeypatch: pytest.MonkeyPatch, is_long: bool
) -> None:
    monkeypatch.setattr("batchwright.api.retry.SILENCE_S", 0.05)
    reports: list[str] = []

    is_reported = threading.Event()

    def answer(_request: RawRequest) -> Reply:
        is_reported.wait(0.3 if is_long else 30)  # a long body is not reported
        return Reply.of([RECORD])

    question = {"type": "free_text", "description": "Why? " * (20_000 if is_long else 1)}
    instructions = InstructionsWrite.model_validate({"instructions": [question]})

    def on_retry(error: ApiError) -> None:
        assert type(error) is Unreachable
        reports.append("silent")
        is_reported.set()

    async def work(service: ApiClient) -> None:
        with retries_reported(on_retry, lambda: reports.append("answered")):
            await service.instructions.replace("b", instructions)

    with StumblingServer([], answer) as server:
        run_at_url(server.url, work)
    assert reports == ([] if is_long else ["silent", "answered"]), "sending a long body takes its time"
