"""Long lists are parsed completely during iteration; other content raises an error."""

from urllib.parse import parse_qs

import pytest

from batchwright.api.http.errors import NotFound, UnexpectedResponse
from batchwright.api.http.response_parsing import _CHUNK_BYTES, RawResponse
from batchwright.wire.batches import Batch
from batchwright.wire.responses import ResponseRecord
from tests.api.requests import BATCH, TOKEN, client_at
from tests.fakes.echo_server import EchoServer
from tests.fakes.failing_server import FailingServer
from tests.fakes.raw_http import FakeResponse, RawRequest

RECORD = {"id": "r", "response": {"instruction_id": "i", "type": "free_text", "answer": [{"value": TOKEN}]}}


async def test_a_list_can_be_iterated_repeatedly_and_contains_no_token() -> None:
    with EchoServer(FakeResponse.from_json({"results": [RECORD, RECORD], "meta": {"count": 2}})) as server:
        async with client_at(server.url) as service:
            result = await service.batches.responses("b")
    assert [record.id for record in result] == ["r", "r"]
    assert [record.response.answer for record in result] == [({"value": "..."},)] * 2


@pytest.mark.parametrize(
    "body", ["[]", '{"results": [5]}', '{"results": [{"id": "r"}]}', '{"results": [', "no"]
)
async def test_content_that_is_not_a_list_of_records_is_an_unexpected_response(body: str) -> None:
    with EchoServer(FakeResponse(200, body.encode())) as server:
        async with client_at(server.url) as service:
            result = await service.batches.responses("b")
    with pytest.raises(UnexpectedResponse):
        list[ResponseRecord](result)


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ({"results": [RECORD], "meta": {"count": 60}}, 60),
        ({"results": [RECORD] * 3, "meta": {"count": 3}}, 3),
        ({"results": [RECORD]}, 1),
        ({"results": None, "meta": {"count": None}}, 0),
        ({}, 0),
    ],
)
async def test_responses_are_counted_with_one_record_or_all_if_the_service_sends_all(
    body: dict[str, object], count: int
) -> None:
    with FailingServer([], lambda _request: FakeResponse.from_json(body)) as server:
        async with client_at(server.url) as service:
            assert await service.batches.response_count("b") == count
        assert b"limit=1" in server.arrived[0].target


async def test_the_list_of_an_unknown_batch_is_not_found() -> None:
    with (
        EchoServer(FakeResponse.from_json({"error": {"detail": "No."}}, 400)) as server,
        pytest.raises(NotFound),
    ):
        async with client_at(server.url) as service:
            await service.batches.responses("b")


def _batches(count: int, most: int) -> FailingServer:
    """A service with this many batches that returns at most `most` at a time."""
    every = [{**BATCH, "id": f"b{number}"} for number in range(count)]

    def answer(request: RawRequest) -> FakeResponse:
        requested = parse_qs(request.target.decode().partition("?")[2])
        offset = int(requested.get("offset", ["0"])[0])
        return FakeResponse.from_json({"results": every[offset : offset + most], "meta": {"count": count}})

    return FailingServer([], answer)


@pytest.mark.parametrize(
    ("count", "most", "requests"), [(0, 200, 1), (1, 200, 1), (500, 500, 1), (500, 200, 3)]
)
async def test_every_batch_is_listed_once(count: int, most: int, requests: int) -> None:
    with _batches(count, most) as server:
        async with client_at(server.url) as service:
            result = await service.batches.list("w")
        assert [batch.id for batch in result.results] == [f"b{number}" for number in range(count)]
        assert len(server.arrived) == requests


async def test_listing_ends_when_the_count_of_the_service_is_too_high() -> None:
    with EchoServer(FakeResponse.from_json({"results": [BATCH], "meta": {"count": 3}})) as server:
        async with client_at(server.url) as service:
            result = await service.batches.list("w")
        assert result.results == (Batch.model_validate(BATCH),)
        assert len(server.requests) == 2


def test_a_token_across_two_chunks_of_a_long_response_is_removed() -> None:
    for before in range(_CHUNK_BYTES - len(TOKEN) - 60, _CHUNK_BYTES + 1, 7):
        answer = RawResponse(200, {}, b"x" * before + TOKEN.encode() + b"y" * 100)
        assert TOKEN.encode() not in answer.without(TOKEN).body
    assert RawResponse(200, {}, b"").without(TOKEN).body == b""
    assert RawResponse(200, {}, b"as it is").without("").body == b"as it is"
