"""URLs in texts: which ones a participant's browser can load, and redacting their queries."""

import re
from functools import cache
from urllib.parse import urlsplit

_INVISIBLE = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")
_WITH_QUERY = re.compile(r"((?:https?://|/)[^\s?<>]{1,2000})\?[^\s<>]+", re.IGNORECASE)
_HOST = r"[A-Za-z0-9.\-]+(?::[0-9]{1,4})?"
_PLAIN_HTTPS = re.compile(rf"[Hh][Tt][Tt][Pp][Ss]://{_HOST}(?:[/?#][!-~]*)?").fullmatch
"""Matches most URLs quickly; the others are parsed with `urlsplit`."""


def is_https_url(text: str) -> bool:
    """Whether a text is an absolute https URL."""
    return _PLAIN_HTTPS(text) is not None or _path(text, ("https",)) is not None


def is_media_url(text: str, extensions: tuple[str, ...]) -> bool:
    """Whether a text is an absolute http or https URL whose path has one of the extensions, in any case.

    `extensions` are in lower case and include their dot.
    """
    if _plain_media(extensions).fullmatch(text):
        return True
    path = _path(text, ("http", "https"))
    return path is not None and path.lower().endswith(extensions)


@cache
def _plain_media(extensions: tuple[str, ...]) -> re.Pattern[str]:
    endings = "|".join(map(re.escape, extensions))
    return re.compile(rf"https?://{_HOST}/[!\"$->@-~]*(?:{endings})(?:[?#][!-~]*)?", re.ASCII | re.IGNORECASE)


def is_base_url(text: str) -> bool:
    """Whether a text is an http or https URL to which paths can be added: no query, fragment or user name."""
    return _path(text, ("http", "https")) is not None and not set(text) & set("?#@\\")


def _path(text: str, schemes: tuple[str, ...]) -> str | None:
    """The path of an absolute URL with one of the schemes; None if the text is no such URL."""
    if _INVISIBLE.search(text):
        return None
    try:
        parts = urlsplit(text)
        _port = parts.port
    except ValueError:
        return None
    return parts.path if parts.scheme in schemes and parts.hostname else None


def redact_urls(text: str) -> str:
    """Remove the queries of the URLs in a text: those of pre-signed URLs are as secret as a token."""
    return _WITH_QUERY.sub(r"\1?...", text)
