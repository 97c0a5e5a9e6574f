"""Fetches the number of the latest version of the program: one GET request that identifies nobody."""

import asyncio
import re
import ssl
from dataclasses import dataclass
from pathlib import Path

from batchwright.api.http.errors import UnexpectedResponse
from batchwright.api.http.http_client import open_client, send_request, ssl_context
from batchwright.api.http.urls import Address, presigned_url
from batchwright.base.i18n import _
from batchwright.base.json_values import InvalidJson, is_object, parse
from batchwright.base.network_settings import NetworkSettings
from batchwright.base.urls import is_https_url

_LARGEST = 64 * 1024
_VERSION = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9}){0,4}")
_HEADERS = {"Accept": "application/json", "User-Agent": "batchwright"}
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


async def fetch_latest_version(url: str, network: NetworkSettings) -> LatestVersion:
    """Request `{"version": "1.2", "page": "https://…"}` from a URL. No version, name or cookie is sent.

    Raises:
        ConfigurationError: the URL, the proxy or the certificates cannot be used.
        ApiError: no response was received, or it contains no version.
    """
    call, address = _("Checking for updates"), presigned_url(url)
    # In a thread: loading the certificates takes longer than an event loop may wait.
    trust = await asyncio.to_thread(_trust, address, network)
    async with open_client(trust, is_local=address.is_local, proxy=network.proxy_url) as client:
        request = client.build_request("GET", f"{address.origin}{address.target}", headers=_HEADERS)
        response = await send_request(client, request, call, largest=_LARGEST)
    latest = _latest(response.body) if response.status == _OK else None
    if latest is None:
        raise UnexpectedResponse(call, _("the response contains no version"))
    return latest


def _trust(address: Address, network: NetworkSettings) -> ssl.SSLContext:
    if address.origin.startswith("http:"):
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
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
