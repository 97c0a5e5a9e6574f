"""A server with a scripted outcome for each request."""

import asyncio
from collections.abc import Callable, Iterable
from enum import Enum, auto

from tests.fakes.raw_http import FakeResponse, Head, RawRequest, read_body, read_head
from tests.fakes.server_in_thread import ServerInThread, reset


class ServerFailure(Enum):
    """Failures without a complete response."""

    RESET_BEFORE = auto()
    """The connection is reset before the request is read."""
    RESET_AFTER = auto()
    """The request is handled, and then the connection is reset."""
    CUT = auto()
    """The request is handled, and the connection ends in the middle of the response."""
    STALL = auto()
    """The request is handled, and no response is sent."""


BUSY = FakeResponse.from_json(
    {"error": {"status": 429, "title": "Too Many Requests", "detail": "Slow down."}}, 429
)
SERVER_ERROR = FakeResponse.from_json(
    {"error": {"status": 500, "title": "Internal Server Error", "detail": "Oh dear."}}, 500
)
BAD_GATEWAY = FakeResponse(502, b"<html><h1>502 Bad Gateway</h1></html>", {"Content-Type": "text/html"})
FORBIDDEN = FakeResponse(403)
INVALID_JSON = FakeResponse(200, b'{"id": "65a9', {"Content-Type": "application/json"})
SIGN_IN_PAGE = FakeResponse(200, b"<html>Welcome to Hotel Wi-Fi</html>", {"Content-Type": "text/html"})
NO_SUCH_PAGE = FakeResponse(404, b"<html><h1>404 Not Found</h1></html>", {"Content-Type": "text/html"})
REDIRECT = FakeResponse(302, b"", {"Location": "https://elsewhere.example.org/login"})


def busy_for(seconds: str) -> FakeResponse:
    """A response of status 429 with a `Retry-After` header."""
    return FakeResponse(429, BUSY.body, {**BUSY.headers, "Retry-After": seconds})


class FailingServer(ServerInThread):
    """Handles the n-th request with the n-th outcome; None, and the end of the outcomes, mean success.

    `arrived` has the handled requests, with or without a response.
    """

    def __init__(
        self,
        outcomes: Iterable[ServerFailure | FakeResponse | None],
        respond: Callable[[RawRequest], FakeResponse] = lambda _: FakeResponse(),
    ) -> None:
        super().__init__()
        self.arrived: list[RawRequest] = []
        self._outcomes = iter(outcomes)
        self._respond = respond

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await read_head(reader):
            outcome = next(self._outcomes, None)
            if outcome is ServerFailure.RESET_BEFORE:
                return reset(writer)
            if isinstance(outcome, FakeResponse):
                await self._read_request(reader, head)
                writer.write(outcome.to_bytes())
                continue
            request = await self._read_request(reader, head)
            self.arrived.append(request)
            response = self._respond(request)
            match outcome:
                case ServerFailure.RESET_AFTER:
                    return reset(writer)
                case ServerFailure.CUT:
                    truncated = FakeResponse(
                        response.status, response.body[: len(response.body) // 2], response.headers
                    )
                    writer.write(truncated.to_bytes(announced=max(1, len(response.body))))
                    await writer.drain()
                    return None
                case ServerFailure.STALL:
                    await reader.read()
                    return None
            writer.write(response.to_bytes())
            await writer.drain()
        return None

    async def _read_request(self, reader: asyncio.StreamReader, head: Head) -> RawRequest:
        body = b"".join([piece async for piece in read_body(reader, head)])
        return RawRequest(head.line, head.headers, body)
