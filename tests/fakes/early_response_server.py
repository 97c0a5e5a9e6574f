"""A server that responds before it has read the request body, as storage that rejects an upload."""

import asyncio
from enum import Enum, auto

from tests.fakes.raw_http import FakeResponse, read_body, read_head
from tests.fakes.server_in_thread import ServerInThread, reset


class AfterResponse(Enum):
    """What happens to the connection after the response."""

    READ_BODY = auto()
    CLOSE = auto()
    RESET = auto()
    KEEP_OPEN = auto()
    """Nothing more is read, and the connection stays open."""


class EarlyResponseServer(ServerInThread):
    """Sends `response` after the head of a request; `requests` counts the requests."""

    def __init__(self, response: FakeResponse, after_response: AfterResponse) -> None:
        super().__init__()
        self.requests = 0
        self._response, self._after_response = response, after_response

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await read_head(reader):
            self.requests += 1
            writer.write(self._response.to_bytes())
            await writer.drain()
            match self._after_response:
                case AfterResponse.READ_BODY:
                    async for _chunk in read_body(reader, head):
                        pass
                case AfterResponse.CLOSE:
                    return None
                case AfterResponse.RESET:
                    return reset(writer)
                case AfterResponse.KEEP_OPEN:
                    await asyncio.get_running_loop().create_future()
        return None
