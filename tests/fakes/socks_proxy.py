"""A SOCKS5 proxy that leads to one server of the tests, whichever was asked for."""

import asyncio
from urllib.parse import urlsplit

from tests.fakes.in_thread import ServerInThread

_NO_SIGN_IN = b"\x05\x00"
_CONNECTED = b"\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x00"


class SocksProxy(ServerInThread):
    """`asked` holds host and port of each connection that was asked for."""

    def __init__(self, leads_to: str) -> None:
        super().__init__()
        self._leads_to = urlsplit(leads_to)
        self.requests: list[tuple[str, int]] = []

    @property
    def url(self) -> str:
        return super().url.replace("http:", "socks5:")

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _version, methods = await reader.readexactly(2)
        await reader.readexactly(methods)
        writer.write(_NO_SIGN_IN)
        *_request, length = await reader.readexactly(5)
        host = (await reader.readexactly(length)).decode()
        self.requests.append((host, int.from_bytes(await reader.readexactly(2), "big")))
        behind, onwards = await asyncio.open_connection(self._leads_to.hostname, self._leads_to.port)
        try:
            writer.write(_CONNECTED)
            await asyncio.gather(_pass_on(reader, onwards), _pass_on(behind, writer))
        finally:
            onwards.close()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while piece := await reader.read(1 << 16):
        writer.write(piece)
        await writer.drain()
    writer.close()
