"""How hosted services are reached: the user's proxy and certificates, and the checks of what was entered."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit, urlunsplit

from batchwright.base.i18n import _

_SCHEMES = ("http", "https", "socks5", "socks5h")


@dataclass(frozen=True)
class NetworkSettings:
    """The user's settings for hosted services; the service on this computer is always reached directly."""

    proxy: str = ""
    """The URL of the proxy, without user name; empty for the proxy settings of the system."""
    certificates: str = ""
    """A file of certificates to trust in addition to the default ones; empty if there is none."""
    proxy_user: str = ""
    """The user name for the proxy; empty if it requires none."""
    proxy_password: str = field(default="", repr=False)
    """The password of that user. It is in the key ring, not among the stored settings."""

    @property
    def proxy_account(self) -> str:
        """The user and the host of the proxy; empty if it requires no user name."""
        return f"{self.proxy_user}@{urlsplit(self.proxy).netloc}" if self.proxy and self.proxy_user else ""

    @property
    def proxy_url(self) -> str:
        """The URL of the proxy with user name and password; empty for the proxy settings of the system."""
        if not self.proxy_account:
            return self.proxy
        parts = urlsplit(self.proxy)
        credentials = ":".join(quote(text, safe="") for text in (self.proxy_user, self.proxy_password))
        return urlunsplit(parts._replace(netloc=f"{credentials}@{parts.netloc}"))


SYSTEM_NETWORK: Final = NetworkSettings()
"""The proxy settings of the system and the default certificates."""


def proxy_error(url: str) -> str:
    """Why a URL cannot be used for a proxy; empty if it can.

    A password is not accepted, since the settings are an ordinary file: it belongs in the key ring.
    """
    try:
        parts = urlsplit(url)
        has_host, port = bool(parts.hostname), parts.port
    except ValueError:
        return _("Enter a URL such as http://proxy.example.org:8080.")
    if parts.scheme not in _SCHEMES or not has_host or port is None:
        return _("Enter a URL such as http://proxy.example.org:8080 or socks5://proxy.example.org:1080.")
    if "@" in parts.netloc:
        return _("Remove user name and password from the URL, and enter them in the fields below.")
    if parts.path not in {"", "/"} or parts.query or parts.fragment:
        return _("Remove everything after the port.")
    return ""


def certificates_error(path: Path) -> str:
    """Why a file of certificates cannot be used; empty if it can. Reads the file."""
    import ssl  # takes longer to import than the rest of the settings; needed only after a choice  # noqa: PLC0415

    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cafile=path)
    except ssl.SSLError:
        return _("The file contains no certificates. Choose a file in PEM format.")
    except OSError as error:
        return _("The file cannot be read: {reason}").format(reason=error.strerror or error)
    return ""
