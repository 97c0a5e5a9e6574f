"""Images are fetched over https only, by requests that identify nobody, and only up to a size."""

import socket
from pathlib import Path

import pytest

from batchwright.api import images
from batchwright.api.http.errors import (
    BadAddress,
    BeyondLimits,
    CertificateUntrusted,
    NotFound,
    PrivateAddress,
    ServerError,
    UnexpectedResponse,
    Unreachable,
)
from batchwright.api.http.public_addresses import public_addresses
from batchwright.api.images import LARGEST_IMAGE, fetch_image
from batchwright.base.limits import MIB
from batchwright.base.network_settings import SYSTEM_NETWORK, NetworkSettings
from tests.fakes.echo_server import EchoServer
from tests.fakes.image_server import SLOW, ImageServer
from tests.fakes.tls_server import NAME


async def fetch(server: ImageServer, url: str) -> bytes:
    network = NetworkSettings(certificates=str(server.certificate))
    return await fetch_image(url, network, server.url)


async def test_a_request_has_no_token_no_cookie_no_referrer_and_no_user_name(tmp_path: Path) -> None:
    with ImageServer(tmp_path) as server:
        url = server.serve("/a.png", b"content")
        server.serve("/first", b"", 302, Location="/a.png?size=2", **{"Set-Cookie": "who=me; Path=/"})
        assert (
            await fetch(server, url.replace("https://", "https://me:secret@").replace("a.png", "first"))
            == b"content"
        )
    assert [request.target for request in server.requests] == [b"/first", b"/a.png?size=2"]
    for request in server.requests:
        names = {name.lower() for name, _value in request.headers}
        assert names == {b"host", b"accept", b"accept-encoding", b"connection", b"user-agent"}
        assert request.header(b"user-agent") == b"batchwright"


async def test_an_address_is_encoded_as_by_a_browser(tmp_path: Path) -> None:
    with ImageServer(tmp_path) as server:
        server.serve("/Gr%C3%B6%C3%9Fe.png", b"large")
        assert await fetch(server, f"{server.url}/Größe.png?x=%2F#top") == b"large"
        assert server.requests[0].target == b"/Gr%C3%B6%C3%9Fe.png?x=%2F"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_to_http_is_not_followed(status: int, tmp_path: Path) -> None:
    with ImageServer(tmp_path) as server, EchoServer() as plain:
        url = server.serve("/a", b"", status, Location=f"{plain.url}/a.png")
        with pytest.raises(BadAddress):
            await fetch(server, url)
    assert plain.requests == []


@pytest.mark.parametrize(
    "location", ["data:image/png;base64,AAAA", "mailto:me@a.example", "https://xn--/", "//[", "//1[@//x"]
)
async def test_a_redirect_to_an_invalid_address_is_reported(location: str, tmp_path: Path) -> None:
    with ImageServer(tmp_path) as server:
        url = server.serve("/a", b"", 302, Location=location)
        with pytest.raises(UnexpectedResponse, match="redirects to an invalid address"):
            await fetch(server, url)


async def test_redirects_end(tmp_path: Path) -> None:
    with ImageServer(tmp_path) as server:
        url = server.serve("/round", b"", 302, Location="/round")
        with pytest.raises(UnexpectedResponse):
            await fetch(server, url)
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
async def test_other_addresses_are_not_requested(url: str) -> None:
    with pytest.raises(BadAddress):
        await fetch_image(url, SYSTEM_NETWORK)


async def test_an_image_is_limited_to_20_mb(tmp_path: Path) -> None:
    with ImageServer(tmp_path) as server:
        assert len(await fetch(server, server.serve("/largest.png", bytes(LARGEST_IMAGE)))) == LARGEST_IMAGE
        with pytest.raises(BeyondLimits):
            await fetch(server, server.serve("/larger.png", bytes(25 * MIB)))


async def test_errors_say_what_happened(tmp_path: Path) -> None:
    with ImageServer(tmp_path) as server:
        url = server.serve("/broken.png", b"<html>", 503)
        with pytest.raises(NotFound):
            await fetch(server, f"{server.url}/missing.png?signature=secret")
        with pytest.raises(ServerError):
            await fetch(server, url)
        with pytest.raises(CertificateUntrusted):
            await fetch_image(url, SYSTEM_NETWORK, server.url)
    with pytest.raises(Unreachable):
        await fetch(server, url)


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f.0.0.1",
        "0.0.0.0",
        "localhost",
        "10.1.2.3",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "224.0.0.1",
        "[::1]",
        "[::]",
        "[fe80::1]",
        "[fc00::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:10.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[::7f00:1]",
    ],
)
@pytest.mark.parametrize("proxy", ["", "http://proxy.invalid:1"])
async def test_private_addresses_are_not_requested_also_by_a_redirect(
    host: str, proxy: str, tmp_path: Path
) -> None:
    with pytest.raises(PrivateAddress):
        await fetch_image(f"https://{host}/a.png", NetworkSettings(proxy))
    with ImageServer(tmp_path) as server:
        url = server.serve("/a", b"", 302, Location=f"https://{host}/a.png")
        with pytest.raises(PrivateAddress):
            await fetch(server, url)


async def test_only_the_service_of_the_layout_may_be_private(tmp_path: Path) -> None:
    with ImageServer(tmp_path) as server:
        url = server.serve("/a.png", b"content")
        network = NetworkSettings(certificates=str(server.certificate))
        assert await fetch_image(url, network, f"{server.url}/prefix") == b"content"
        for service in ("", "https://127.0.0.1:1", "https://service.example.org"):
            with pytest.raises(PrivateAddress):
                await fetch_image(url, network, service)
        assert len(server.requests) == 1


async def test_a_request_goes_to_the_address_that_was_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that is looked up twice may have a private address at the second time."""
    lookups = []

    async def look_up(_call: str, host: str, port: int) -> list[str]:
        lookups.append((host, port))
        return ["127.0.0.2", "127.0.0.1"]  # nothing listens at the first one

    monkeypatch.setattr(images, "public_addresses", look_up)
    with ImageServer(tmp_path) as server:
        server.serve("/a.png", b"content")
        port = server.url.rpartition(":")[2]
        network = NetworkSettings(certificates=str(server.certificate))
        assert await fetch_image(f"https://{NAME}:{port}/a.png", network) == b"content"
        assert lookups == [(NAME, int(port))]
        assert server.requests[0].header(b"host") == f"{NAME}:{port}".encode()
        with pytest.raises(CertificateUntrusted):
            await fetch_image(f"https://other.example.org:{port}/a.png", network)


async def test_names_with_any_private_address_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    async def look_up(host: str) -> list[str]:
        return await public_addresses("GET", host, 443)

    def found(*addresses: str) -> list[tuple[object, ...]]:
        return [(0, 0, 0, "", (address, 443)) for address in addresses]

    answers = {"good.example": found("8.8.8.8", "2606:4700::1"), "bad.example": found("8.8.8.8", "10.0.0.1")}
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, *_rest, **_more: answers[host])
    assert await look_up("good.example") == ["8.8.8.8", "2606:4700::1"]
    with pytest.raises(PrivateAddress):
        await look_up("bad.example")


async def test_a_response_that_trickles_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images, "_LONGEST_S", 0.5)
    with ImageServer(tmp_path) as server, pytest.raises(Unreachable, match="took too long"):
        await fetch(server, f"{server.url}{SLOW}")
