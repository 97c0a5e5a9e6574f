"""Responses beyond the limits of size, compression or duration are aborted."""

import asyncio
import gzip
import zlib
from pathlib import Path

import pytest

from batchwright.api.http import limits
from batchwright.api.http.errors import BeyondLimits
from tests.api.files.test_transfers import download_file
from tests.api.requests import client_at, retries
from tests.fakes.echo_server import EchoServer
from tests.fakes.raw_http import FakeResponse, read_head
from tests.fakes.server_in_thread import ServerInThread

JSON = {"Content-Type": "application/json"}


@pytest.fixture
def low_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the limits so that a test exceeds them quickly."""
    monkeypatch.setattr("batchwright.api.http.transport.LARGEST_LIST", 200_000)
    monkeypatch.setattr(limits, "RATIO_FROM", 10_000)


class EndlessServer(ServerInThread):
    """Responds to every request with a head, and then with the same bytes as long as they are read."""

    def __init__(self, piece: bytes, pause_s: float = 0.0) -> None:
        super().__init__()
        self.sent = 0
        self._piece, self._pause_s = piece, pause_s

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
        while not writer.is_closing():
            writer.write(self._piece)
            self.sent += len(self._piece)
            await writer.drain()
            await asyncio.sleep(self._pause_s)


@pytest.mark.usefixtures("low_limits")
async def test_an_endless_list_is_aborted() -> None:
    with EndlessServer(100_000 * b" ") as server, pytest.raises(BeyondLimits, match="too large"):
        async with client_at(server.url) as service:
            await service.batches.list("w")


@pytest.mark.usefixtures("low_limits")
async def test_a_response_that_decompresses_to_too_much_is_aborted() -> None:
    body = gzip.compress(100_000 * b" ")
    compressed = FakeResponse(200, body, {**JSON, "Content-Encoding": "gzip"})
    with EchoServer(compressed) as server, pytest.raises(BeyondLimits, match="decompresses to far too much"):
        async with client_at(server.url) as service:
            await service.account.check()


async def test_a_response_compressed_twice_is_rejected() -> None:
    body = zlib.compress(gzip.compress(b"{}"))
    compressed = FakeResponse(200, body, {**JSON, "Content-Encoding": "gzip, deflate"})
    with EchoServer(compressed) as server, pytest.raises(BeyondLimits, match="more than once"):
        async with client_at(server.url) as service:
            await service.account.check()


async def test_a_response_that_is_too_slow_is_aborted_without_a_retry(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "GRACE_S", 0.05)
    with EndlessServer(b" ", pause_s=0.02) as server, pytest.raises(BeyondLimits, match="too slow"):
        async with client_at(server.url, retries=retries()) as service:
            await service.account.check()


@pytest.mark.usefixtures("low_limits")
async def test_a_download_that_decompresses_to_too_much_is_aborted(tmp_path: Path) -> None:
    body = gzip.compress(100_000 * b"a,b\n")
    with (
        EchoServer(FakeResponse(200, body, {"Content-Encoding": "gzip"})) as server,
        pytest.raises(BeyondLimits),
    ):
        await download_file(f"{server.url}/raw?sig=1", tmp_path / "report.csv")
    assert list(tmp_path.iterdir()) == []


async def test_a_download_that_is_too_slow_is_aborted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "GRACE_S", 0.05)
    with EndlessServer(b" ", pause_s=0.02) as server, pytest.raises(BeyondLimits, match="too slow"):
        await download_file(f"{server.url}/raw?sig=1", tmp_path / "report.csv")
