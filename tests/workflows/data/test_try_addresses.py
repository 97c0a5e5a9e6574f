"""Trying addresses of media: what each server says, and how often it is asked."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from batchwright.base.network_settings import NetworkSettings
from batchwright.schema.model import FieldType
from batchwright.workflows.data.try_addresses import LARGEST_RECORDING, TriedAddresses, try_addresses
from batchwright.workflows.image_errors import ImageProblem
from tests.data_files.sources.test_media_folder import PICTURE
from tests.fakes.image_server import SLOW, ImageServer
from tests.fakes.raw_http import FakeResponse


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ImageServer]:
    with ImageServer(tmp_path) as server:
        yield server


async def tried_at(
    server: ImageServer, *addresses: str, type: FieldType = FieldType.IMAGE_URL
) -> TriedAddresses:
    network = NetworkSettings(certificates=str(server.certificate))
    return await try_addresses(addresses, type, network, server.url, pause_s=0)


async def test_the_result_names_what_is_wrong_with_each_address(server: ImageServer) -> None:
    good = server.serve("/good.png", PICTURE)
    page = server.serve("/page.png", b"<!doctype html>sign in")
    refused = server.serve("/refused.png", b"", 403)
    missing, private = f"{server.url}/missing.png", "https://127.0.0.2/a.png"
    tried = await tried_at(server, good, page, refused, missing, private)
    assert tried.problems == {
        ImageProblem.NOT_AN_IMAGE: [page],
        ImageProblem.REFUSED: [refused],
        ImageProblem.NOT_FOUND: [missing],
        ImageProblem.PRIVATE: [private],
    }
    assert (tried.total, tried.done, tried.good, tried.untried) == (5, 5, 1, [])


async def test_a_medium_that_is_too_large_is_not_requested(server: ImageServer) -> None:
    server.heads["/long.mp4"] = LARGEST_RECORDING + 1
    tried = await tried_at(server, f"{server.url}/long.mp4", type=FieldType.VIDEO_URL)
    assert list(tried.problems) == [ImageProblem.TOO_LARGE]
    assert [request.line.partition(b" ")[0] for request in server.requests] == [b"HEAD"]


async def test_only_the_start_of_a_medium_is_requested_and_nothing_identifies_the_user(
    server: ImageServer,
) -> None:
    content = b"\0\0\0\x18ftypmp42" + b"x" * 400_000
    server.responses["/a.mp4"] = FakeResponse(200, content, {"Content-Type": "video/mp4"})
    tried = await tried_at(server, f"{server.url}/a.mp4", type=FieldType.VIDEO_URL)
    assert tried.good == 1
    head, start = server.requests
    assert start.header(b"range") == b"bytes=0-65535"
    sent = {name.lower() for request in (head, start) for name, _value in request.headers}
    assert sent <= {b"host", b"accept", b"accept-encoding", b"connection", b"user-agent", b"range"}


async def test_a_server_that_asks_for_fewer_requests_is_asked_no_more(server: ImageServer) -> None:
    addresses = [server.serve(f"/{number}.png", b"", 429) for number in range(50)]
    tried = await tried_at(server, *addresses)
    asked = {request.target for request in server.requests}
    assert len(asked) <= 2, "as many as are asked at the same time"
    assert len(tried.untried) == 50 - len(asked)
    assert tried.done == tried.total == 50


async def test_a_server_that_does_not_answer_is_asked_a_few_times_only(tmp_path: Path) -> None:
    with ImageServer(tmp_path) as server:
        """It ends at once."""
    tried = await tried_at(server, *(f"{server.url}/{number}.png" for number in range(50)))
    problems = tried.problems[ImageProblem.NO_RESPONSE]
    assert 3 <= len(problems) <= 4
    assert len(problems) + len(tried.untried) == 50


async def test_without_addresses_nothing_is_tried(server: ImageServer) -> None:
    assert (await tried_at(server)).done == 0
    assert server.requests == []


async def test_one_server_is_asked_for_two_media_at_the_same_time_and_no_more_after_cancelling(
    server: ImageServer,
) -> None:
    trial = asyncio.create_task(tried_at(server, *(f"{server.url}{SLOW}?{number}" for number in range(20))))
    while len(server.requests) < 2:  # noqa: ASYNC110 - the server sets no event
        await asyncio.sleep(0.005)
    trial.cancel()
    await asyncio.wait([trial])
    while server.abandoned < 2:  # noqa: ASYNC110 - as above
        await asyncio.sleep(0.005)
    assert len(server.requests) == 2
