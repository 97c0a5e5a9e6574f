"""Addresses that requests go to: the base of a service, and pre-signed addresses byte for byte."""

import re
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import quote, urlsplit

from batchwright.api.errors import BadAddress
from batchwright.base.i18n import _
from batchwright.base.text import without_lone_surrogates

_URL_PARTS = re.compile(r"(?P<scheme>https?)://(?P<authority>[^/?#]*)(?P<target>[^#]*)", re.IGNORECASE)
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*)(:[0-9]{1,5})?")


@dataclass(frozen=True)
class Address:
    """An address in two parts: whom to connect to, and what to ask for there.

    `origin` is scheme, host and port; `target` is path and query exactly as they came.
    """

    origin: str
    target: str
    is_local: bool
    """Whether it lies on this computer, where neither TLS nor a proxy is wanted."""

    def __repr__(self) -> str:
        return f"Address({self.origin!r})"


def normalized_base_url(text: str) -> Address:
    """The base of a service, such as `https://api.prolific.com`; its target has no closing slash.

    Raises:
        BadAddress: no http(s) address, http to another computer, or with a user name, query or fragment.
    """
    address = presigned_url(text.strip())
    if "?" in address.target or "#" in text or "@" in text:
        raise BadAddress(_("the service's address"), _("it must not contain a query or a user name"))
    return Address(address.origin, address.target.rstrip("/"), address.is_local)


def presigned_url(text: str) -> Address:
    """A pre-signed address, its path and query untouched (specification, Feedback rule 2).

    A user name in it is left out, since it would become an `Authorization` header, and so is a fragment,
    which is never sent.

    Raises:
        BadAddress: no http(s) address that can be sent as it stands, or http to another computer.
    """
    found = _URL_PARTS.fullmatch(text.partition("#")[0])
    authority = found["authority"].rpartition("@")[2] if found else ""
    if (
        not found
        or not _AUTHORITY.fullmatch(authority)
        or not all("!" <= sign <= "~" for sign in found["target"])
    ):
        raise BadAddress(_("an address"), _("not an http or https address"))
    origin = f"{found['scheme'].lower()}://{authority}"
    local = _is_local(origin)
    if found["scheme"].lower() == "http" and not local:
        raise BadAddress(_("an address"), _("only https is allowed, except on this computer"))
    target = found["target"]
    return Address(origin, target if target.startswith("/") else f"/{target}", local)


def segment(text: str) -> str:
    """One segment of a path, percent-encoded; `.` and `..` too, which would otherwise change the path.

    Lone surrogates, which names of files may hold, become the replacement character.
    """
    text = without_lone_surrogates(text)
    return quote(text, safe="") if text.strip(".") else text.replace(".", "%2E")


def _is_local(origin: str) -> bool:
    try:
        parts = urlsplit(origin)
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        raise BadAddress(_("an address"), _("the host or port is invalid")) from None
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
