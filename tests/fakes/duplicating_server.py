"""A server that sends every response twice, as a faulty proxy may."""

import asyncio
from collections.abc import Iterable

from tests.fakes.raw_http import FakeResponse, read_body, read_head
from tests.fakes.server_in_thread import ServerInThread


class DuplicatingServer(ServerInThread):
    """Sends `responses` in order, each of them twice on the connection of the request.

    Args:
        responses: one for each request.
        is_late: whether the second copy is sent after the next request on that connection.
    """

    def __init__(self, responses: Iterable[FakeResponse], *, is_late: bool) -> None:
        super().__init__()
        self._responses = iter(responses)
        self._is_late = is_late

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        copy = b""
        while head := await read_head(reader):
            async for _chunk in read_body(reader, head):
                pass
            response = next(self._responses).to_bytes()
            writer.write(copy + response if self._is_late else response + response)
            copy = response
            await writer.drain()
