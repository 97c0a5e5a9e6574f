"""A proxy in front of a real service that goes wrong at one request, or from it on until it is mended."""

import asyncio
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from enum import Enum, auto
from urllib.parse import urlsplit

from tests.fakes.in_thread import ServerInThread, reset
from tests.fakes.raw_http import Head, RawRequest, Reply, read_body, read_head
from tests.fakes.stumbling_server import (
    BAD_GATEWAY,
    BUSY,
    ELSEWHERE,
    FAULT,
    FORBIDDEN,
    GARBAGE,
    NO_SUCH_PAGE,
    SIGN_IN_PAGE,
    busy_for,
)


class Fault(Enum):
    """Ways to go wrong; where the request was carried out all the same, that is said."""

    REFUSE = auto()
    """Nobody listens."""
    RESET_BEFORE = auto()
    """The connection is reset before anything of the request has reached the service."""
    RESET_AFTER = auto()
    """The request is carried out, and the connection is reset before anything of its answer comes back."""
    CUT = auto()
    """The request is carried out, and the connection ends in the middle of the answer."""
    STALL = auto()
    """The request is carried out, and no answer ever comes."""
    BUSY = auto()
    BUSY_FOR = auto()
    """Busy, and says for how long."""
    FAULT = auto()
    """The request is carried out, and the service fails all the same."""
    BAD_GATEWAY = auto()
    """The request is carried out, and what stands before the service answers for it."""
    FORBIDDEN = auto()
    GARBAGE = auto()
    """The request is carried out, and half a JSON text comes back."""
    EXPIRED = auto()
    """Storage says that the address is not good any more."""
    CLOCK_AHEAD = auto()
    """The request is carried out, by a service whose clock is an hour ahead of ours."""
    CLOCK_BEHIND = auto()
    SIGN_IN_PAGE = auto()
    NO_SUCH_PAGE = auto()
    """Whatever stands before the service does not know it for the moment, and says so with a page."""
    ELSEWHERE = auto()
    """A redirect to a page that asks people to sign in."""


_DENIED = b"<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>"
_IN_PLACE = {
    Fault.BUSY: BUSY,
    Fault.BUSY_FOR: busy_for("3"),
    Fault.FORBIDDEN: FORBIDDEN,
    Fault.EXPIRED: Reply(403, _DENIED, {"Content-Type": "application/xml"}),
    Fault.SIGN_IN_PAGE: SIGN_IN_PAGE,
    Fault.NO_SUCH_PAGE: NO_SUCH_PAGE,
    Fault.ELSEWHERE: ELSEWHERE,
}
"""Answers that stand in for the service, which never sees the request."""
_INSTEAD = {Fault.FAULT: FAULT, Fault.BAD_GATEWAY: BAD_GATEWAY, Fault.GARBAGE: GARBAGE}
"""Answers that come back in place of the real one."""
_CLOCKS = {Fault.CLOCK_AHEAD: timedelta(hours=1), Fault.CLOCK_BEHIND: timedelta(hours=-1)}

RESETS = (Fault.RESET_BEFORE, Fault.RESET_AFTER)


