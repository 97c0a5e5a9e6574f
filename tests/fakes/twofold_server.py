"""A server that sends every answer twice, as a broken proxy may."""

import asyncio
from collections.abc import Iterable

from tests.fakes.in_thread import ServerInThread
from tests.fakes.raw_http import Reply, read_body, read_head


class TwofoldServer(ServerInThread):
    """Gives `replies` in their order, each of them twice on the connection that asked.

    Args:
        replies: one for each request.
        is_late: whether the second copy comes only once the next request on that connection is there.
    """

    def __init__(self, replies: Iterable[Reply], *, is_late: bool) -> None:
        super().__init__()
        self._replies = iter(replies)
        self._is_late = is_late

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        copy = b""
        while head := await read_head(reader):
            async for _piece in read_body(reader, head):
                pass
            answer = next(self._replies).written()
            writer.write(copy + answer if self._is_late else answer + answer)
            copy = answer
            await writer.drain()
