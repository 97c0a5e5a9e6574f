"""URLs that requests are sent to: the base URL of a service, and pre-signed URLs byte for byte."""

import re
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import quote, urlsplit

from batchwright.api.http.errors import BadAddress
from batchwright.base.i18n import _
from batchwright.base.text import without_lone_surrogates

_URL_PARTS = re.compile(r"(?P<scheme>https?)://(?P<authority>[^/?#]*)(?P<target>[^#]*)", re.IGNORECASE)
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*)(:[0-9]{1,5})?")
_IPV4 = re.compile(r"[0-9]+(\.[0-9]+){3}")


@dataclass(frozen=True)
class Address:
    """A URL in two parts: the server and the resource.

    `origin` is scheme, host and port; `target` is path and query, unchanged.
    """

    origin: str
    target: str
    is_local: bool
    """Whether it is on this computer, where neither TLS nor a proxy is used."""

    def __repr__(self) -> str:
        return f"Address({self.origin!r})"


def normalized_base_url(text: str) -> Address:
    """Parse the base URL of a service, such as `https://api.prolific.com`; its target has no trailing slash.

    Raises:
        BadAddress: not an http(s) URL, http to another computer, or with a user name, query or fragment.
    """
    address = presigned_url(text.strip())
    if "?" in address.target or "#" in text or "@" in text:
        raise BadAddress(_("the service's URL"), _("it must not contain a query or a user name"))
    return Address(address.origin, address.target.rstrip("/"), address.is_local)


def presigned_url(text: str) -> Address:
    """Parse a pre-signed URL; its path and query stay unchanged (specification, Feedback rule 2).

    A user name is removed, since it would be sent as an `Authorization` header, and so is a fragment, which
    is never sent.

    Raises:
        BadAddress: not an http(s) URL that can be sent unchanged, or http to another computer.
    """
    match = _URL_PARTS.fullmatch(text.partition("#")[0])
    authority = match["authority"].rpartition("@")[2] if match else ""
    if not match or not authority or not all("!" <= character <= "~" for character in match["target"]):
        raise BadAddress(_("a URL"), _("not an http or https URL"))
    if not _AUTHORITY.fullmatch(authority):
        raise _invalid_host()
    origin = f"{match['scheme'].lower()}://{authority}"
    local = _is_local(origin)
    if match["scheme"].lower() == "http" and not local:
        raise BadAddress(_("a URL"), _("only https is allowed, except on this computer"))
    target = match["target"]
    return Address(origin, target if target.startswith("/") else f"/{target}", local)


def segment(text: str) -> str:
    """Percent-encode one segment of a path; also `.` and `..`, which would otherwise change the path.

    Lone surrogates, which file names may contain, are replaced with the replacement character.
    """
    text = without_lone_surrogates(text)
    return quote(text, safe="") if text.strip(".") else text.replace(".", "%2E")


def _is_local(origin: str) -> bool:
    try:
        parts = urlsplit(origin)
        host, _port = parts.hostname or "", parts.port
        _require_readable(host)
    except ValueError:
        raise _invalid_host() from None
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _invalid_host() -> BadAddress:
    return BadAddress(_("a URL"), _("the host or port is invalid"))


def _require_readable(host: str) -> None:
    """Check what the HTTP library parses in a host name: an IPv4 address, and letters encoded in ASCII.

    Raises:
        ValueError: it is invalid.
    """
    if _IPV4.fullmatch(host):
        ip_address(host)
    elif host.startswith("xn--"):
        import idna  # large, and needed by almost no URL  # noqa: PLC0415

        idna.decode(host)
