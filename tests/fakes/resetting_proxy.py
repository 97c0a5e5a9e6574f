"""A proxy in front of a real service that resets one connection, once."""

import asyncio
from enum import Enum, auto
from urllib.parse import urlsplit

from tests.fakes.in_thread import ServerInThread, reset
from tests.fakes.raw_http import Head, read_body, read_head


class When(Enum):
    """When the connection is reset."""

    BEFORE = auto()
    """Before anything of the request has reached the service."""
    AFTER = auto()
    """When the service has carried the request out, and before anything of its answer comes back."""


class ResettingProxy(ServerInThread):
    """Passes everything on to `target`, an address such as `http://127.0.0.1:8000`, but for one request.

    Args:
        target: the service.
        nth: which request is reset, counted from 1 over all connections; None for none.
        when: before it reaches the service, or after it was carried out.

    `calls` holds method and path of each request, in order; `was_reset` says whether the reset has happened.
    """

    def __init__(self, target: str, nth: int | None, when: When = When.AFTER) -> None:
        super().__init__()
        parts = urlsplit(target)
        self._target = parts.hostname, parts.port
        self._nth = nth
        self._when = when
        self.calls: list[str] = []
        self.was_reset = False

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        upstream, onwards = await asyncio.open_connection(*self._target)
        answers = asyncio.create_task(_pump(upstream, writer))
        try:
            while head := await read_head(reader):
                self.calls.append(_call(head))
                if len(self.calls) != self._nth:
                    await _pass_on(head, reader, onwards)
                    continue
                self.was_reset = True
                answers.cancel()
                if self._when is When.AFTER:
                    await _pass_on(head, reader, onwards)
                    await asyncio.wait([answers])
                    await upstream.read(1)
                return reset(writer)
        finally:
            answers.cancel()
            onwards.close()
        return None


async def _pass_on(head: Head, reader: asyncio.StreamReader, onwards: asyncio.StreamWriter) -> None:
    onwards.write(head.raw)
    async for piece in read_body(reader, head):
        onwards.write(piece)
        await onwards.drain()
    await onwards.drain()


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    """Pass on everything that comes, until it ends; then the sink ends as well."""
    while piece := await source.read(1 << 16):
        sink.write(piece)
        await sink.drain()
    sink.close()


def _call(head: Head) -> str:
    method, target, _version = head.line.decode("latin-1").split(" ")
    return f"{method} {target.partition('?')[0]}"
