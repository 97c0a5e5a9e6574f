"""Idle connections do not block others, whatever the limit of file descriptors."""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, closing, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from batchwright.service.http import bounded_protocol
from batchwright.service.http.bounded_protocol import BoundedHttpProtocol
from batchwright.service.process import ServiceProcess
from tests.service.api_helpers import Researcher, eventually

HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\n"


async def app(_scope: Scope, receive: Receive, send: Send) -> None:
    """Reads the whole body, then responds with more than the buffers of a connection hold."""
    while (await receive()).get("more_body"):
        continue
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"50000000")]})
    for _piece in range(50):
        await send({"type": "http.response.body", "body": b"x" * 1_000_000, "more_body": True})
    await send({"type": "http.response.body"})


@pytest.fixture
def short_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server with short timeouts."""
    monkeypatch.setattr(bounded_protocol, "HEAD_S", 0.2)
    monkeypatch.setattr(bounded_protocol, "STALLED_S", 0.2)


@asynccontextmanager
async def client() -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Yield a connection to a server; at its end, wait until the server has closed it."""
    protocols: list[BoundedHttpProtocol] = []
    config = uvicorn.Config(app, http=BoundedHttpProtocol, lifespan="off", log_config=None)
    config.load()

    def accepted() -> BoundedHttpProtocol:
        protocols.append(BoundedHttpProtocol(config, ServerState(), {}))
        return protocols[-1]

    def is_closed() -> bool:
        return (
            bool(protocols) and protocols[0].parser is None
        )  # uvicorn removes the parser when the connection ends

    async with await asyncio.get_running_loop().create_server(accepted, "127.0.0.1", 0) as server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        async with asyncio.timeout(30):
            yield reader, writer
        await asyncio.to_thread(eventually, is_closed, bool)
        writer.close()


@pytest.mark.usefixtures("short_timeouts")
@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"", b""),
        (HEAD, b"HTTP/1.1 408"),
        (HEAD + b"Content-Length: 5\r\n\r\nab", b""),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n", b""),
    ],
    ids=["nothing", "half a head", "half a body", "half a chunked body"],
)
async def test_a_stalled_request_is_timed_out(sent: bytes, status: bytes) -> None:
    async with client() as (reader, writer):
        writer.write(sent)
        try:
            response = await reader.read()
        except ConnectionError:
            response = b""
        assert response[: len(status) or None] == status


@pytest.mark.usefixtures("short_timeouts")
async def test_a_client_that_reads_no_response_is_timed_out() -> None:
    async with client() as (_reader, writer):
        writer.transport.pause_reading()  # type: ignore[attr-defined] # a transport that reads
        writer.write(HEAD + b"\r\n")
        await writer.drain()


class SlowTransport(asyncio.Transport):
    """A connection whose client reads slowly: the number of bytes to be sent never changes."""

    def __init__(self, protocol: BoundedHttpProtocol) -> None:
        super().__init__()
        self._protocol = protocol
        self.closed: list[str] = []

    def write(self, data: object) -> None:
        self._protocol.pause_writing()
        asyncio.get_running_loop().call_later(0.05, self._protocol.resume_writing)

    def get_write_buffer_size(self) -> int:
        return 100_000

    def is_closing(self) -> bool:
        return bool(self.closed)

    def close(self) -> None:
        self.closed.append("at its end")

    def abort(self) -> None:
        self.closed.append("too early")


@pytest.mark.usefixtures("short_timeouts")
async def test_a_slow_reader_gets_the_complete_response() -> None:
    async def response(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"connection", b"close")]})
        for _piece in range(10):
            await send({"type": "http.response.body", "body": b"x", "more_body": True})
        await send({"type": "http.response.body"})

    config = uvicorn.Config(response, http=BoundedHttpProtocol, lifespan="off", log_config=None)
    config.load()
    protocol = BoundedHttpProtocol(config, ServerState(), {})
    slow = SlowTransport(protocol)
    protocol.connection_made(slow)
    protocol.data_received(HEAD + b"\r\n")
    await asyncio.gather(*protocol.tasks)
    assert slow.closed == ["at its end"]


async def test_the_longest_idle_connection_is_closed_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_protocol, "max_connections", lambda: 2)

    async def response(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    config = uvicorn.Config(response, http=BoundedHttpProtocol, lifespan="off", log_config=None)
    config.load()
    state = ServerState()
    listening = asyncio.get_running_loop().create_server(
        lambda: BoundedHttpProtocol(config, state, {}), "127.0.0.1", 0
    )
    async with await listening as server:
        address = server.sockets[0].getsockname()
        (reader, busy), (silence, silent) = [await asyncio.open_connection(*address) for _number in "ab"]
        busy.write(HEAD + b"\r\n")
        await reader.readuntil(b"\r\n\r\n")
        _reader, newest = await asyncio.open_connection(*address)
        with suppress(ConnectionError):
            assert await asyncio.wait_for(silence.read(), 30) == b""
        busy.write(HEAD + b"\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 204")
        for writer in (busy, silent, newest):
            writer.close()


FEW = 128
"""The number of file descriptors of a process that may open very few."""


@pytest.fixture
def few_descriptors(tmp_path: Path) -> Iterator[ServiceProcess]:
    """A service that may open few files."""
    limited = ["/bin/sh", "-c", f'ulimit -n {FEW}; exec "$@"', "sh", sys.executable, "-m", "batchwright"]
    service = ServiceProcess(tmp_path / "data", command=limited)
    yield service
    service.stop()


@pytest.mark.skipif(os.name == "nt", reason="descriptors are not limited there")
def test_many_idle_connections_do_not_block_others(few_descriptors: ServiceProcess) -> None:
    running = few_descriptors.start()
    url_parts = urlsplit(running.url)
    with ExitStack() as silent, closing(Researcher(running)) as researcher:
        for _number in range(3 * FEW):
            silent.enter_context(
                closing(socket.create_connection((url_parts.hostname or "", url_parts.port or 0), 10))
            )
        researcher.filled_dataset()
    assert len(few_descriptors.recent_output) < 1000, few_descriptors.recent_output
