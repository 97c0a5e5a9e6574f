"""Trying the addresses of pictures, recordings or videos before participants need them.

A server is asked for the head of each medium and for its first bytes, at most two at a time with a pause
after each, and altogether a few at a time. A server that does not answer several times in a row, or that asks
for fewer requests, is asked no more.
"""

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from batchwright.api.http.errors import ApiError, RateLimited
from batchwright.api.images import LARGEST_IMAGE, MediumStart, WebAccess, try_medium, web_access
from batchwright.base.limits import MIB
from batchwright.base.network_settings import NetworkSettings
from batchwright.schema.model import FieldType
from batchwright.workflows.image_errors import ImageProblem
from batchwright.workflows.load_image import image_problem

LARGEST_RECORDING: Final = 200 * MIB
"""Bytes of a recording or video; longer ones are named."""
_PARALLEL = 6
_PARALLEL_ON_HOST = 2
_PAUSE_S = 0.1
"""Seconds between two requests for media on one server."""
_FAILURES = 3
"""Failures in a row after which a server is asked no more."""
_MEDIA_TYPES = ("audio/", "video/", "application/ogg", "application/octet-stream", "binary/octet-stream")
_PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")


@dataclass
class TriedAddresses:
    """The result so far: the addresses by their problem, and those that were not tried."""

    total: int
    done: int = 0
    problems: Mapping[ImageProblem, list[str]] = field(default_factory=lambda: defaultdict(list))
    untried: list[str] = field(default_factory=list)
    """Addresses at servers that did not answer, or asked for fewer requests."""

    @property
    def good(self) -> int:
        """The number of addresses at which a medium was found."""
        return self.done - len(self.untried) - sum(map(len, self.problems.values()))


@dataclass
class _Host:
    """The addresses on one server that are still to be tried."""

    addresses: deque[str] = field(default_factory=deque)
    failures: int = 0


async def try_addresses(
    addresses: Sequence[str],
    type: FieldType,
    network: NetworkSettings,
    service: str = "",
    on_progress: Callable[[TriedAddresses], object] = lambda _tried: None,
    pause_s: float = _PAUSE_S,
) -> TriedAddresses:
    """Try different https URLs of media; `service` is that of the layout, which may be in a private network.

    Raises:
        ApiError: the proxy or the certificates of the settings cannot be used.
    """
    trial = _Trial(addresses, type, await web_access(network, service), on_progress, pause_s)
    if not addresses:
        return trial.tried
    try:
        async with asyncio.TaskGroup() as group:
            for _worker in range(_PARALLEL):
                group.create_task(trial.work())
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return trial.tried


class _Trial:
    """The addresses by server, and the servers that can be asked now."""

    def __init__(
        self,
        addresses: Sequence[str],
        type: FieldType,
        access: WebAccess,
        on_progress: Callable[[TriedAddresses], object],
        pause_s: float,
    ) -> None:
        self._type, self._access, self._on_progress, self._pause_s = type, access, on_progress, pause_s
        self._largest = LARGEST_IMAGE if type is FieldType.IMAGE_URL else LARGEST_RECORDING
        self.tried = TriedAddresses(len(addresses))
        hosts = defaultdict[str, _Host](_Host)
        for address in addresses:
            hosts[urlsplit(address).netloc.lower()].addresses.append(address)
        self._free: asyncio.Queue[_Host | None] = asyncio.Queue()
        """Servers that can be asked, as often as they may be asked at the same time; None at the end."""
        for host in hosts.values():
            for _turn in range(min(_PARALLEL_ON_HOST, len(host.addresses))):
                self._free.put_nowait(host)

    async def work(self) -> None:
        """Try addresses until none is left."""
        while (host := await self._free.get()) is not None:
            if host.addresses:
                await self._try(host)
                self._on_progress(self.tried)
            if self.tried.done == self.tried.total:
                break
            if host.addresses:
                await asyncio.sleep(self._pause_s)
                self._free.put_nowait(host)
        self._free.put_nowait(None)  # for the others

    async def _try(self, host: _Host) -> None:
        """Try the next address of a server; if the server is to be asked no more, leave out its others."""
        address = host.addresses.popleft()
        try:
            medium = await try_medium(address, self._access, self._largest)
            problem, is_refused = _problem(medium, self._type, self._largest), False
        except ApiError as error:
            problem, is_refused = image_problem(error), isinstance(error, RateLimited)
            if problem is None:
                raise
        self.tried.done += 1
        if problem is not None:
            self.tried.problems[problem].append(address)
        host.failures = host.failures + 1 if problem in _NO_ANSWER else 0
        if is_refused or host.failures >= _FAILURES:
            self.tried.untried += host.addresses
            self.tried.done += len(host.addresses)
            host.addresses.clear()


_NO_ANSWER = (ImageProblem.NO_RESPONSE, ImageProblem.UNTRUSTED)


def _problem(medium: MediumStart, type: FieldType, largest: int) -> ImageProblem | None:
    """What is wrong with a medium for a type of field; None if nothing is."""
    if medium.size is not None and medium.size > largest:
        return ImageProblem.TOO_LARGE
    if type is FieldType.IMAGE_URL:
        return None if _is_picture(medium.start) else ImageProblem.NOT_AN_IMAGE
    is_page = medium.start.lstrip()[:1] == b"<"
    has_type = not medium.media_type or medium.media_type.lower().startswith(_MEDIA_TYPES)
    return None if medium.start and has_type and not is_page else ImageProblem.NOT_AN_IMAGE


def _is_picture(start: bytes) -> bool:
    """Whether a file that begins like this is a picture of a type that browsers show."""
    is_webp = start.startswith(b"RIFF") and start[8:12] == b"WEBP"
    is_avif = start[4:12] in {b"ftypavif", b"ftypavis"}
    return start.startswith(_PICTURES) or is_webp or is_avif or b"<svg" in start
