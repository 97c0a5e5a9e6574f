"""Uvicorn's HTTP protocol with limits on header size, waiting time and number of connections.

What a request may cost is bounded before it is read, so that memory use stays constant and no client holds
up others. File descriptors are limited, and the database and files need some: when the maximum number of
connections is reached, the one that has been idle longest is closed.
"""

import os
import re
import sys
from asyncio import Transport
from functools import cache
from http import HTTPStatus

from httptools import HttpParserCallbackError, HttpParserInvalidMethodError
from typing_extensions import override
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from batchwright.base.i18n import _
from batchwright.base.json_values import to_json
from batchwright.wire.errors import general_error

MAX_HEAD_BYTES = 1024 * 1024
"""Bytes that may arrive without completing a request head or adding to a body."""

MAX_URL_BYTES = 65_535
"""The longest URL that the parser can take apart."""

_METHOD = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,60}(?: |$)")
"""A method at the start of a request (RFC 9110, 9.1)."""
_METHOD_BYTES = 64

HEAD_S = 30.0
"""Time limit for the head of a request."""

STALLED_S = 60.0
"""Interval in which a client must send at least `MIN_BYTES` of a body, or read some of a response."""

MIN_BYTES = 1024

MAX_CONNECTIONS = 2048

_RESERVED_DESCRIPTORS = 256
"""For the database, files, and everything else in the process."""


@cache
def max_connections() -> int:
    """The maximum number of connections, given the limit on file descriptors."""
    if os.name == "nt":
        return MAX_CONNECTIONS
    import resource  # noqa: PLC0415

    limit, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limit == resource.RLIM_INFINITY:
        return MAX_CONNECTIONS
    return min(MAX_CONNECTIONS, limit - min(_RESERVED_DESCRIPTORS, limit // 2))


class _UrlTooLong(Exception):
    """The URL of a request is longer than `MAX_URL_BYTES`."""


class BoundedHttpProtocol(HttpToolsProtocol):
    """Uvicorn's protocol, which by itself reads heads of any size and waits without a time limit."""

    _unread = 0
    _start = b""
    """The first bytes of a request whose head is incomplete."""
    _received = 0
    """Bytes received since the last check."""
    _waiting_since: float | None = None
    """Since when an incomplete head is awaited."""
    idle_since = 0.0
    """When the connection was opened or its last response completed."""
    _checked_at = 0.0
    """When progress was last checked."""
    _unsent_bytes = 0
    """Bytes in the write buffer at that time; 0 once writing has resumed since."""

    @override
    def connection_made(self, transport: Transport) -> None:  # type: ignore[override] # as in uvicorn
        super().connection_made(transport)
        self._waiting_since = self._checked_at = self.idle_since = self.loop.time()
        self.loop.call_later(HEAD_S, self._check_progress)
        if len(self.connections) > max_connections():
            self._close_idle_connection()

    @override
    def data_received(self, data: bytes) -> None:
        if self.is_idle and self._waiting_since is None:
            self._waiting_since = self.loop.time()
        if self.is_idle and len(self._start) < _METHOD_BYTES:
            self._start += data[: _METHOD_BYTES - len(self._start)]
        super().data_received(data)
        self._unread += len(data)
        self._received += len(data)
        if self._unread > MAX_HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("")

    @override
    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        if len(self.url) > MAX_URL_BYTES:
            raise _UrlTooLong

    @override
    def on_headers_complete(self) -> None:
        self._unread = 0
        self._start = b""
        self._waiting_since = None
        super().on_headers_complete()

    @override
    def on_body(self, body: bytes) -> None:
        self._unread = 0
        super().on_body(body)

    @override
    def on_message_complete(self) -> None:
        self._unread = 0
        super().on_message_complete()

    @override
    def on_response_complete(self) -> None:
        self.idle_since = self.loop.time()
        super().on_response_complete()

    @override
    def resume_writing(self) -> None:
        self._unsent_bytes = 0
        super().resume_writing()

    @property
    def is_open(self) -> bool:
        """Whether the connection is not closing."""
        return not self.transport.is_closing()

    @property
    def is_idle(self) -> bool:
        """Whether no request is being processed."""
        return self.cycle is None or self.cycle.response_complete

    def _check_progress(self) -> None:
        """Close the connection if it makes no progress; otherwise check again later."""
        if self.transport.is_closing():
            return
        now = self.loop.time()
        if self._waiting_since is not None and now - self._waiting_since >= HEAD_S:
            self._time_out()
            return
        if now - self._checked_at >= STALLED_S:
            if self._is_stalled():
                self.transport.abort()
                return
            self._checked_at, self._received = now, 0
            self._unsent_bytes = self.transport.get_write_buffer_size()
        self.loop.call_later(min(HEAD_S, STALLED_S), self._check_progress)

    def _is_stalled(self) -> bool:
        """Whether the client sends almost nothing of a body, or reads nothing of a response."""
        if self.flow.write_paused:
            return self._unsent_bytes == self.transport.get_write_buffer_size()
        is_sending = not self.is_idle and self.cycle.more_body
        return is_sending and not self.flow.read_paused and self._received < MIN_BYTES

    def _close_idle_connection(self) -> None:
        """Close the connection that has been idle longest, or this one if all are busy."""
        connections = [item for item in self.connections if isinstance(item, BoundedHttpProtocol)]
        open_connections = [connection for connection in connections if connection.is_open]
        if len(open_connections) > max_connections():
            idle = [connection for connection in open_connections if connection.is_idle]
            min(idle, key=lambda connection: connection.idle_since, default=self).transport.abort()

    def _time_out(self) -> None:
        """Reject a request with an incomplete head; close a connection without one."""
        if self._unread:
            self._reject(HTTPStatus.REQUEST_TIMEOUT, _("The request was not complete in time."))
        else:
            self.transport.close()

    @override
    def send_400_response(self, msg: str) -> None:
        """Reject invalid HTTP with the general error body (wire reference, section 2.1)."""
        match sys.exception():
            case HttpParserCallbackError(__context__=_UrlTooLong()):
                message = _("The URL is longer than {most} bytes.").format(most=MAX_URL_BYTES)
                self._reject(HTTPStatus.REQUEST_URI_TOO_LONG, message)
            case HttpParserInvalidMethodError() if _METHOD.match(self._start):
                self._reject(HTTPStatus.NOT_IMPLEMENTED, _("This service does not know the method."))
            case _:
                self._reject(HTTPStatus.BAD_REQUEST, _("Not a valid HTTP request."))

    def _reject(self, status: HTTPStatus, message: str) -> None:
        body = to_json(general_error(status, message)).encode()
        head = (
            f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()
