"""Uploads to and downloads from pre-signed URLs: without a token, without redirects, with the URL unchanged.

Transfers have HTTP clients of their own, so that the token of the API never reaches storage. Whether a
pre-signed URL has expired is decided by the 403 of storage alone, since the clock of this computer may be
wrong.

An interrupted download is resumed where storage supports it (RFC 9110, 13.1.5 and 14) and identifies the
content, also with another URL, so that two files are never mixed.
"""

import re
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from pathlib import Path
from typing import Self

import httpcore
import httpx

from batchwright.api.files.adaptive_chunks import rechunk
from batchwright.api.files.file_streams import FileStamp, OnProgress, OutgoingFile, TransferResult
from batchwright.api.files.resumable_download import ResumableDownload
from batchwright.api.http.errors import ApiError, PresignedUrlExpired, UnexpectedResponse, Unreachable
from batchwright.api.http.http_client import (
    REQUEST_ERRORS,
    open_client,
    read_body,
    require_open,
    send_request,
    to_api_error,
)
from batchwright.api.http.limits import LARGEST_ERROR_BODY, LARGEST_FILE, Limits
from batchwright.api.http.response_parsing import RawResponse, error_from_response, is_page
from batchwright.api.http.retry import RetryPolicy
from batchwright.api.http.urls import Address, presigned_url
from batchwright.base.i18n import _

HasArrived = Callable[[], Awaitable[bool]]
"""Called after an upload whose response was lost: whether the service has received the file nevertheless."""

_TIMEOUTS = {"connect": 10.0, "read": 120.0, "write": 120.0, "pool": None}
"""Seconds; storage may need long to process a file after its last byte."""

_REJECTION_TIMEOUT_S = 3.0
"""Seconds that storage has to reject a file before any of it is sent."""

_BASE_HEADERS = {"Accept": "*/*", "Accept-Encoding": "identity", "User-Agent": "batchwright"}
_STORAGE_MARKUP = re.compile(rb"<(?!/?(?:Error|Code|Message)\b)[^>]*>[^<]*")


class Transfers:
    """Uploads and downloads with pre-signed URLs; neither a token nor a user name is sent.

    Every transfer has its own connection: on a kept connection, a response that is sent twice would be taken
    for the response to the next request.
    """

    def __init__(
        self, retry_policy: RetryPolicy, load_trust: Callable[[], ssl.SSLContext], proxy: str = ""
    ) -> None:
        self._retry_policy = retry_policy
        self._load_trust, self._proxy = load_trust, proxy
        self._http_client = open_client(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), is_local=True)
        self._https_clients: dict[bool, httpx.AsyncClient] = {}
        """The clients for this computer (True) and for others."""

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
    ) -> TransferResult:
        """Send a file by PUT: exactly its bytes, with its `Content-Length`.

        Args:
            path: the file.
            url: the pre-signed URL, unchanged.
            content_type: exactly the one that was issued with the URL; if None, none is sent.
            on_progress: starts again at 0 when an attempt is repeated.
            has_arrived: asks the service after a lost response, before the file would be sent again.

        Returns:
            size and SHA-256 of what was sent.

        Raises:
            PresignedUrlExpired: storage no longer accepts the URL.
            FileChanged: the file changed meanwhile; what was sent must not be used.
            OSError: the file cannot be read.
            ApiError: another failure, after the last attempt.
        """
        address = presigned_url(url)
        call = f"PUT {address.origin}"

        stamp: FileStamp | None = None

        async def attempt() -> TransferResult:
            nonlocal stamp
            async with OutgoingFile(path, stamp) as file:
                stamp = file.stamp
                try:
                    await self._put(call, address, file, content_type, on_progress)
                except Unreachable as error:
                    if not (error.arrived and has_arrived and await has_arrived()):
                        if error.arrived and not file.is_sent:
                            await self._fetch_rejection(call, address, file.size, content_type)
                        raise
                return file.result()

        return await self._retry_policy.run(attempt, repeatable=True)

    async def download(
        self, url: str, download: ResumableDownload, on_progress: OnProgress | None = None
    ) -> None:
        """Fetch the missing part of a file by GET.

        An interrupted download is resumed if storage supports it, also if it was started with another URL,
        and restarted otherwise.

        Args:
            url: the pre-signed URL, unchanged.
            download: the file and what has been received of it.
            on_progress: starts again at 0 when the download is restarted.

        Raises:
            PresignedUrlExpired: storage no longer accepts the URL.
            UnexpectedResponse: a web page was received instead of a file.
            OSError: the file cannot be written, or the disk has not enough space.
            ApiError: another failure, after the last attempt.
        """
        address = presigned_url(url)
        call = f"GET {address.origin}"

        while True:
            before = download.file.size
            try:
                return await self._retry_policy.run(
                    lambda: self._get(call, address, download, on_progress), repeatable=True
                )
            except Unreachable:
                if not download.headers() or download.file.size <= before:
                    raise

    async def close(self) -> None:
        """Close all connections."""
        for client in (self._http_client, *self._https_clients.values()):
            await client.aclose()

    async def _put(
        self,
        call: str,
        address: Address,
        file: OutgoingFile,
        content_type: str | None,
        on_progress: OnProgress | None,
    ) -> None:
        headers = _put_headers(file.size, content_type)
        async with aclosing(file.chunks(on_progress)) as chunks:
            response = await send_request(
                self._client(address), _request("PUT", address, headers, chunks), call
            )
        if not response.is_good:
            raise _storage_error(call, response)
        if is_page(response.headers):
            raise _unexpected_page(call)

    async def _fetch_rejection(
        self, call: str, address: Address, size: int, content_type: str | None
    ) -> None:
        """Find out whether storage closed the connection because it rejects the file.

        A response that arrives before the whole file was sent is usually lost with the connection. The same
        request head is therefore sent once more without a body. Storage that would accept the file waits for
        the body until the timeout.

        Raises:
            ApiError: the error that storage rejects the file with.
        """
        request = _request("PUT", address, _put_headers(size, content_type), _UnsentBody())
        request.extensions["timeout"] = {**_TIMEOUTS, "read": _REJECTION_TIMEOUT_S}
        try:
            response = await send_request(self._client(address), request, call)
        except Unreachable:
            return
        if not response.is_good:
            raise _storage_error(call, response)

    async def _get(
        self, call: str, address: Address, download: ResumableDownload, on_progress: OnProgress | None
    ) -> None:
        client = self._client(address)
        require_open(client, call)
        try:
            response = await client.send(_request("GET", address, download.headers()), auth=None, stream=True)
            try:
                error = await _receive(call, response, download, on_progress)
            finally:
                await response.aclose()
        except REQUEST_ERRORS as fault:
            error = to_api_error(call, fault)
        # Outside the handler: the frames of the library's error contain the complete URL.
        if error:
            raise error

    def _client(self, address: Address) -> httpx.AsyncClient:
        """The client for a URL.

        Those for https are created on first use, since they need the certificates, and the remote one reads
        the proxy settings of the system: a wrong setting must not stop a rehearsal on this computer.

        Raises:
            ConfigurationError: the certificates or the proxy cannot be used.
        """
        if address.origin.startswith("http:") or self._http_client.is_closed:
            return self._http_client
        if address.is_local not in self._https_clients:
            self._https_clients[address.is_local] = open_client(
                self._load_trust(), is_local=address.is_local, proxy=self._proxy
            )
        return self._https_clients[address.is_local]


