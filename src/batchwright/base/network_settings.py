"""How hosted services are reached: the user's proxy and certificates, and the checks of what was entered."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from batchwright.base.i18n import _

_SCHEMES = ("http", "https", "socks5", "socks5h")


@dataclass(frozen=True)
class NetworkSettings:
    """The user's settings for hosted services; the service on this computer is always reached directly."""

    proxy: str = ""
    """The URL of the proxy; empty for the proxy settings of the system."""
    certificates: str = ""
    """A file of certificates to trust in addition to the default ones; empty if there is none."""


SYSTEM_NETWORK: Final = NetworkSettings()
"""The proxy settings of the system and the default certificates."""


def proxy_error(url: str) -> str:
    """Return why a URL cannot be used for a proxy; empty if it can.

    A password is not accepted, since the settings are an ordinary file.
    """
    try:
        parts = urlsplit(url)
        has_host, port = bool(parts.hostname), parts.port
    except ValueError:
        return _("Enter a URL such as http://proxy.example.org:8080.")
    if parts.scheme not in _SCHEMES or not has_host or port is None:
        return _("Enter a URL such as http://proxy.example.org:8080 or socks5://proxy.example.org:1080.")
    if "@" in parts.netloc:
        return _(
            "The password of a proxy would be stored in a readable file. Remove user name and password, or "
            "choose System and set the environment variable HTTPS_PROXY to this URL."
        )
    if parts.path not in {"", "/"} or parts.query or parts.fragment:
        return _("Remove everything after the port.")
    return ""


def certificates_error(path: Path) -> str:
    """Return why a file of certificates cannot be used; empty if it can. Reads the file."""
    import ssl  # takes longer to import than the rest of the settings; needed only after a choice

    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cafile=path)
    except ssl.SSLError:
        return _("The file contains no certificates. Choose a file in PEM format.")
    except OSError as error:
        return _("The file cannot be read: {reason}").format(reason=error.strerror or error)
    return ""
