"""Fetches images from the web, and tries addresses of media: requests that identify nobody, over https only.

The addresses come from data files and layouts, and belong to any server. A request has neither a token nor a
cookie nor a referrer; a user name in an address is not sent. Neither this computer nor a private network is
asked for an image, also not by a redirect, except the service of the layout.

With a proxy, the proxy looks up names: this computer may not be able to, and it is not its network that the
proxy reaches. Addresses without a name are checked then, too.
"""

import asyncio
import ssl
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit
from urllib.request import getproxies, proxy_bypass

from batchwright.api.http.errors import BadAddress, UnexpectedResponse, Unreachable
from batchwright.api.http.http_client import ForeignRequest, open_client, send_to, ssl_context
from batchwright.api.http.public_addresses import is_literal, public_addresses
from batchwright.api.http.response_parsing import RawResponse, error_from_response, redirect_location
from batchwright.api.http.urls import Address, presigned_url
from batchwright.base.i18n import _
from batchwright.base.limits import MIB
from batchwright.base.network_settings import NetworkSettings
from batchwright.base.text import without_lone_surrogates

LARGEST_IMAGE: Final = 20 * MIB
"""Bytes of an image."""
_LONGEST_ADDRESS = 16_384
_MAX_REDIRECTS = 5
_MAX_DIGITS = 16
_LONGEST_S = 60
"""Seconds until an image has arrived, with all redirects."""
_HTTPS_PORT = 443
_OK, _PARTIAL, _NOT_FOUND, _GONE = 200, 206, 404, 410
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_START_BYTES = 65_536
"""Bytes of a medium that show what it is."""
_LONGEST_TRIAL_S = 20
"""Seconds until an address has answered, with all redirects."""
_AGENT = {"User-Agent": "batchwright"}
_IMAGE = ForeignRequest(
    "GET", {"Accept": "image/png, image/jpeg, image/webp, image/gif", **_AGENT}, LARGEST_IMAGE
)
_HEAD = ForeignRequest("HEAD", {"Accept": "*/*", **_AGENT}, _START_BYTES)
_START = ForeignRequest(
    "GET",
    {"Accept": "*/*", "Accept-Encoding": "identity", "Range": f"bytes=0-{_START_BYTES - 1}", **_AGENT},
    4 * _START_BYTES,
    is_cut=True,
)
_ASCII = "".join(map(chr, range(0x21, 0x7F)))


async def fetch_image(url: str, network: NetworkSettings, service: str = "") -> bytes:
    """Fetch the content of an https URL, of at most `LARGEST_IMAGE` bytes; it may be anything.

    Redirects are followed to https URLs only. `service` is the base URL of the layout's service, whose
    address may be private; empty if there is none.

    Raises:
        PrivateAddress: the URL, or one that it redirects to, is in a private network.
        BadAddress: one of them is not an https URL.
        ConfigurationError: the proxy or the certificates cannot be used.
        ApiError: nothing was received, not in time, an error, or too much.
    """
    try:
        async with asyncio.timeout(_LONGEST_S):
            call, response = await _send(_IMAGE, url, await web_access(network, service))
            return _require(call, response, _OK).body
    except TimeoutError:
        raise Unreachable(_("the image"), _("the response took too long"), arrived=True) from None


@dataclass(frozen=True)
class MediumStart:
    """What a server says about a medium: its type, its size in bytes if it is known, and how it begins."""

    media_type: str
    size: int | None
    start: bytes = field(repr=False)


@dataclass(frozen=True)
class WebAccess:
    """How servers are reached: network settings, the service of the layout, and the trusted certificates."""

    network: NetworkSettings
    service: str
    trust: ssl.SSLContext


async def web_access(network: NetworkSettings, service: str = "") -> WebAccess:
    """Load the certificates; `service` is as in `fetch_image`.

    Raises:
        BadCertificates: the file of the settings cannot be read.
    """
    certificates = Path(network.certificates) if network.certificates else None
    # In a thread: loading the certificates takes longer than an event loop may wait.
    return WebAccess(network, service, await asyncio.to_thread(ssl_context, None, certificates))


