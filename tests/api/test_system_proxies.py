"""The proxies of the system or of the settings are used for other computers, and reported if they fail."""

from base64 import b64encode
from pathlib import Path

import pytest

from batchwright.api.client import connect
from batchwright.api.http.errors import BadCertificates, BadProxy, ProxyRefused, Unreachable
from batchwright.base.network_settings import NetworkSettings
from batchwright.service.process import ServiceAddress
from batchwright.workflows.messages import describe
from tests.api.requests import TOKEN, USER, client_at
from tests.api.studies import client_of
from tests.fakes.echo_server import EchoServer
from tests.fakes.raw_http import FakeResponse
from tests.fakes.socks_proxy import GarblingProxy, SocksProxy
from tests.fakes.tls_server import NAME, TlsServer

UNUSABLE = ("socks://127.0.0.1:1080", "http://me:hush@proxy:bad", "gopher://127.0.0.1", "http://[::1")


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the proxies of the environment."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.mark.parametrize("name", ["ALL_PROXY", "HTTPS_PROXY"])
@pytest.mark.parametrize("setting", UNUSABLE)
async def test_an_invalid_proxy_setting_is_reported_and_does_not_affect_this_computer(
    setting: str, name: str, running: ServiceAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, setting)
    async with client_of(running) as service:
        assert (await service.account.check()).id
    with pytest.raises(BadProxy) as caught:
        connect("https://api.example.org", TOKEN)
    message = describe(caught.value)
    assert "proxy of this computer" in message.what
    assert "hush" not in f"{message.what} {message.remedy} {caught.value.__context__!r}"
    assert not message.is_bug


async def test_a_socks_proxy_is_used_for_the_service_and_for_storage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = tmp_path / "up.csv"
    upload.write_bytes(b"a\n1\n")

    async def work(certificates: Path) -> None:
        async with connect(f"https://{NAME}", TOKEN, certificates=certificates) as service:
            assert (await service.account.check()).id == USER["id"]
            await service.transfers.upload(upload, f"https://{NAME}/raw?sig=1")

    with TlsServer(tmp_path, FakeResponse.from_json(USER)) as server, SocksProxy(server.url) as proxy:
        monkeypatch.setenv("ALL_PROXY", proxy.url)
        await work(server.certificate)
    assert proxy.requests == [(NAME, 443), (NAME, 443)]
    assert [request.call for request in server.requests] == ["GET /api/v1/users/me/", "PUT /raw"]


@pytest.mark.parametrize("status", [502, 503, 504])
async def test_a_proxy_that_cannot_connect_is_reported_as_a_network_outage(
    status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with EchoServer(FakeResponse(status)) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        with pytest.raises(Unreachable, match="could not reach") as caught:
            async with client_at("https://api.example.org") as service:
                await service.account.check()
    assert type(caught.value) is Unreachable


async def test_a_proxy_that_requires_authentication_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    page = FakeResponse(407, b"<html>Sign in</html>", {"Content-Type": "text/html"})
    with EchoServer(page) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        with pytest.raises(ProxyRefused) as caught:
            async with client_at("https://api.example.org") as service:
                await service.account.check()
    assert "proxy" in describe(caught.value).what
    assert "Sign in to the proxy" in describe(caught.value).remedy


@pytest.mark.parametrize("is_before", [True, False], ids=["sign-in", "connection"])
@pytest.mark.parametrize(
    "garbage",
    [b"", b"\x05", b"garbage", b"\x05\xff", b"\x05\x00\x00\x09", b"HTTP/1.1 400 Bad Request\r\n\r\n"],
)
async def test_a_socks_proxy_that_responds_with_something_else_is_reported_and_left(
    garbage: bytes, is_before: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with GarblingProxy(garbage, accepts_sign_in=not is_before) as proxy:
        monkeypatch.setenv("ALL_PROXY", proxy.url)
        with pytest.raises(ProxyRefused) as caught:
            async with client_at("https://api.example.org") as service:
                await service.account.check()
        assert caught.value.__context__ is None
        assert not describe(caught.value).is_bug


async def test_the_proxy_and_the_certificates_of_the_settings_replace_those_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = tmp_path / "up.csv"
    upload.write_bytes(b"a\n1\n")

    async def work(network: NetworkSettings) -> None:
        async with connect(f"https://{NAME}", TOKEN, network=network) as service:
            assert (await service.account.check()).id == USER["id"]
            await service.transfers.upload(upload, f"https://{NAME}/raw?sig=1")

    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    with TlsServer(tmp_path, FakeResponse.from_json(USER)) as server, SocksProxy(server.url) as proxy:
        await work(NetworkSettings(proxy.url, str(server.certificate)))
    assert proxy.requests == [(NAME, 443), (NAME, 443)]
    assert [request.call for request in server.requests] == ["GET /api/v1/users/me/", "PUT /raw"]


async def test_user_name_and_password_are_sent_to_the_proxy_only() -> None:
    async def work(network: NetworkSettings) -> None:
        async with connect("https://api.example.org", TOKEN, network=network) as service:
            await service.account.check()

    with EchoServer(FakeResponse(407)) as proxy:
        network = NetworkSettings(proxy.url, proxy_user="me", proxy_password="p@ss: wörd")
        with pytest.raises(ProxyRefused) as caught:
            await work(network)
    credentials = b"Basic " + b64encode("me:p@ss: wörd".encode())
    (request,) = proxy.requests  # a refusal is not retried
    assert request.header(b"Proxy-Authorization") == credentials
    assert request.header(b"Authorization") is None
    assert "p@ss" not in f"{describe(caught.value)} {caught.value.__context__!r}"


async def test_the_service_on_this_computer_is_reached_without_the_proxy_of_the_settings(
    running: ServiceAddress,
) -> None:
    network = NetworkSettings("http://127.0.0.1:9", "missing.pem")
    async with connect(running.url, running.token, network=network) as service:
        assert (await service.account.check()).id


def test_unreadable_certificates_of_the_settings_are_reported() -> None:
    with pytest.raises(BadCertificates, match="certificates of the settings") as caught:
        connect("https://api.example.org", TOKEN, network=NetworkSettings(certificates="missing.pem"))
    assert not caught.value.is_own
