"""Responses to requests whose body has not been read: an ordinary client gets to read them.

Most clients send their whole body before they read. If the connection were closed under them, the
system would throw away what they have received, and they would never learn why they were refused.
"""

import asyncio
from contextlib import suppress

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_DISCARDED = 512 * 1024 * 1024
"""How many bytes of a body are read and thrown away; the connection is closed at the next one."""

_SHORT = 64 * 1024
_LONGEST_S = 30.0
_LONGEST_SILENCE_S = 1.0
"""After this time without a byte, the client has read the response or sends nothing more."""


class UnreadBodies:
    """Sends a response at once, then discards the rest of the request's body, within bounds, and closes.

    A short body is discarded first, and the connection kept. A client that waits for `100 Continue` sends no
    body, and is not waited for.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on; complete its response once its body is over."""
        if scope["type"] != "http" or not _has_body(headers := Headers(scope=scope)):
            await self._app(scope, receive, send)
            return
        body = _Body(receive, headers)

        async def send_all(message: Message) -> None:
            if message["type"] == "http.response.start" and body.is_short:
                await body.discard()
            if body.is_over:
                await send(message)
            elif message["type"] == "http.response.start":
                MutableHeaders(scope=message)["Connection"] = "close"
                await send(message)
            elif message.get("more_body", False):
                await send(message)
            else:
                await send({**message, "more_body": True})
                await body.discard()
                await send({"type": "http.response.body"})

        await self._app(scope, body.receive, send_all)


class _Body:
    """The body of a request, and whether all of it has come."""

    def __init__(self, receive: Receive, headers: Headers) -> None:
        self._receive = receive
        self._waits = "100-continue" in headers.get("expect", "").lower()
        self.is_short = int(headers.get("content-length", _SHORT + 1)) <= _SHORT
        self.is_over = False

    async def receive(self) -> Message:
        """The next piece, for whom it is meant."""
        self._waits = False
        message = await self._receive()
        self.is_over = not message.get("more_body", False)
        return message

    async def discard(self) -> None:
        """Read what is left, within bounds."""
        left = MOST_DISCARDED
        with suppress(TimeoutError):
            async with asyncio.timeout(_LONGEST_S):
                while left > 0 and not (self.is_over or self._waits):
                    message = await asyncio.wait_for(self.receive(), _LONGEST_SILENCE_S)
                    left -= len(message.get("body", b""))


def _has_body(headers: Headers) -> bool:
    return headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
