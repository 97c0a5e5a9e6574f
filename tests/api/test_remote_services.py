"""Services on other computers: certificates are checked, and the proxy learns no secret."""

from pathlib import Path

import certifi
import pytest

from batchwright.api.client import connect
from batchwright.api.http.errors import BadCertificates, CertificateUntrusted, Unreachable
from batchwright.api.http.http_client import ssl_context
from tests.api.requests import TOKEN, USER, client_at, download
from tests.fakes.echo_server import EchoServer
from tests.fakes.raw_http import FakeResponse
from tests.fakes.tls_server import NAME, TlsServer
from tests.fakes.tunnel_proxy import TunnelProxy


async def test_the_proxy_learns_only_the_host_to_connect_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = tmp_path / "up.csv"
    upload.write_bytes(b"a\n1\n")
    with EchoServer(FakeResponse(502)) as proxy:
        for name in ("NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy", "https_proxy"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("HTTPS_PROXY", proxy.url.replace("://", "://me:secret@"))
        with pytest.raises(Unreachable):
            async with client_at("https://api.example.org") as service:
                await service.account.check()
        with pytest.raises(Unreachable):
            async with client_at("https://api.example.org") as service:
                await service.transfers.upload(upload, "https://storage.example.org/x?sig=secret-query")
    assert {request.target for request in proxy.requests} == {
        b"api.example.org:443",
        b"storage.example.org:443",
    }
    for request in proxy.requests:
        assert request.header(b"authorization") is None
        assert request.header(b"proxy-authorization") is not None
        assert not any(secret in repr(request) for secret in (TOKEN, "secret-query"))


@pytest.mark.spec("T-11", "T-13")
async def test_storage_behind_a_proxy_gets_the_exact_url_and_no_credentials(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc, upload = tmp_path / "netrc", tmp_path / "up.csv"
    netrc.write_text(f"machine {NAME} login me password secret\n")
    netrc.chmod(0o600)
    upload.write_bytes(b"a\n1\n")
    monkeypatch.setenv("NETRC", str(netrc))
    for name in ("NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    target = "/raw/a%2fb/../'\"x?sig=%c3%bc+/"

    async def transfer_both(url: str, certificates: Path) -> None:
        async with connect("https://127.0.0.1", TOKEN, certificates=certificates) as service:
            await service.transfers.upload(upload, url)
            await download(service, url, tmp_path / "down.csv")

    with TlsServer(tmp_path, FakeResponse(200, b"content")) as storage, TunnelProxy(storage.url) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url.replace("://", "://me:secret@"))
        await transfer_both(f"https://user:secret@{NAME}{target}", storage.certificate)
    assert {request.line for request in proxy.requests} == {f"CONNECT {NAME}:443 HTTP/1.1".encode()}
    assert [request.target for request in storage.requests] == [target.encode()] * 2
    for request in storage.requests:
        names = {name.lower() for name, _value in request.headers}
        assert not names & {b"authorization", b"proxy-authorization", b"cookie"}


async def test_an_untrusted_certificate_raises_its_own_error_before_any_request(
    tmp_path: Path,
) -> None:
    upload = tmp_path / "up.csv"
    upload.write_bytes(b"a\n1\n")
    with TlsServer(tmp_path, FakeResponse.from_json(USER)) as server:
        with pytest.raises(CertificateUntrusted):
            async with client_at(server.url) as service:
                await service.account.check()
        with pytest.raises(CertificateUntrusted):
            async with client_at(server.url) as service:
                await service.transfers.upload(upload, f"{server.url}/raw?sig=1")
    assert server.requests == []


async def test_custom_certificates_are_trusted_for_the_service_and_for_storage(tmp_path: Path) -> None:
    upload = tmp_path / "up.csv"
    upload.write_bytes(b"a\n1\n")

    async def work(url: str, certificates: Path) -> None:
        async with connect(url, TOKEN, certificates=certificates) as service:
            assert (await service.account.check()).id == USER["id"]
            await service.transfers.upload(upload, f"{url}/raw?sig=1")

    with TlsServer(tmp_path, FakeResponse.from_json(USER)) as server:
        await work(server.url, server.certificate)
    assert [request.call for request in server.requests] == ["GET /api/v1/users/me/", "PUT /raw"]


async def test_a_service_behind_a_tunnel_on_this_computer_has_storage_with_tls(tmp_path: Path) -> None:
    upload = tmp_path / "up.csv"
    upload.write_bytes(b"a\n1\n")
    with TlsServer(tmp_path, FakeResponse(200, b"content")) as storage:
        async with connect("http://127.0.0.1", TOKEN, certificates=storage.certificate) as service:
            await service.transfers.upload(upload, f"{storage.url}/raw?sig=1")
            await download(service, f"{storage.url}/raw?sig=1", tmp_path / "down.csv")
    assert [request.call for request in storage.requests] == ["PUT /raw", "GET /raw"]


def test_custom_certificates_are_trusted_in_addition_to_those_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", certifi.where())
    with TlsServer(tmp_path) as server:
        trusted = ssl_context(server.certificate)
    assert trusted.cert_store_stats()["x509"] == ssl_context().cert_store_stats()["x509"] + 1


@pytest.mark.parametrize("content", [None, b"", b"no certificates"])
def test_unreadable_certificates_are_reported_with_path_and_reason(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "own.pem"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadCertificates) as custom:
        connect("https://api.example.org", TOKEN, certificates=path)
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    with pytest.raises(BadCertificates) as environment:
        connect("https://api.example.org", TOKEN)
    assert (custom.value.is_own, environment.value.is_own) == (True, False)
    assert "SSL_CERT_FILE" in str(environment.value)
    reason = "No such file" if content is None else "does not contain certificates"
    for error in (custom.value, environment.value):
        assert str(path) in error.reason
        assert reason in error.reason
