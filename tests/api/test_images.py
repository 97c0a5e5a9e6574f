"""Images are fetched over https only, by requests that identify nobody, and only up to a size."""

import asyncio
from pathlib import Path

import pytest

from batchwright.api.errors import (
    BadAddress,
    BeyondLimits,
    CertificateUntrusted,
    NotFound,
    ServerError,
    UnexpectedResponse,
    Unreachable,
)
from batchwright.api.images import LARGEST_IMAGE, fetch_image
from batchwright.base.limits import MIB
from batchwright.base.network_settings import SYSTEM_NETWORK, NetworkSettings
from tests.fakes.echo_server import EchoServer
from tests.fakes.image_server import ImageServer


def fetch(server: ImageServer, url: str) -> bytes:
    return asyncio.run(fetch_image(url, NetworkSettings(certificates=str(server.certificate))))


def test_a_request_has_no_token_no_cookie_no_referrer_and_no_user_name(tmp_path: Path) -> None:
    with ImageServer(tmp_path) as server:
        url = server.serve("/a.png", b"content")
        server.serve("/first", b"", 302, Location="/a.png?size=2", **{"Set-Cookie": "who=me; Path=/"})
        assert (
            fetch(server, url.replace("https://", "https://me:secret@").replace("a.png", "first"))
            == b"content"
        )
    assert [request.target for request in server.requests] == [b"/first", b"/a.png?size=2"]
    for request in server.requests:
        names = {name.lower() for name, _value in request.headers}
        assert names == {b"host", b"accept", b"accept-encoding", b"connection", b"user-agent"}
        assert request.header(b"user-agent") == b"batchwright"


def test_an_address_is_encoded_as_by_a_browser(tmp_path: Path) -> None:
    with ImageServer(tmp_path) as server:
        server.serve("/Gr%C3%B6%C3%9Fe.png", b"large")
        assert fetch(server, f"{server.url}/Größe.png?x=%2F#top") == b"large"
        assert server.requests[0].target == b"/Gr%C3%B6%C3%9Fe.png?x=%2F"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_http_is_not_followed(status: int, tmp_path: Path) -> None:
    with ImageServer(tmp_path) as server, EchoServer() as plain:
        url = server.serve("/a", b"", status, Location=f"{plain.url}/a.png")
        with pytest.raises(BadAddress):
            fetch(server, url)
    assert plain.requests == []


@pytest.mark.parametrize(
    "location", ["data:image/png;base64,AAAA", "mailto:me@a.example", "https://xn--/", "//[", "//1[@//x"]
)
def test_a_redirect_to_an_invalid_address_is_reported(location: str, tmp_path: Path) -> None:
    with ImageServer(tmp_path) as server:
        url = server.serve("/a", b"", 302, Location=location)
        with pytest.raises(UnexpectedResponse, match="redirects to an invalid address"):
            fetch(server, url)


def test_redirects_end(tmp_path: Path) -> None:
    with ImageServer(tmp_path) as server:
        url = server.serve("/round", b"", 302, Location="/round")
        with pytest.raises(UnexpectedResponse):
            fetch(server, url)
    assert len(server.requests) == 6


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/a.png",
        "data:image/png;base64,AAAA",
        "//a.example/a.png",
        "https://",
        "https://exa mple/a.png",
        f"https://a.example/{'a' * 70_000}",
        "https://a.example:99999/a.png",
        "https://xn--/a.png",
        "https://1.2.3.999/a.png",
        "https://ö..example/\ud800.png",
    ],
)
def test_other_addresses_are_not_requested(url: str) -> None:
    with pytest.raises(BadAddress):
        asyncio.run(fetch_image(url, SYSTEM_NETWORK))


def test_an_image_is_limited_to_20_mb(tmp_path: Path) -> None:
    with ImageServer(tmp_path) as server:
        assert len(fetch(server, server.serve("/largest.png", bytes(LARGEST_IMAGE)))) == LARGEST_IMAGE
        with pytest.raises(BeyondLimits):
            fetch(server, server.serve("/larger.png", bytes(25 * MIB)))


def test_errors_say_what_happened(tmp_path: Path) -> None:
    with ImageServer(tmp_path) as server:
        url = server.serve("/broken.png", b"<html>", 503)
        with pytest.raises(NotFound):
            fetch(server, f"{server.url}/missing.png?signature=secret")
        with pytest.raises(ServerError):
            fetch(server, url)
        with pytest.raises(CertificateUntrusted):
            asyncio.run(fetch_image(url, SYSTEM_NETWORK))
    with pytest.raises(Unreachable):
        fetch(server, url)
