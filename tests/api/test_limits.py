"""Responses beyond the limits of size, compression or duration are aborted."""

import asyncio
import gzip
import zlib
from pathlib import Path

import pytest

from batchwright.api import limits
from batchwright.api.errors import BeyondLimits
from tests.api.requests import retries, run_at_url
from tests.api.test_transfers import fetch
from tests.fakes.echo_server import EchoServer
from tests.fakes.in_thread import ServerInThread
from tests.fakes.raw_http import Reply, read_head

JSON = {"Content-Type": "application/json"}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that a test reaches soon."""
    monkeypatch.setattr("batchwright.api.transport.LARGEST_LIST", 200_000)
    monkeypatch.setattr(limits, "RATIO_FROM", 10_000)


class Endless(ServerInThread):
    """Answers every request with a head, and then with the same bytes as long as somebody reads them."""

    def __init__(self, piece: bytes, pause_s: float = 0.0) -> None:
        super().__init__()
        self.sent = 0
        self._piece, self._pause_s = piece, pause_s

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
        while not writer.is_closing():
            writer.write(self._piece)
            self.sent += len(self._piece)
            await writer.drain()
            await asyncio.sleep(self._pause_s)


@pytest.mark.usefixtures("small")
def test_a_list_that_never_ends_is_given_up() -> None:
    with Endless(100_000 * b" ") as server, pytest.raises(BeyondLimits, match="too large"):
        run_at_url(server.url, lambda service: service.batches.list("w"))


@pytest.mark.usefixtures("small")
def test_a_response_that_unpacks_too_far_is_given_up() -> None:
    body = gzip.compress(100_000 * b" ")
    packed = Reply(200, body, {**JSON, "Content-Encoding": "gzip"})
    with EchoServer(packed) as server, pytest.raises(BeyondLimits, match="decompresses to far too much"):
        run_at_url(server.url, lambda service: service.account.check())


def test_an_answer_that_is_packed_twice_is_not_unpacked() -> None:
    body = zlib.compress(gzip.compress(b"{}"))
    packed = Reply(200, body, {**JSON, "Content-Encoding": "gzip, deflate"})
    with EchoServer(packed) as server, pytest.raises(BeyondLimits, match="more than once"):
        run_at_url(server.url, lambda service: service.account.check())


def test_a_response_that_trickles_is_given_up_once_and_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "GRACE_S", 0.05)
    with Endless(b" ", pause_s=0.02) as server, pytest.raises(BeyondLimits, match="too slow"):
        run_at_url(server.url, lambda service: service.account.check(), retries=retries())


@pytest.mark.usefixtures("small")
def test_a_packed_file_no_one_requested_does_not_fill_the_disk(tmp_path: Path) -> None:
    body = gzip.compress(100_000 * b"a,b\n")
    with EchoServer(Reply(200, body, {"Content-Encoding": "gzip"})) as server, pytest.raises(BeyondLimits):
        fetch(f"{server.url}/raw?sig=1", tmp_path / "report.csv")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_trickles_is_not_resumed_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "GRACE_S", 0.05)
    with Endless(b" ", pause_s=0.02) as server, pytest.raises(BeyondLimits, match="too slow"):
        fetch(f"{server.url}/raw?sig=1", tmp_path / "report.csv")
