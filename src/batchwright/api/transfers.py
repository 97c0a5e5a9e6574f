"""Files to and from pre-signed addresses: no token, no redirect, the address as it came (D3, D17)."""

import re
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from pathlib import Path

import httpx

from batchwright.api.addresses import Address, signed_address
from batchwright.api.answers import Answer, declined
from batchwright.api.errors import ApiError, Expired, Unreachable
from batchwright.api.files import PIECE, IncomingFile, Moved, OnProgress, OutgoingFile
from batchwright.api.retrying import Patience
from batchwright.api.transport import exchange, lost, open_client
from batchwright.words import _

HasArrived = Callable[[], Awaitable[bool]]
"""Asked after an upload whose answer was lost: whether the file is there all the same."""

_TIMES = {"connect": 10.0, "read": 120.0, "write": 120.0, "pool": None}
"""Seconds; storage may think for long after the last byte."""

_PLAIN = {"Accept": "*/*", "Accept-Encoding": "identity", "User-Agent": "batchwright"}
_STORAGE_MARKUP = re.compile(rb"<(?!/?(?:Error|Code|Message)\b)[^>]*>[^<]*")


class Transfers:
    """Uploads and downloads by pre-signed address; no token and no user name goes along."""

    def __init__(self, patience: Patience, trust: ssl.SSLContext) -> None:
        self._patience = patience
        self._near = open_client(trust, is_local=True)
        self._far = open_client(trust, is_local=False)

    def __repr__(self) -> str:
        return "Transfers()"

    async def upload(
        self,
        path: Path,
        url: str,
        *,
        content_type: str | None = None,
        on_progress: OnProgress | None = None,
        has_arrived: HasArrived | None = None,
    ) -> Moved:
        """Send a file by PUT: its bytes and nothing else, with its real length.

        Args:
            path: the file.
            url: the address, as it was handed out.
            content_type: exactly the one handed out with the address; none is sent when None.
            on_progress: begins again at 0 when an attempt is repeated.
            has_arrived: looks at the service after a lost answer, before the file would be sent again.

        Returns:
            size and SHA-256 of what was sent.

        Raises:
            Expired: storage does not accept the address any more.
            FileChanged: the file changed meanwhile; what was sent is of no use.
            OSError: the file cannot be read.
            ApiError: another failure, after the last attempt.
        """
        address = signed_address(url)
        call = f"PUT {address.origin}"

        async def attempt() -> Moved:
            async with OutgoingFile(path) as file:
                try:
                    await self._put(call, address, file, content_type, on_progress)
                except Unreachable as error:
                    if not (error.arrived and has_arrived and await has_arrived()):
                        raise
                return file.moved()

        return await self._patience.ask(attempt, repeatable=True)

    async def download(self, url: str, path: Path, *, on_progress: OnProgress | None = None) -> Moved:
        """Fetch a file by GET and put it at `path`, whole or not at all.

        Args:
            url: the address, as it was handed out.
            path: where the file goes, over an older one of the name.
            on_progress: begins again at 0 when an attempt is repeated.

        Returns:
            size and SHA-256 of what came.

        Raises:
            Expired: storage does not accept the address any more.
            OSError: the file cannot be written.
            ApiError: another failure, after the last attempt.
        """
        address = signed_address(url)
        call = f"GET {address.origin}"

        async def attempt() -> Moved:
            async with IncomingFile(path) as file:
                await self._get(call, address, file, on_progress)
                return await file.keep()

        return await self._patience.ask(attempt, repeatable=True)

    async def close(self) -> None:
        """Close every connection."""
        await self._near.aclose()
        await self._far.aclose()

    async def _put(
        self,
        call: str,
        address: Address,
        file: OutgoingFile,
        content_type: str | None,
        on_progress: OnProgress | None,
    ) -> None:
        headers = {"Content-Length": str(file.size)}
        if content_type is not None:
            headers["Content-Type"] = content_type
        client = self._client(address)
        async with aclosing(file.pieces(on_progress)) as pieces:
            answer = await exchange(client, _request("PUT", address, headers, pieces), call)
        if not answer.is_good:
            raise _storage_error(call, answer)

    async def _get(
        self, call: str, address: Address, file: IncomingFile, on_progress: OnProgress | None
    ) -> None:
        client = self._client(address)
        try:
            response = await client.send(_request("GET", address, {}), auth=None, stream=True)
            try:
                error = await _take(call, response, file, on_progress)
            finally:
                await response.aclose()
        except httpx.HTTPError as fault:
            error = lost(call, fault)
        # Outside the handler: the library's error holds the whole address in its frames.
        if error:
            raise error

    def _client(self, address: Address) -> httpx.AsyncClient:
        return self._near if address.is_local else self._far


class _SignedUrl(httpx.URL):
    """An address whose target travels byte for byte; httpx would rewrite quotes, braces and dot segments.

    The library's own way, a `target` among the request's extensions, would also replace the target of the
    request that opens a tunnel through a proxy: the proxy would read the signature, and connect to nowhere.
    Shown as text, in a log line for one, the address is its origin.
    """

    def __init__(self, address: Address) -> None:
        super().__init__(address.origin)
        self._target = address.target.encode("ascii")

    @property
    def raw_path(self) -> bytes:
        """Path and query as they are sent."""
        return self._target


def _request(
    method: str, address: Address, headers: Mapping[str, str], content: AsyncIterator[bytes] | None = None
) -> httpx.Request:
    request = httpx.Request(
        method,
        address.origin,
        headers={**_PLAIN, **headers},
        content=content,
        extensions={"timeout": _TIMES},
    )
    # Set afterwards: given to the constructor it would be copied into a plain one.
    request.url = _SignedUrl(address)
    return request


async def _take(
    call: str, response: httpx.Response, file: IncomingFile, on_progress: OnProgress | None
) -> ApiError | None:
    """Write the body of an answer; the error it stands for, if it is no file.

    The HTTP library checks the length that was announced.
    """
    if not response.is_success:
        return _storage_error(
            call, Answer(response.status_code, dict(response.headers), await response.aread())
        )
    announced = response.headers.get("content-length", "")
    total = int(announced) if announced.isdecimal() else None
    async for piece in response.aiter_bytes(PIECE):
        await file.add(piece)
        if on_progress:
            on_progress(response.num_bytes_downloaded, total)
    return None


def _storage_error(call: str, answer: Answer) -> ApiError:
    """What storage's refusal stands for; of its XML, code and message: the rest repeats the address."""
    if answer.status == 403:
        return Expired(call, _("storage does not accept the address any more"))
    return declined(call, Answer(answer.status, answer.headers, _STORAGE_MARKUP.sub(b"", answer.body)))
