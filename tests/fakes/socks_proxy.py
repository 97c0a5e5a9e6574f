"""SOCKS5 proxies: one connects to one server of the tests, whichever is requested; one sends garbage."""

import asyncio
from urllib.parse import urlsplit

from tests.fakes.server_in_thread import ServerInThread

_NO_SIGN_IN = b"\x05\x00"
_CONNECTED = b"\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x00"


class SocksProxy(ServerInThread):
    """`requests` has the host and port of each requested connection."""

    def __init__(self, target: str) -> None:
        super().__init__()
        self._target = urlsplit(target)
        self.requests: list[tuple[str, int]] = []

    @property
    def url(self) -> str:
        return super().url.replace("http:", "socks5:")

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _version, methods = await reader.readexactly(2)
        await reader.readexactly(methods)
        writer.write(_NO_SIGN_IN)
        *_request, length = await reader.readexactly(5)
        host = (await reader.readexactly(length)).decode()
        self.requests.append((host, int.from_bytes(await reader.readexactly(2), "big")))
        upstream_reader, upstream_writer = await asyncio.open_connection(
            self._target.hostname, self._target.port
        )
        try:
            writer.write(_CONNECTED)
            await asyncio.gather(_forward(reader, upstream_writer), _forward(upstream_reader, writer))
        finally:
            upstream_writer.close()


class GarblingProxy(ServerInThread):
    """Sends `garbage` instead of its first response, or of its second if it `accepts_sign_in`."""

    def __init__(self, garbage: bytes, *, accepts_sign_in: bool) -> None:
        super().__init__()
        self._responses = [_NO_SIGN_IN, garbage] if accepts_sign_in else [garbage]

    @property
    def url(self) -> str:
        return super().url.replace("http:", "socks5:")

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for response in self._responses:
            await reader.read(1 << 10)
            writer.write(response)
            await writer.drain()


async def _forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while chunk := await reader.read(1 << 16):
        writer.write(chunk)
        await writer.drain()
    writer.close()
