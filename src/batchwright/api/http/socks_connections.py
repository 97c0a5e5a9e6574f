"""Closes the connection to a SOCKS proxy that refuses a request or responds with something else.

The HTTP library leaves such a connection open until its memory is released.
"""

from typing import Any

import httpx

_STEP = "socks.setup_socks5_connection"
"""The library's name of the exchange with the proxy, in the events of its `trace` extension."""


async def close_after_refusal(request: httpx.Request) -> None:
    """Prepare a request for it; an event hook of a client."""
    request.extensions["trace"] = _Connection()


class _Connection:
    """The connection of one request to a proxy; without a SOCKS proxy, nothing."""

    async def __call__(self, event: str, details: dict[str, Any]) -> None:
        if event == f"{_STEP}.started":
            self._stream = details["stream"]
        elif event == f"{_STEP}.failed":
            await self._stream.aclose()
