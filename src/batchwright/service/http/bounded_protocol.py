"""HTTP as the server reads it: heads are bounded, nobody is waited for without end, refusals have our shape.

A process has few descriptors, and the database and files need some. There are only so many
connections at a time; when another comes, the one that waits longest for a request is closed.
"""

import os
from asyncio import Transport
from functools import cache
from http import HTTPStatus

from typing_extensions import override
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from batchwright.base.i18n import _
from batchwright.base.json_values import to_json
from batchwright.wire.errors import general_error

LARGEST_HEAD = 1024 * 1024
"""How many bytes may come without a whole head, a piece of a body or an end among them."""

HEAD_S = 30.0
"""How long the head of a request may take."""

STALLED_S = 60.0
"""How long a body may come at less than `LEAST_BYTES`, and an answer wait to be read further."""

LEAST_BYTES = 1024

MOST_CONNECTIONS = 2048

_RESERVED_DESCRIPTORS = 256
"""For the database, files, and what the process needs besides."""


@cache
def most_connections() -> int:
    """How many connections the limit of descriptors leaves room for."""
    if os.name == "nt":
        return MOST_CONNECTIONS
    import resource

    limit, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limit == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    return min(MOST_CONNECTIONS, limit - min(_RESERVED_DESCRIPTORS, limit // 2))


class BoundedHttp(HttpToolsProtocol):
    """Uvicorn's protocol, which alone gathers a head without end, and waits for one for ever."""

    _unread = 0
    _received = 0
    """Bytes since the connection was last looked at."""
    _waiting_since: float | None = None
    """When the head that is not whole began to be waited for."""
    at_rest_since = 0.0
    """When the connection was made, or its last response was complete."""
    _looked_at = 0.0
    """When it was checked last that the connection is in use."""
    _left_to_send = 0
    """Bytes that waited to be sent then; 0 once some of them have made room for others."""

    @override
    def connection_made(self, transport: Transport) -> None:  # type: ignore[override] # as in uvicorn
        super().connection_made(transport)
        self._waiting_since = self._looked_at = self.at_rest_since = self.loop.time()
        self.loop.call_later(HEAD_S, self._look)
        if len(self.connections) > most_connections():
            self._make_room()

    @override
    def data_received(self, data: bytes) -> None:
        if self.is_at_rest and self._waiting_since is None:
            self._waiting_since = self.loop.time()
        super().data_received(data)
        self._unread += len(data)
        self._received += len(data)
        if self._unread > LARGEST_HEAD and not self.transport.is_closing():
            self.send_400_response("")

    @override
    def on_headers_complete(self) -> None:
        self._unread = 0
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
        self.at_rest_since = self.loop.time()
        super().on_response_complete()

    @override
    def resume_writing(self) -> None:
        self._left_to_send = 0
        super().resume_writing()

    @property
    def is_open(self) -> bool:
        """Whether nobody has begun to close it."""
        return not self.transport.is_closing()

    @property
    def is_at_rest(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _look(self) -> None:
        """Close the connection if nothing can be expected of it; look again later otherwise."""
        if self.transport.is_closing():
            return
        now = self.loop.time()
        if self._waiting_since is not None and now - self._waiting_since >= HEAD_S:
            self._give_up()
            return
        if now - self._looked_at >= STALLED_S:
            if self._is_stalled():
                self.transport.abort()
                return
            self._looked_at, self._received = now, 0
            self._left_to_send = self.transport.get_write_buffer_size()
        self.loop.call_later(min(HEAD_S, STALLED_S), self._look)

    def _is_stalled(self) -> bool:
        """Whether a body hardly comes although it would be read, or an answer is not read."""
        if self.flow.write_paused:
            return self._left_to_send == self.transport.get_write_buffer_size()
        is_sending = not self.is_at_rest and self.cycle.more_body
        return is_sending and not self.flow.read_paused and self._received < LEAST_BYTES

    def _make_room(self) -> None:
        """Close the connection that has waited longest for a request; this one if all are at work."""
        is_open = [one for one in self.connections if isinstance(one, BoundedHttp) and one.is_open]
        if len(is_open) > most_connections():
            waiting = [one for one in is_open if one.is_at_rest]
            min(waiting, key=lambda one: one.at_rest_since, default=self).transport.abort()

    def _give_up(self) -> None:
        """End a request whose head does not come to its end; one that never began gets no answer."""
        if self._unread:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, _("The request did not come to its end in time."))
        else:
            self.transport.close()

    @override
    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request like everything else that is refused (wire.md 2.1)."""
        self._refuse(HTTPStatus.BAD_REQUEST, _("This is no HTTP request that can be read."))

    def _refuse(self, status: HTTPStatus, sentence: str) -> None:
        body = to_json(general_error(status, sentence)).encode()
        head = (
            f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()
