"""A server that keeps every request exactly as it arrived, byte for byte."""

import asyncio

from tests.fakes.in_thread import ServerInThread
from tests.fakes.raw_http import RawRequest, Reply, read_body, read_head


class EchoServer(ServerInThread):
    """Answers every request with `reply`; `requests` holds what came, in order.

    Bodies are thrown away instead of kept when `keep_bodies` is false, for measuring.
    """

    def __init__(self, reply: Reply | None = None, *, keep_bodies: bool = True) -> None:
        super().__init__()
        self.reply = reply or Reply()
        self.requests: list[RawRequest] = []
        self._keep_bodies = keep_bodies

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await read_head(reader):
            body = bytearray()
            async for piece in read_body(reader, head):
                if self._keep_bodies:
                    body += piece
            self.requests.append(RawRequest(head.line, head.headers, bytes(body)))
            writer.write(self.reply.written())
            await writer.drain()
