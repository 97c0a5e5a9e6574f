"""Services beyond this computer: certificates are checked, and the proxy learns no secret."""

import ssl
from pathlib import Path

import httpx
import pytest

from batchwright.api.connection import connect
from batchwright.api.errors import Unreachable, Untrusted
from batchwright.api.transport import lost
from tests.api.asking import TOKEN, ask
from tests.fakes.echo_server import EchoServer
from tests.fakes.raw_http import Reply


def test_the_proxy_learns_where_to_connect_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = tmp_path / "up.csv"
    upload.write_bytes(b"a\n1\n")
    with EchoServer(Reply(502)) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url.replace("://", "://me:secret@"))
        for name in ("NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy", "https_proxy"):
            monkeypatch.delenv(name, raising=False)
        with pytest.raises(Unreachable):
            ask("https://api.example.org", lambda service: service.account.check())
        with pytest.raises(Unreachable):
            ask(
                "https://api.example.org",
                lambda service: service.transfers.upload(
                    upload, "https://storage.example.org/x?sig=secret-query"
                ),
            )
    assert {request.target for request in proxy.requests} == {
        b"api.example.org:443",
        b"storage.example.org:443",
    }
    for request in proxy.requests:
        assert request.header(b"authorization") is None
        assert request.header(b"proxy-authorization") is not None
        assert not any(secret in repr(request) for secret in (TOKEN, "secret-query"))


def test_a_certificate_that_is_not_trusted_has_an_error_of_its_own() -> None:
    fault = httpx.ConnectError("handshake")
    fault.__cause__ = ssl.SSLCertVerificationError("self-signed")
    assert isinstance(lost("GET /", fault), Untrusted)


def test_an_own_file_of_certificates_is_trusted_besides_the_usual_ones(tmp_path: Path) -> None:
    import certifi

    own = tmp_path / "own.pem"
    own.write_bytes(Path(certifi.where()).read_bytes())
    assert connect("https://api.example.org", TOKEN, certificates=own)