async def try_medium(url: str, access: WebAccess, largest: int) -> MediumStart:
    """Ask for the head of a medium, then for its first bytes, unless it has more than `largest` bytes.

    A server that does not answer about the head is asked for the first bytes nevertheless.

    Raises:
        ApiError: as `fetch_image` does.
    """
    try:
        async with asyncio.timeout(_LONGEST_TRIAL_S):
            call, head = await _send(_HEAD, url, access)
            if head.status in {_NOT_FOUND, _GONE}:
                _require(call, head, _OK)
            size = _size_of(head) if head.is_good else None
            if size is not None and size > largest:
                return MediumStart(head.headers.get("content-type", ""), size, b"")
            call, response = await _send(_START, url, access)
            _require(call, response, _OK, _PARTIAL)
            type = response.headers.get("content-type", "")
            return MediumStart(type, _size_of(response) or size, response.body[:_START_BYTES])
    except TimeoutError:
        raise Unreachable(_("the address"), _("the response took too long"), arrived=True) from None


def _size_of(response: RawResponse) -> int | None:
    """The size of the whole medium in bytes, if the response says it."""
    total = response.headers.get("content-range", "").rpartition("/")[2]
    length = total if response.status == _PARTIAL else response.headers.get("content-length", "")
    return int(length) if length.isdecimal() and len(length) < _MAX_DIGITS else None


async def _send(asked: ForeignRequest, url: str, access: WebAccess) -> tuple[str, RawResponse]:
    """The response at the end of all redirects, and the request that got it."""
    network = access.network
    address = _https_address(url)
    for _redirect in range(_MAX_REDIRECTS + 1):
        url, call = f"{address.origin}{address.target}", f"{asked.method} {address.origin}"
        proxy = "" if address.is_local else network.proxy_url or await asyncio.to_thread(_system_proxy, url)
        hosts = (
            [""] if _is_of(access.service, address) else await _checked_hosts(call, url, is_direct=not proxy)
        )
        async with open_client(access.trust, is_local=not proxy, proxy=proxy) as client:
            response = await send_to(client, url, call, hosts, asked)
        if response.status not in _REDIRECTS:
            return call, response
        address = _https_address(redirect_location(call, url, response))
    raise UnexpectedResponse(call, _("too many redirects"))


async def _checked_hosts(call: str, url: str, *, is_direct: bool) -> list[str]:
    """The public addresses of a URL's host; "" for its name if a proxy looks it up.

    Raises:
        PrivateAddress: it is not public.
        Unreachable: it has no address.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    is_checked = is_direct or is_literal(host) or f".{host}".endswith(".localhost")
    addresses = await public_addresses(call, host, parts.port or _HTTPS_PORT) if is_checked else []
    return addresses if is_direct else [""]


def _system_proxy(url: str) -> str:
    """The proxy that the system uses for a URL; empty for none."""
    proxies, host = getproxies(), urlsplit(url).hostname or ""
    proxy = proxies.get("https") or proxies.get("all", "")
    if not proxy or proxy_bypass(host):
        return ""
    return proxy if "://" in proxy else f"http://{proxy}"


def _is_of(service: str, address: Address) -> bool:
    """Whether an address is on the server of a service, with the same port."""
    return bool(service) and address.origin == presigned_url(service).origin


def _require(call: str, response: RawResponse, *statuses: int) -> RawResponse:
    """The response, if it has one of the statuses."""
    if response.status not in statuses:
        # Without the body: it is a page for people.
        raise error_from_response(call, RawResponse(response.status, {}, b""))
    return response


def _https_address(url: str) -> Address:
    """Parse an https URL like a browser, which percent-encodes other than ASCII characters.

    Raises:
        BadAddress: it is not an https URL.
    """
    scheme, separator, rest = without_lone_surrogates(url).partition("://")
    host, slash, path = rest.partition("/")
    if len(url) > _LONGEST_ADDRESS or scheme.lower() != "https":
        raise BadAddress(_("the address of the image"), _("not an https URL"))
    return presigned_url(f"{scheme}{separator}{_ascii_host(host)}{slash}{quote(path, safe=_ASCII)}")


def _ascii_host(host: str) -> str:
    """A host and port, with an international domain name in ASCII."""
    try:
        return host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        return host
