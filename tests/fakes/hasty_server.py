"""A server that answers before it has read what is being sent, as storage does that refuses early."""

import asyncio
from enum import Enum, auto

from tests.fakes.in_thread import ServerInThread, reset
from tests.fakes.raw_http import Reply, read_body, read_head


class Afterwards(Enum):
    """What becomes of the connection after the answer."""

    READS_ON = auto()
    CLOSES = auto()
    RESETS = auto()
    KEEPS_OPEN = auto()
    """Nothing more is read, and nothing ends."""


class HastyServer(ServerInThread):
    """Answers `reply` as soon as the head of a request is there; `asked` counts the requests."""

    def __init__(self, reply: Reply, afterwards: Afterwards) -> None:
        super().__init__()
        self.requests = 0
        self._reply, self._afterwards = reply, afterwards

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await read_head(reader):
            self.requests += 1
            writer.write(self._reply.written())
            await writer.drain()
            match self._afterwards:
                case Afterwards.READS_ON:
                    async for _piece in read_body(reader, head):
                        pass
                case Afterwards.CLOSES:
                    return None
                case Afterwards.RESETS:
                    return reset(writer)
                case Afterwards.KEEPS_OPEN:
                    await asyncio.get_running_loop().create_future()
        return None
