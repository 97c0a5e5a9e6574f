"""What an answer of a service or of storage may cost: its size, how far it unpacks, and how long it takes.

Whoever answers may be anybody: a wrong address, a proxy, or somebody in between. All limits are far beyond
what a service that works sends, and all of them stand here.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from time import monotonic
from typing import Final, Protocol

from batchwright.api.errors import BeyondLimits
from batchwright.base.i18n import _
from batchwright.base.limits import MIB

LARGEST_ANSWER: Final = 64 * MIB
"""Bytes of an answer, unpacked; the largest known are layouts of some megabytes."""

LARGEST_LIST: Final = 512 * MIB
"""Bytes of a list, unpacked: about a million answers of participants."""

LARGEST_FILE: Final = 256 * 1024 * MIB
"""Bytes of a file, unpacked. The disk has room for less as a rule; where storage says how long the file is,
that is found out before."""

LARGEST_REFUSAL: Final = MIB
"""Bytes that storage may take to say why it refuses a file."""

HIGHEST_RATIO: Final = 100
"""Bytes that one byte may unpack to, once there are `RATIO_FROM` of them; JSON and CSV unpack to some 20."""

RATIO_FROM: Final = 8 * MIB

SLOWEST: Final = 1024
"""Bytes a second that must arrive on average; a line of 1996 brought five times as many."""

GRACE_S: Final = 120.0
"""Seconds that an answer may take however slowly it comes."""


class HttpResponse(Protocol):
    """An answer of the HTTP library, its body still to come."""

    @property
    def headers(self) -> Mapping[str, str]:
        """Its headers, whatever the case of their names."""

    @property
    def num_bytes_downloaded(self) -> int:
        """Bytes of the body that came so far, as they travelled."""

    def aiter_bytes(self) -> AsyncIterator[bytes]:
        """The body in parts, unpacked."""


class Limits:
    """Watches the body of one answer while it comes.

    Args:
        call: what is asked, for errors.
        response: the answer, its body still to come.
        largest: how many bytes it may unpack to.
    """

    def __init__(self, call: str, response: HttpResponse, largest: int) -> None:
        self._call, self._response, self._largest = call, response, largest
        self.error: BeyondLimits | None = None
        """Why the answer was given up; None while it is fine."""

    async def body(self) -> AsyncGenerator[bytes]:
        """The body in parts; it ends early where it goes beyond the limits, and `error` says so then."""
        if "," in self._response.headers.get("content-encoding", ""):
            # Packed twice, it could unpack to a million times its size at once.
            self._give_up(_("the response is compressed more than once"))
            return
        began, size = monotonic(), 0
        async for part in self._response.aiter_bytes():
            size += len(part)
            if reason := self._excess(size, monotonic() - began):
                self._give_up(reason)
                return
            yield part

    def _excess(self, size: int, seconds: float) -> str:
        """What is too much after so many bytes in so much time; empty where nothing is."""
        came = self._response.num_bytes_downloaded
        if size > self._largest:
            return _("the response is too large")
        if size > RATIO_FROM and size > HIGHEST_RATIO * came:
            return _("the response decompresses to far too much data")
        if seconds > GRACE_S + came / SLOWEST:
            return _("the response is too slow")
        return ""

    def _give_up(self, reason: str) -> None:
        self.error = BeyondLimits(self._call, reason)