class FaultyProxy(ServerInThread):
    """Passes everything on to `target`, an address such as `http://127.0.0.1:8000`, but for some requests.

    Addresses of the service in its answers become addresses of the proxy, so that files come by it as well.

    Args:
        target: the service.
        fault: what goes wrong; None for nothing.
        nth: at which request, counted from 1 over all connections.
        is_lasting: whether it goes wrong at every request from then on, until `mend` is called.

    `requests` holds every request that has arrived here, in order; `struck` counts those that went wrong.
    """

    def __init__(
        self, target: str, error: Fault | None = None, nth: int = 1, *, is_lasting: bool = False
    ) -> None:
        super().__init__()
        self._target = target
        self._fault, self._nth, self._is_lasting = error, nth, is_lasting
        self.requests: list[RawRequest] = []
        self.struck = 0
        self._is_shut = False

    @property
    def calls(self) -> list[str]:
        """Method and path of each request, in order."""
        return [request.call for request in self.requests]

    def open(self) -> None:
        super().open()
        self._is_shut = False
        self._shut_when_due()

    def mend(self) -> None:
        """Let nothing go wrong any more."""
        self._fault = None
        if self._is_shut:
            self.open()

    async def sleep(self, _seconds: float) -> None:
        """Let no time go by; for a client to wait with. Nobody who refused it goes on refusing after that."""
        if self._is_shut and not self._is_lasting:
            self.mend()

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await read_head(reader):
            error = self._due(len(self.requests) + 1)
            if error is not None:
                self.struck += 1
            body = b"" if error is Fault.RESET_BEFORE else await _read_message(reader, head)
            self.requests.append(RawRequest(head.line, head.headers, body))
            if error is Fault.RESET_BEFORE:
                return reset(writer)
            if error in _IN_PLACE:
                writer.write(_IN_PLACE[error].written())
                continue
            answer = await self._answered(head, body)
            match error:
                case Fault.RESET_AFTER:
                    return reset(writer)
                case Fault.CUT:
                    writer.write(answer[: len(answer) // 2])
                    return await writer.drain()
                case Fault.STALL:
                    await reader.read()
                    return None
                case Fault.FAULT | Fault.BAD_GATEWAY | Fault.GARBAGE:
                    writer.write(_INSTEAD[error].written())
                case Fault.CLOCK_AHEAD | Fault.CLOCK_BEHIND:
                    writer.write(_with_clock(answer, _CLOCKS[error]))
                case _:
                    writer.write(answer)
            await writer.drain()
            if self._fault is Fault.REFUSE:
                # A connection that is kept would be used again, and nobody would be refused: so each answer
                # says that its connection ends.
                self._shut_when_due()
                return None
        return None

    def _due(self, number: int) -> Fault | None:
        is_due = number >= self._nth if self._is_lasting else number == self._nth
        return self._fault if is_due and self._fault is not Fault.REFUSE else None

    def _shut_when_due(self) -> None:
        if self._fault is Fault.REFUSE and len(self.requests) == self._nth - 1:
            self.struck += 1
            self._is_shut = True
            self._loop.call_soon_threadsafe(self.shut)

    async def _answered(self, head: Head, body: bytes) -> bytes:
        """The whole answer of the service as it travels, its addresses turned into ours."""
        parts = urlsplit(self._target)
        upstream, onwards = await asyncio.open_connection(parts.hostname, parts.port)
        try:
            onwards.write(_closing(head) + body)
            answer = await upstream.read()
        finally:
            onwards.transport.abort()
        if not _is_complete(answer):
            raise ConnectionResetError("the service was killed as it answered")
        answer = _with_body(answer, lambda text: text.replace(self._target.encode(), self.url.encode()))
        return answer if self._fault is Fault.REFUSE else _is_kept_alive(answer)


async def _read_message(reader: asyncio.StreamReader, head: Head) -> bytes:
    return b"".join([piece async for piece in read_body(reader, head)])


def _closing(head: Head) -> bytes:
    """The head of a request after whose answer the service closes the connection: so its end is known."""
    lines = [b"%b: %b" % pair for pair in head.headers if pair[0].lower() != b"connection"]
    return b"\r\n".join([head.line, *lines, b"Connection: close", b"", b""])


def _is_complete(answer: bytes) -> bool:
    head, gap, body = answer.partition(b"\r\n\r\n")
    announced = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    return bool(gap) and (announced is None or len(body) == int(announced[1]))


def _with_body(answer: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """A JSON answer with another body, and the head that belongs to it; any other as it is."""
    head, gap, body = answer.partition(b"\r\n\r\n")
    if b"application/json" not in head.lower() or b"chunked" in head.lower():
        return answer
    body = change(body)
    length = b"content-length: %d" % len(body)
    return re.sub(rb"(?i)content-length: *\d+", length, head) + gap + body


def _is_kept_alive(answer: bytes) -> bytes:
    head, gap, body = answer.partition(b"\r\n\r\n")
    return re.sub(rb"(?i)\r\nconnection: *close", b"", head) + gap + body


def _with_clock(answer: bytes, shift: timedelta) -> bytes:
    """An answer as it would be if the clock of the service were another."""

    def moved(matches: re.Match[bytes]) -> bytes:
        date = parsedate_to_datetime(matches[2].decode())
        return matches[1] + format_datetime(date + shift, usegmt=True).encode()

    def with_expiry(body: bytes) -> bytes:
        return re.sub(rb'("expires_at": *")([^"]+)', later, body)

    def later(matches: re.Match[bytes]) -> bytes:
        expires = datetime.fromisoformat(matches[2].decode()) + shift
        return matches[1] + expires.isoformat(timespec="milliseconds").replace("+00:00", "Z").encode()

    return _with_body(re.sub(rb"(?i)(\r\ndate: )([^\r]+)", moved, answer), with_expiry)
