"""ASGI middleware: host and other headers, trailing slashes, response headers, and unread request bodies."""

import asyncio
import ipaddress
import re
from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from batchwright.base.i18n import _
from batchwright.base.text import truncate
from batchwright.service.http.responses import error_response
from batchwright.wire.instructions import DEPRECATION_HEADERS

_INSTRUCTIONS = re.compile(r"/api/v1/data-collection/batches/.*/instructions/?", re.DOTALL)


class HostHeaderMiddleware:
    """Rejects requests whose Host header does not name this service.

    Otherwise a web page could reach the service through a domain that resolves to this computer (DNS
    rebinding). Numeric addresses cannot be redirected that way and are accepted.
    """

    def __init__(self, app: ASGIApp, names: frozenset[str]) -> None:
        self._app = app
        self._names = names | {"localhost"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reject the request or pass it on."""
        if scope["type"] == "http" and not self._is_allowed(Headers(scope=scope).getlist("host")):
            response = error_response(
                HTTPStatus.BAD_REQUEST, _("The Host header does not name this service.")
            )
            await response(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_allowed(self, hosts: list[str]) -> bool:
        names = [host_name(host) for host in hosts]
        return len(names) == 1 and (names[0] in self._names or _is_numeric(names[0]))


class RequestHeadersMiddleware:
    """Rejects requests whose headers ask for what this service does not do.

    A compressed body would be stored or parsed as it is, and an unknown expectation not be met.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reject the request or pass it on."""
        rejection = _header_rejection(Headers(scope=scope)) if scope["type"] == "http" else None
        if rejection is not None:
            await rejection(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _header_rejection(headers: Headers) -> Response | None:
    """415 for an encoded body, 417 for an expectation other than `100-continue` (wire reference, 1.7)."""
    codings = _listed(headers, "content-encoding") - {"", "identity"}
    if codings:
        return error_response(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            _("Bodies with the Content-Encoding {coding} are not accepted; send it without one.").format(
                coding=truncate(min(codings))
            ),
            {"Accept-Encoding": "identity"},
        )
    if _listed(headers, "expect") - {"", "100-continue"}:
        return error_response(
            HTTPStatus.EXPECTATION_FAILED, _("The only value that Expect may have is 100-continue.")
        )
    return None


def _listed(headers: Headers, name: str) -> set[str]:
    """The values of a header, which may be sent several times, in lower case."""
    return {value.strip().lower() for line in headers.getlist(name) for value in line.split(",")}


class TrailingSlashMiddleware:
    """Routes a path with a trailing slash like one without, without a redirect (wire reference, 1.1)."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on without the trailing slash."""
        if scope["type"] == "http" and len(scope["path"]) > 1:
            scope = {**scope, "path": scope["path"].removesuffix("/")}
        await self._app(scope, receive, send)


SAFE_HEADERS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
"""Headers of every response that does not set them itself."""


class ResponseHeadersMiddleware:
    """Adds headers to each response: `SAFE_HEADERS`, and those of deprecated endpoints (Versioning 3).

    It wraps the other middleware, so that responses of theirs have these headers, too.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and complete the headers of its response."""

        async def complete(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(sunset_headers(scope["path"]))
                for name, value in SAFE_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, complete)


def sunset_headers(path: str) -> Mapping[str, str]:
    """The headers of responses at a deprecated path; empty for other paths."""
    return DEPRECATION_HEADERS if _INSTRUCTIONS.fullmatch(path) else {}


def host_name(host: str) -> str:
    """The name in a Host header or in the host part of a URL: no port, no brackets, lower case."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if ":" in host else host


def _is_numeric(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


MAX_DISCARDED_BYTES = 512 * 1024 * 1024
"""Bytes of a body that are read and discarded before the connection is closed."""

_SHORT_BODY_BYTES = 64 * 1024
_DISCARD_TIMEOUT_S = 30.0
_SILENCE_TIMEOUT_S = 1.0
"""After this time without data, the client is assumed to have stopped sending."""


class UnreadBodyMiddleware:
    """Sends a response at once, then discards the rest of the request's body, within limits, and closes.

    Most clients send their whole body before they read. If the connection were closed before that, the
    operating system would discard the response, and the client would not see why it was rejected.

    A short body is discarded before the response, and the connection stays open. A client that waits for
    `100 Continue` sends no body.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; complete its response after the body."""
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
    """The body of a request, and whether it is complete."""

    def __init__(self, receive: Receive, headers: Headers) -> None:
        self._receive = receive
        self._waits = "100-continue" in headers.get("expect", "").lower()
        self.is_short = int(headers.get("content-length", _SHORT_BODY_BYTES + 1)) <= _SHORT_BODY_BYTES
        self.is_over = False

    async def receive(self) -> Message:
        """The next message of the body, for the application."""
        self._waits = False
        message = await self._receive()
        self.is_over = not message.get("more_body", False)
        return message

    async def discard(self) -> None:
        """Read and discard the rest of the body, within limits."""
        remaining = MAX_DISCARDED_BYTES
        with suppress(TimeoutError):
            async with asyncio.timeout(_DISCARD_TIMEOUT_S):
                while remaining > 0 and not (self.is_over or self._waits):
                    message = await asyncio.wait_for(self.receive(), _SILENCE_TIMEOUT_S)
                    remaining -= len(message.get("body", b""))


def _has_body(headers: Headers) -> bool:
    return headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
