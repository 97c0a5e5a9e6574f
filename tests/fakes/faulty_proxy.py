"""A proxy in front of a real service with a fault at one request, or from that request on."""

import asyncio
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from enum import Enum, auto
from urllib.parse import urlsplit

from tests.fakes.failing_server import (
    BAD_GATEWAY,
    BUSY,
    FORBIDDEN,
    INVALID_JSON,
    NO_SUCH_PAGE,
    REDIRECT,
    SERVER_ERROR,
    SIGN_IN_PAGE,
    busy_for,
)
from tests.fakes.raw_http import FakeResponse, Head, RawRequest, read_body, read_head
from tests.fakes.server_in_thread import ServerInThread, reset


class Fault(Enum):
    """Faults of the proxy; the service does not get the request unless stated."""

    REFUSE = auto()
    """The connection is refused."""
    RESET_BEFORE = auto()
    """The connection is reset before the request reaches the service."""
    RESET_AFTER = auto()
    """The service handles the request, and the connection is reset before the response."""
    CUT = auto()
    """The service handles the request, and the connection ends in the middle of the response."""
    STALL = auto()
    """The service handles the request, and no response is sent."""
    BUSY = auto()
    BUSY_FOR = auto()
    """Status 429 with a `Retry-After` header."""
    SERVER_ERROR = auto()
    """The service handles the request, and the response is a server error."""
    BAD_GATEWAY = auto()
    """The service handles the request, and a gateway sends an error."""
    FORBIDDEN = auto()
    INVALID_JSON = auto()
    """The service handles the request, and the response is truncated JSON."""
    EXPIRED = auto()
    """Storage reports that the URL has expired."""
    CLOCK_AHEAD = auto()
    """The service handles the request, and its clock is one hour ahead."""
    CLOCK_BEHIND = auto()
    SIGN_IN_PAGE = auto()
    NO_SUCH_PAGE = auto()
    """A gateway responds with an HTML page of status 404."""
    REDIRECT = auto()
    """A redirect to a sign-in page."""


_DENIED = b"<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>"
_REPLACED_REQUESTS = {
    Fault.BUSY: BUSY,
    Fault.BUSY_FOR: busy_for("3"),
    Fault.FORBIDDEN: FORBIDDEN,
    Fault.EXPIRED: FakeResponse(403, _DENIED, {"Content-Type": "application/xml"}),
    Fault.SIGN_IN_PAGE: SIGN_IN_PAGE,
    Fault.NO_SUCH_PAGE: NO_SUCH_PAGE,
    Fault.REDIRECT: REDIRECT,
}
"""Responses sent without forwarding the request."""
_REPLACED_RESPONSES = {
    Fault.SERVER_ERROR: SERVER_ERROR,
    Fault.BAD_GATEWAY: BAD_GATEWAY,
    Fault.INVALID_JSON: INVALID_JSON,
}
"""Responses that replace that of the service."""
_CLOCKS = {Fault.CLOCK_AHEAD: timedelta(hours=1), Fault.CLOCK_BEHIND: timedelta(hours=-1)}

RESETS = (Fault.RESET_BEFORE, Fault.RESET_AFTER)


