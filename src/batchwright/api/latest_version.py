"""The news about the latest version of the program: two GET requests that identify nobody.

The signature is checked before anything in the news is used. Whoever controls the server or the way to it can
withhold news or repeat old ones, but an older version than that of this copy is no news.
"""

import asyncio
import re
import ssl
from dataclasses import dataclass
from pathlib import Path

from batchwright.api.http.errors import UnexpectedResponse, Unreachable, UntrustedNews
from batchwright.api.http.http_client import open_client, send_request, ssl_context
from batchwright.api.http.urls import presigned_url
from batchwright.base.i18n import _
from batchwright.base.json_values import InvalidJson, is_object, parse
from batchwright.base.minisign import signature_error
from batchwright.base.network_settings import NetworkSettings
from batchwright.base.program_info import UpdateSource
from batchwright.base.urls import is_https_url

_LARGEST = 64 * 1024
_LARGEST_SIGNATURE = 4 * 1024
_TIMEOUT_S = 30.0
_VERSION = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9}){0,4}")
_HEADERS = {"User-Agent": "batchwright"}
_OK = 200


@dataclass(frozen=True)
class LatestVersion:
    """The latest version, and the page about it."""

    number: str
    page: str
    """An https URL; empty if there is none."""

    def is_newer_than(self, number: str) -> bool:
        """Whether it is newer than another version; a part that is not a number counts as 0."""
        return _parts(self.number) > _parts(number)


async def fetch_latest_version(source: UpdateSource, network: NetworkSettings) -> LatestVersion:
    """Request `{"version": "1.2", "page": "https://…"}` and its signature. No version or cookie is sent.

    Raises:
        ConfigurationError: the URL, the proxy or the certificates cannot be used.
        UntrustedNews: the signature is missing or wrong.
        ApiError: no response was received within half a minute, or it contains no version.
    """
    call = _("Checking for updates")
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            news, signature = await _fetch(source.url, network, call)
    except TimeoutError:
        raise Unreachable(call, _("the response took too long"), arrived=True) from None
    error = await asyncio.to_thread(signature_error, news, signature, source.key)
    if error:
        raise UntrustedNews(call, error)
    latest = _latest(news)
    if latest is None:
        raise UnexpectedResponse(call, _("the response contains no version"))
    return latest


async def _fetch(url: str, network: NetworkSettings, call: str) -> tuple[bytes, bytes]:
    """The news and its signature."""
    address = presigned_url(url)
    # In a thread: loading the certificates takes longer than an event loop may wait.
    trust = await asyncio.to_thread(_trust, network)
    async with open_client(trust, is_local=address.is_local, proxy=network.proxy_url) as client:

        async def fetch(target: str, largest: int) -> bytes:
            request = client.build_request("GET", f"{address.origin}{target}", headers=_HEADERS)
            response = await send_request(client, request, call, largest=largest)
            if response.status != _OK:
                text = _("the server responds with status {status}")
                raise UnexpectedResponse(call, text.format(status=response.status))
            return response.body

        path, mark, query = address.target.partition("?")
        news = await fetch(address.target, _LARGEST)
        return news, await fetch(f"{path}.minisig{mark}{query}", _LARGEST_SIGNATURE)


def _trust(network: NetworkSettings) -> ssl.SSLContext:
    return ssl_context(None, Path(network.certificates) if network.certificates else None)


def _latest(body: bytes) -> LatestVersion | None:
    try:
        value = parse(body)
    except InvalidJson:
        return None
    if not is_object(value):
        return None
    number, page = value.get("version"), value.get("page")
    if not isinstance(number, str) or not _VERSION.fullmatch(number):
        return None
    return LatestVersion(number, page if isinstance(page, str) and is_https_url(page) else "")


def _parts(number: str) -> tuple[int, ...]:
    parts = [int(part) if part.isdecimal() else 0 for part in number.split(".")]
    while parts and not parts[-1]:
        parts.pop()
    return tuple(parts)
