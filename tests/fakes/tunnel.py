"""A proxy that leads to one server of the tests, whichever was asked for."""

import asyncio
from urllib.parse import urlsplit

from tests.fakes.in_thread import ServerInThread
from tests.fakes.raw_http import RawRequest, read_head


class Tunnel(ServerInThread):
    """Lets through who asks with CONNECT; `requests` holds what was asked for."""

    def __init__(self, leads_to: str) -> None:
        super().__init__()
        self._leads_to = urlsplit(leads_to)
        self.requests: list[RawRequest] = []

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await read_head(reader)
        if head is None:
            return
        self.requests.append(RawRequest(head.line, head.headers))
        behind, onwards = await asyncio.open_connection(self._leads_to.hostname, self._leads_to.port)
        try:
            writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
            await asyncio.gather(_pass_on(reader, onwards), _pass_on(behind, writer))
        finally:
            onwards.transport.abort()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while piece := await reader.read(1 << 16):
        writer.write(piece)
        await writer.drain()
    writer.close()
