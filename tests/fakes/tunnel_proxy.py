"""A proxy that connects to one server of the tests, regardless of the requested one."""

import asyncio
from urllib.parse import urlsplit

from tests.fakes.raw_http import RawRequest, read_head
from tests.fakes.server_in_thread import ServerInThread


class TunnelProxy(ServerInThread):
    """Tunnels CONNECT requests; `requests` has these requests."""

    def __init__(self, target: str) -> None:
        super().__init__()
        self._target = urlsplit(target)
        self.requests: list[RawRequest] = []

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await read_head(reader)
        if head is None:
            return
        self.requests.append(RawRequest(head.line, head.headers))
        upstream_reader, upstream_writer = await asyncio.open_connection(
            self._target.hostname, self._target.port
        )
        try:
            writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
            await asyncio.gather(_forward(reader, upstream_writer), _forward(upstream_reader, writer))
        finally:
            upstream_writer.transport.abort()


async def _forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while chunk := await reader.read(1 << 16):
        writer.write(chunk)
        await writer.drain()
    writer.close()
