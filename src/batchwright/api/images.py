"""Fetches images from the web: GET requests that identify nobody, over https only.

The addresses come from data files and layouts, and belong to any server. A request has neither a token nor a
cookie nor a referrer; a user name in an address is not sent.
"""

import asyncio
from pathlib import Path
from typing import Final
from urllib.parse import quote

from batchwright.api.errors import BadAddress, UnexpectedResponse
from batchwright.api.http_client import open_client, send_request, ssl_context
from batchwright.api.response_parsing import RawResponse, error_from_response, redirect_location
from batchwright.api.urls import Address, presigned_url
from batchwright.base.i18n import _
from batchwright.base.limits import MIB
from batchwright.base.network_settings import NetworkSettings
from batchwright.base.text import without_lone_surrogates

LARGEST_IMAGE: Final = 20 * MIB
"""Bytes of an image."""
_LONGEST_ADDRESS = 16_384
_MAX_REDIRECTS = 5
_OK = 200
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_HEADERS = {"Accept": "image/png, image/jpeg, image/webp, image/gif", "User-Agent": "batchwright"}
_ASCII = "".join(map(chr, range(0x21, 0x7F)))


async def fetch_image(url: str, network: NetworkSettings) -> bytes:
    """Fetch the content of an https URL, of at most `LARGEST_IMAGE` bytes; it may be anything.

    Redirects are followed to https URLs only.

    Raises:
        BadAddress: the URL, or one that it redirects to, is not an https URL.
        ConfigurationError: the proxy or the certificates cannot be used.
        ApiError: nothing was received, an error, or too much.
    """
    certificates = Path(network.certificates) if network.certificates else None
    # In a thread: loading the certificates takes longer than an event loop may wait.
    trust = await asyncio.to_thread(ssl_context, None, certificates)
    address = _https_address(url)
    for _redirect in range(_MAX_REDIRECTS + 1):
        url, call = f"{address.origin}{address.target}", f"GET {address.origin}"
        async with open_client(trust, is_local=address.is_local, proxy=network.proxy_url) as client:
            request = client.build_request("GET", url, headers=_HEADERS)
            response = await send_request(client, request, call, largest=LARGEST_IMAGE)
        if response.status not in _REDIRECTS:
            return _content(call, response)
        address = _https_address(redirect_location(call, url, response))
    raise UnexpectedResponse(call, _("too many redirects"))


def _content(call: str, response: RawResponse) -> bytes:
    if response.status != _OK:
        # Without the body: it is a page for people.
        raise error_from_response(call, RawResponse(response.status, {}, b""))
    return response.body


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
    """Return a host and port, with an international domain name in ASCII."""
    try:
        return host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        return host
