"""Which texts are URLs that a browser can load; and the removal of URL queries from texts."""

from unicodedata import category
from urllib.parse import urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from batchwright.base.urls import is_https_url, is_media_url, redact_urls

AUDIO = (".mp3", ".wav")

pieces = st.sampled_from(
    ["http", "https", "HTTPS", "ftp", ":", "//", "/", "?", "#", "@", "[", "]", "::1", "a.example", "ſ", "K",
     ":80", ":99999", ".mp3", ".WAV", ".", " ", "\n", "\x00",
     "\x85", "%20", "é", "..", ";", "&", "~", "\\", "-"]
)  # fmt: skip
addresses = st.lists(pieces, max_size=10).map("".join)
likely = st.tuples(st.sampled_from(["https://", "http://", "HTTPS://"]), addresses).map("".join)


def path_by_definition(text: str, schemes: tuple[str, ...]) -> str | None:
    """The path, or None if scheme or host is invalid or the text has spaces or control characters."""
    if any(letter.isspace() or category(letter) == "Cc" for letter in text):
        return None
    try:
        parts = urlsplit(text)
        _port = parts.port
    except ValueError:
        return None
    return parts.path if parts.scheme in schemes and parts.hostname else None


@given(addresses | likely | st.text())
@example("https://a.example[/")
@example("httpſ://a.example/")
def test_https_urls_are_recognised_as_defined(text: str) -> None:
    assert is_https_url(text) is (path_by_definition(text, ("https",)) is not None)


@given(addresses | likely | st.text())
@example("http://a.example/x.mp3?y#z")
@example("http://a.example/x?y.mp3")
@example("http://a.example?/x.mp3")
def test_media_urls_are_recognised_as_defined(text: str) -> None:
    path = path_by_definition(text, ("http", "https"))
    assert is_media_url(text, AUDIO) is (path is not None and path.lower().endswith(AUDIO))


@pytest.mark.parametrize(
    "text",
    [
        "https://example.com",
        "HTTPS://example.com/a.png?x=1#y",
        "https://user:pw@example.com:8443/ä",
        "https://[::1]/a",
    ],
)
def test_absolute_https_urls_are_accepted(text: str) -> None:
    assert is_https_url(text)


@pytest.mark.parametrize(
    "text",
    ["", "example.com/a.png", "/a.png", "//example.com/a", "http://example.com/a.png", "https:///a.png",
     "https://", "https://user@/a", "https://:80/", "https://example.com/a b", "https://example.com:port/",
     "https://[::1/a", "https://example.com/\ta", "data:image/png;base64,AA"],
)  # fmt: skip
def test_other_texts_are_not_https_urls(text: str) -> None:
    assert not is_https_url(text)


def test_extensions_are_recognised_only_in_the_path_and_in_any_case() -> None:
    assert is_media_url("http://example.com/a.MP3?download=1", AUDIO)
    assert not is_media_url("https://example.com/a?file=b.mp3", AUDIO)
    assert not is_media_url("https://example.com/a.ogg", AUDIO)
    assert not is_media_url("ftp://example.com/a.mp3", AUDIO)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("See https://a.example/b?X-Sig=c%2Fd&e=1 now", "See https://a.example/b?... now"),
        ('{"url": "http://127.0.0.1:80/x?y=1"}', '{"url": "http://127.0.0.1:80/x?...'),
        ("Denied: /bucket/key?X-Sig=c and it's", "Denied: /bucket/key?... and it's"),
        ("https://a.example/it's?name='a'&X-Sig=c", "https://a.example/it's?..."),
        ("HTTPS://A/?q <https://b/c?d>", "HTTPS://A/?... <https://b/c?...>"),
        ("Why? Because. https://a.example/b", "Why? Because. https://a.example/b"),
        ("https://a.example/b? yes", "https://a.example/b? yes"),
    ],
)
def test_the_query_of_every_url_is_removed(text: str, shown: str) -> None:
    assert redact_urls(text) == shown