def _put_headers(size: int, content_type: str | None) -> dict[str, str]:
    kind = {} if content_type is None else {"Content-Type": content_type}
    return {"Content-Length": str(size), **kind}


class _UnsentBody:
    """A body that is never sent: after a failed write, the HTTP library reads the response."""

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        raise httpcore.WriteError


class _SignedUrl(httpx.URL):
    """A URL whose path and query are sent byte for byte; httpx would change quotes, braces and dot segments.

    The `target` extension of the library would also replace the target of the CONNECT request to a proxy: the
    proxy would see the signature, and connect to nothing. As text, for example in a log line, the URL is its
    origin only.
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
        headers={**_BASE_HEADERS, **headers},
        content=content,
        extensions={"timeout": _TIMEOUTS},
    )
    # Set afterwards: the constructor would copy it to a plain `httpx.URL`.
    request.url = _SignedUrl(address)
    return request


async def _receive(
    call: str, response: httpx.Response, download: ResumableDownload, on_progress: OnProgress | None
) -> ApiError | None:
    """Write the body of a response; return its error if it is not a file or exceeds the limits.

    The HTTP library checks the announced length.
    """
    if not response.is_success:
        body, beyond = await read_body(call, response, LARGEST_ERROR_BODY)
        raw_response = RawResponse(response.status_code, dict(response.headers), body.getvalue())
        return beyond or _storage_error(call, raw_response)
    if is_page(response.headers):
        return _unexpected_page(call)
    if not await download.accept_response(response.status_code, response.headers):
        return UnexpectedResponse(call, _("storage sent a different part of the file than requested"))
    limits = Limits(call, response, LARGEST_FILE)
    async with aclosing(rechunk(limits.body())) as chunks:
        try:
            async for chunk in chunks:
                await download.file.add(chunk)
                if on_progress:
                    on_progress(download.file.size, download.total)
        finally:
            # Before the iterators: those of the HTTP library cannot be closed while the connection is open.
            await response.aclose()
    return limits.error


def _unexpected_page(call: str) -> UnexpectedResponse:
    return UnexpectedResponse(call, _("storage responded with a web page"))


def _storage_error(call: str, response: RawResponse) -> ApiError:
    """Convert an error of storage. Of its XML, only code and message are kept: the rest repeats the URL."""
    if response.status == 403:
        return PresignedUrlExpired(call, _("storage no longer accepts the URL"))
    return error_from_response(
        call, RawResponse(response.status, response.headers, _STORAGE_MARKUP.sub(b"", response.body))
    )