class FaultyProxy(ServerInThread):
    """Forwards requests to `target`, a URL such as `http://127.0.0.1:8000`, and applies a fault to some.

    URLs of the service in responses are replaced by URLs of the proxy, so that files pass through it too.

    Args:
        target: the service.
        fault: the fault; None for none.
        nth: the number of the request, counted from 1 over all connections.
        is_lasting: whether the fault applies to all following requests until `clear_fault` is called.

    `requests` has all received requests in order; `fault_count` counts those with the fault.
    """

    def __init__(
        self, target: str, fault: Fault | None = None, nth: int = 1, *, is_lasting: bool = False
    ) -> None:
        super().__init__()
        self._target = target
        self._fault, self._nth, self._is_lasting = fault, nth, is_lasting
        self.requests: list[RawRequest] = []
        self.fault_count = 0
        self._is_closed = False

    @property
    def calls(self) -> list[str]:
        """Method and path of each request, in order."""
        return [request.call for request in self.requests]

    def open(self) -> None:
        super().open()
        self._is_closed = False
        self._close_when_due()

    def clear_fault(self) -> None:
        """Apply no fault any more."""
        self._fault = None
        if self._is_closed:
            self.open()

    async def sleep(self, _seconds: float) -> None:
        """Return at once; a proxy that has refused a single connection listens again."""
        if self._is_closed and not self._is_lasting:
            self.clear_fault()

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await read_head(reader):
            fault = self._fault_for(len(self.requests) + 1)
            if fault is not None:
                self.fault_count += 1
            body = b"" if fault is Fault.RESET_BEFORE else await _read_message(reader, head)
            self.requests.append(RawRequest(head.line, head.headers, body))
            if fault is Fault.RESET_BEFORE:
                return reset(writer)
            if fault in _REPLACED_REQUESTS:
                writer.write(_REPLACED_REQUESTS[fault].to_bytes())
                continue
            response = await self._forward(head, body)
            match fault:
                case Fault.RESET_AFTER:
                    return reset(writer)
                case Fault.CUT:
                    writer.write(response[: len(response) // 2])
                    return await writer.drain()
                case Fault.STALL:
                    await reader.read()
                    return None
                case Fault.SERVER_ERROR | Fault.BAD_GATEWAY | Fault.INVALID_JSON:
                    writer.write(_REPLACED_RESPONSES[fault].to_bytes())
                case Fault.CLOCK_AHEAD | Fault.CLOCK_BEHIND:
                    writer.write(_with_clock(response, _CLOCKS[fault]))
                case _:
                    writer.write(response)
            await writer.drain()
            if self._fault is Fault.REFUSE:
                # No request on a kept connection would be refused: each response closes it.
                self._close_when_due()
                return None
        return None

    def _fault_for(self, number: int) -> Fault | None:
        is_reached = number >= self._nth if self._is_lasting else number == self._nth
        return self._fault if is_reached and self._fault is not Fault.REFUSE else None

    def _close_when_due(self) -> None:
        if self._fault is Fault.REFUSE and len(self.requests) == self._nth - 1:
            self.fault_count += 1
            self._is_closed = True
            self._loop.call_soon_threadsafe(self.close)

    async def _forward(self, head: Head, body: bytes) -> bytes:
        """The raw response of the service, with its URLs replaced by those of the proxy."""
        parts = urlsplit(self._target)
        upstream_reader, upstream_writer = await asyncio.open_connection(parts.hostname, parts.port)
        try:
            upstream_writer.write(_closing(head) + body)
            response = await upstream_reader.read()
        finally:
            upstream_writer.transport.abort()
        if not _is_complete(response):
            raise ConnectionResetError("the service was killed while it responded")
        response = _with_body(response, lambda text: text.replace(self._target.encode(), self.url.encode()))
        return response if self._fault is Fault.REFUSE else _without_close(response)


async def _read_message(reader: asyncio.StreamReader, head: Head) -> bytes:
    return b"".join([piece async for piece in read_body(reader, head)])


def _closing(head: Head) -> bytes:
    """The head of a request that asks the service to close the connection after the response."""
    lines = [b"%b: %b" % pair for pair in head.headers if pair[0].lower() != b"connection"]
    return b"\r\n".join([head.line, *lines, b"Connection: close", b"", b""])


def _is_complete(response: bytes) -> bool:
    head, separator, body = response.partition(b"\r\n\r\n")
    content_length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    return bool(separator) and (content_length is None or len(body) == int(content_length[1]))


def _with_body(response: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """A JSON response with a changed body and its length; any other response unchanged."""
    head, separator, body = response.partition(b"\r\n\r\n")
    if b"application/json" not in head.lower() or b"chunked" in head.lower():
        return response
    body = change(body)
    length = b"content-length: %d" % len(body)
    return re.sub(rb"(?i)content-length: *\d+", length, head) + separator + body


def _without_close(response: bytes) -> bytes:
    head, separator, body = response.partition(b"\r\n\r\n")
    return re.sub(rb"(?i)\r\nconnection: *close", b"", head) + separator + body


def _with_clock(response: bytes, shift: timedelta) -> bytes:
    """A response as if the clock of the service was shifted."""

    def shifted_date(matches: re.Match[bytes]) -> bytes:
        date = parsedate_to_datetime(matches[2].decode())
        return matches[1] + format_datetime(date + shift, usegmt=True).encode()

    def with_expiry(body: bytes) -> bytes:
        return re.sub(rb'("expires_at": *")([^"]+)', shifted_expiry, body)

    def shifted_expiry(matches: re.Match[bytes]) -> bytes:
        expires = datetime.fromisoformat(matches[2].decode()) + shift
        return matches[1] + expires.isoformat(timespec="milliseconds").replace("+00:00", "Z").encode()

    return _with_body(re.sub(rb"(?i)(\r\ndate: )([^\r]+)", shifted_date, response), with_expiry)
