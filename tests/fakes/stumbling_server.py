"""A server that stumbles as its script says, request by request, and answers well in between."""

import asyncio
from collections.abc import Callable, Iterable
from enum import Enum, auto

from tests.fakes.in_thread import ServerInThread, reset
from tests.fakes.raw_http import Head, RawRequest, Reply, read_body, read_head


class Stumble(Enum):
    """Ways to fail that are no answer."""

    RESET_BEFORE = auto()
    """The connection is reset before the request is taken."""
    RESET_AFTER = auto()
    """The request is carried out, and then the connection is reset."""
    CUT = auto()
    """The request is carried out, and the connection is reset in the middle of the answer."""
    STALL = auto()
    """The request is carried out, and no answer ever comes."""


BUSY = Reply.of({"error": {"status": 429, "title": "Too Many Requests", "detail": "Slow down."}}, 429)
FAULT = Reply.of({"error": {"status": 500, "title": "Internal Server Error", "detail": "Oh dear."}}, 500)
BAD_GATEWAY = Reply(502, b"<html><h1>502 Bad Gateway</h1></html>", {"Content-Type": "text/html"})
FORBIDDEN = Reply(403)
GARBAGE = Reply(200, b'{"id": "65a9', {"Content-Type": "application/json"})
SIGN_IN_PAGE = Reply(200, b"<html>Welcome to Hotel Wi-Fi</html>", {"Content-Type": "text/html"})
NO_SUCH_PAGE = Reply(404, b"<html><h1>404 Not Found</h1></html>", {"Content-Type": "text/html"})
ELSEWHERE = Reply(302, b"", {"Location": "https://elsewhere.example.org/login"})


def busy_for(seconds: str) -> Reply:
    """A 429 that says how long to wait."""
    return Reply(429, BUSY.body, {**BUSY.headers, "Retry-After": seconds})


class StumblingServer(ServerInThread):
    """Gives the n-th request the n-th line of the script; None in it, and its end, mean a good answer.

    `arrived` holds the requests that were carried out, whether or not they were answered.
    """

    def __init__(
        self,
        script: Iterable[Stumble | Reply | None],
        good: Callable[[RawRequest], Reply] = lambda _: Reply(),
    ) -> None:
        super().__init__()
        self.arrived: list[RawRequest] = []
        self._script = iter(script)
        self._good = good

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await read_head(reader):
            line = next(self._script, None)
            if line is Stumble.RESET_BEFORE:
                return reset(writer)
            if isinstance(line, Reply):
                await self._take(reader, head)
                writer.write(line.written())
                continue
            request = await self._take(reader, head)
            self.arrived.append(request)
            reply = self._good(request)
            match line:
                case Stumble.RESET_AFTER:
                    return reset(writer)
                case Stumble.CUT:
                    half = Reply(reply.status, reply.body[: len(reply.body) // 2], reply.headers)
                    writer.write(half.written(announced=max(1, len(reply.body))))
                    await writer.drain()
                    return None
                case Stumble.STALL:
                    await reader.read()
                    return None
            writer.write(reply.written())
            await writer.drain()
        return None

    async def _take(self, reader: asyncio.StreamReader, head: Head) -> RawRequest:
        body = b"".join([piece async for piece in read_body(reader, head)])
        return RawRequest(head.line, head.headers, body)
