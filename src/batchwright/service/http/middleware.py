"""What every request passes before it is routed."""

import ipaddress
import re
from collections.abc import Mapping
from http import HTTPStatus

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from batchwright.base.i18n import _
from batchwright.service.http.responses import error_response
from batchwright.wire.instructions import DEPRECATION_HEADERS

_INSTRUCTIONS = re.compile(r"/api/v1/data-collection/batches/.*/instructions/?", re.DOTALL)


class HostHeaderMiddleware:
    """Refuses requests that name a host which is not this service (design.md 6).

    A page from elsewhere could otherwise reach the service through a name that it points here.
    Numeric addresses cannot be pointed elsewhere and are let through.
    """

    def __init__(self, app: ASGIApp, names: frozenset[str]) -> None:
        self._app = app
        self._names = names | {"localhost"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request here, or hand it on."""
        if scope["type"] == "http" and not self._knows(Headers(scope=scope).getlist("host")):
            refusal = error_response(HTTPStatus.BAD_REQUEST, _("The Host header does not name this service."))
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _knows(self, hosts: list[str]) -> bool:
        names = [host_name(host) for host in hosts]
        return len(names) == 1 and (names[0] in self._names or _is_numeric(names[0]))


class TrailingSlashMiddleware:
    """Routes a path with a slash at its end like the one without, and never redirects (wire.md 1.1)."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on, its path without the slash."""
        if scope["type"] == "http" and len(scope["path"]) > 1:
            scope = {**scope, "path": scope["path"].removesuffix("/")}
        await self._app(scope, receive, send)


SAFE_HEADERS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
"""What every answer carries that does not say otherwise: it is what it says it is, and nobody else's."""


class AnswerHeaders:
    """Puts headers on each answer: those that keep it safe, and those of the deprecated endpoints.

    The latter are in the specification (Versioning 3). The first door of all: refusals made before a
    request is routed carry them as well.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on, and complete what is answered."""

        async def complete(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(sunset_headers(scope["path"]))
                for name, value in SAFE_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, complete)


def sunset_headers(path: str) -> Mapping[str, str]:
    """What the answers at a path carry because it is deprecated; nothing for most."""
    return DEPRECATION_HEADERS if _INSTRUCTIONS.fullmatch(path) else {}


def host_name(host: str) -> str:
    """The name in a Host header or in the host part of an address: no port, no brackets, lower case."""
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
