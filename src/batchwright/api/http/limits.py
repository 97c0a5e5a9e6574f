"""Limits on responses of services and storage: their size, compression ratio and duration.

The sender may be anything: a wrong URL, a proxy, or an attacker. All limits are defined here and are far
above what a working service sends.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from time import monotonic
from typing import Final, Protocol

from batchwright.api.http.errors import BeyondLimits
from batchwright.base.i18n import _
from batchwright.base.limits import MIB

LARGEST_RESPONSE: Final = 64 * MIB
"""Bytes of a decompressed response; the largest known are layouts of some megabytes."""

LARGEST_LIST: Final = 512 * MIB
"""Bytes of a decompressed list: about a million answers of participants."""

LARGEST_FILE: Final = 256 * 1024 * MIB
"""Bytes of a decompressed file.

Most disks have less free space; if storage announces the length, that is checked before the download.
"""

LARGEST_ERROR_BODY: Final = MIB
"""Bytes of an error response of storage."""

HIGHEST_RATIO: Final = 100
"""Highest compression ratio, checked from `RATIO_FROM` bytes on; JSON and CSV reach about 20."""

RATIO_FROM: Final = 8 * MIB

SLOWEST: Final = 1024
"""Bytes per second that must arrive on average; a modem of 1996 reached five times as many."""

GRACE_S: Final = 120.0
"""Seconds that any response may take, however slow it is."""


class HttpResponse(Protocol):
    """A response of the HTTP library whose body has not been read yet."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers; names are case-insensitive."""

    @property
    def num_bytes_downloaded(self) -> int:
        """Bytes of the body received so far, before decompression."""

    def aiter_bytes(self) -> AsyncIterator[bytes]:
        """Yield the decompressed body in parts."""


class Limits:
    """Enforces the limits while the body of one response is received.

    Args:
        call: the request, for errors.
        response: the response, its body not read yet.
        largest: maximum size of the decompressed body in bytes.
    """

    def __init__(self, call: str, response: HttpResponse, largest: int) -> None:
        self._call, self._response, self._largest = call, response, largest
        self.error: BeyondLimits | None = None
        """Why reading was aborted; None if no limit was exceeded."""

    async def body(self) -> AsyncGenerator[bytes]:
        """Yield the body in parts. If it exceeds a limit, the iteration ends early and `error` is set."""
        if "," in self._response.headers.get("content-encoding", ""):
            # Compressed twice, one part could decompress to a million times its size.
            self._abort(_("the response is compressed more than once"))
            return
        started_at, size = monotonic(), 0
        async for chunk in self._response.aiter_bytes():
            size += len(chunk)
            if reason := self._excess(size, monotonic() - started_at):
                self._abort(reason)
                return
            yield chunk

    def _excess(self, size: int, seconds: float) -> str:
        """Which limit is exceeded after `size` decompressed bytes in `seconds`; empty if none."""
        received = self._response.num_bytes_downloaded
        if size > self._largest:
            return _("the response is too large")
        if size > RATIO_FROM and size > HIGHEST_RATIO * received:
            return _("the response decompresses to far too much data")
        if seconds > GRACE_S + received / SLOWEST:
            return _("the response is too slow")
        return ""

    def _abort(self, reason: str) -> None:
        self.error = BeyondLimits(self._call, reason)
