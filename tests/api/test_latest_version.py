"""The news about the latest version: over TLS, signed, limited, and never redirected."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from batchwright.api.http.errors import ApiError
from batchwright.api.latest_version import LatestVersion, fetch_latest_version
from batchwright.base.network_settings import SYSTEM_NETWORK, NetworkSettings
from batchwright.base.program_info import UpdateSource
from tests.fakes.news_server import NewsServer, Signer
from tests.fakes.raw_http import FakeResponse

NEWS, SIGNATURE = "/news.json", "/news.json.minisig"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[NewsServer]:
    with NewsServer(tmp_path) as server:
        yield server


async def fetch(server: NewsServer) -> LatestVersion:
    network = NetworkSettings(certificates=str(server.certificate))
    return await fetch_latest_version(server.source, network)


async def test_signed_news_are_fetched(server: NewsServer) -> None:
    assert await fetch(server) == LatestVersion("99.1", "https://example.org/news")
    server.release({"version": "1.2", "page": "http://example.org/news"})
    assert await fetch(server) == LatestVersion("1.2", "")


async def test_the_signature_is_beside_an_address_with_a_query(server: NewsServer) -> None:
    server.responses[f"{NEWS}?a=b"], server.responses[f"{SIGNATURE}?a=b"] = server.responses.values()
    source = UpdateSource(f"{server.source.url}?a=b", server.source.key)
    network = NetworkSettings(certificates=str(server.certificate))
    assert (await fetch_latest_version(source, network)).number == "99.1"


def change_version(server: NewsServer) -> None:
    server.responses[NEWS] = FakeResponse(body=server.responses[NEWS].body.replace(b"99.1", b"99.2"))


def sign_with_another_key(server: NewsServer) -> None:
    content = server.responses[NEWS].body
    server.responses[SIGNATURE] = FakeResponse(body=Signer(b"othernam").signature(content))


def leave_out_signature(server: NewsServer) -> None:
    del server.responses[SIGNATURE]


def redirect(server: NewsServer) -> None:
    server.responses[NEWS] = FakeResponse(302, headers={"Location": "http://127.0.0.1/news.json"})


def send_too_much(server: NewsServer) -> None:
    server.responses[NEWS] = FakeResponse(body=b" " * 70_000)


def send_too_long_a_signature(server: NewsServer) -> None:
    server.responses[SIGNATURE] = FakeResponse(body=b" " * 5_000)


def sign_no_version(server: NewsServer) -> None:
    server.release({"version": "new"})


def sign_no_json(server: NewsServer) -> None:
    server.responses[NEWS] = FakeResponse(body=b"<html>")
    server.responses[SIGNATURE] = FakeResponse(body=server.signer.signature(b"<html>"))


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (change_version, "it was changed after it was signed"),
        (sign_with_another_key, "it is signed with another key"),
        (leave_out_signature, "status 404"),
        (redirect, "status 302"),
        (send_too_much, "too large"),
        (send_too_long_a_signature, "too large"),
        (sign_no_version, "no version"),
        (sign_no_json, "no version"),
    ],
)
async def test_other_news_are_rejected_with_the_reason(
    fault: Callable[[NewsServer], None], reason: str, server: NewsServer
) -> None:
    fault(server)
    with pytest.raises(ApiError, match=reason):
        await fetch(server)
    assert {request.target.decode() for request in server.requests} <= {NEWS, SIGNATURE}


async def test_a_server_whose_certificate_is_not_trusted_is_asked_nothing(server: NewsServer) -> None:
    with pytest.raises(ApiError, match="certificate"):
        await fetch_latest_version(server.source, SYSTEM_NETWORK)
    assert server.requests == []


async def test_a_slow_server_is_not_waited_for(server: NewsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("batchwright.api.latest_version._TIMEOUT_S", 0.0)
    with pytest.raises(ApiError, match="took too long"):
        await fetch(server)
