"""A server that records every request byte for byte."""

import asyncio

from tests.fakes.raw_http import FakeResponse, RawRequest, read_body, read_head
from tests.fakes.server_in_thread import ServerInThread


class EchoServer(ServerInThread):
    """Sends `response` to every request; `requests` has the requests in order.

    Bodies are discarded if `store_bodies` is false, for benchmarks.
    """

    def __init__(self, response: FakeResponse | None = None, *, store_bodies: bool = True) -> None:
        super().__init__()
        self.response = response or FakeResponse()
        self.requests: list[RawRequest] = []
        self._store_bodies = store_bodies

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await read_head(reader):
            body = bytearray()
            async for chunk in read_body(reader, head):
                if self._store_bodies:
                    body += chunk
            self.requests.append(RawRequest(head.line, head.headers, bytes(body)))
            writer.write(self.response.to_bytes())
            await writer.drain()
