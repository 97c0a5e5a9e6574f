"""Requests rejected before their body was read get their response (wire reference, section 15)."""

import http.client
import shutil
import socket
import subprocess
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from batchwright.base.limits import LARGEST_BODY
from batchwright.service.process import ServiceAddress
from tests.service.api_helpers import Researcher, StorageResponse
from tests.service.raw_http import head, read_answer

BATCHES = "/api/v1/data-collection/batches"
TOO_LARGE = b" " * (LARGEST_BODY + 1_000_000)


def send_all_then_read(
    running: ServiceAddress, method: str, path: str, body: bytes, headers: dict[str, str]
) -> StorageResponse:
    """Send the whole request before reading, as `http.client` and most clients do."""
    with closing(http.client.HTTPConnection(urlsplit(running.url).netloc, timeout=60)) as client:
        client.request(method, path, body, headers)
        with client.getresponse() as response:
            return StorageResponse(response.status, response.read(), dict(response.headers))


@pytest.mark.parametrize("connection", ["keep-alive", "close"])
def test_the_413_is_read_by_a_client_that_sends_everything_first(
    running: ServiceAddress, connection: str
) -> None:
    headers = {"Authorization": f"Token {running.token}", "Connection": connection}
    response = send_all_then_read(running, "POST", BATCHES, TOO_LARGE, headers)
    assert (response.status, response.headers["connection"]) == (413, "close")
    assert str(LARGEST_BODY).encode() in response.body


def test_the_413_is_sent_at_once_and_the_connection_ends_after_the_body(running: ServiceAddress) -> None:
    parts = urlsplit(running.url)
    with closing(socket.create_connection((parts.hostname or "", parts.port or 0), timeout=60)) as plain:
        plain.sendall(head(running, f"POST {BATCHES} HTTP/1.1", f"Content-Length: {len(TOO_LARGE)}"))
        assert plain.recv(12) == b"HTTP/1.1 413"
        plain.sendall(TOO_LARGE)
        assert b"Request Entity Too Large" in plain.recv(65536)
        assert plain.recv(65536) == b""


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not on this computer")
@pytest.mark.parametrize("expect", ["Expect: 100-continue", "Expect:"])
def test_the_413_is_read_by_curl(running: ServiceAddress, tmp_path: Path, expect: str) -> None:
    (tmp_path / "body").write_bytes(TOO_LARGE)
    command = ["curl", "-sS", "--noproxy", "*", "-H", f"Authorization: Token {running.token}", "-H", expect]
    command += ["--data-binary", f"@{tmp_path / 'body'}", "-w", "%{http_code}", running.url + BATCHES]
    completed = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (completed.returncode, completed.stdout[-3:]) == (0, "413"), completed.stderr


@pytest.mark.parametrize(
    ("path", "status"),
    [(BATCHES, 401), ("/storage/imports/x/a.csv", 403), ("/nothing", 404), ("/openapi.json", 405)],
)
def test_other_errors_before_a_large_body_are_received(
    running: ServiceAddress, path: str, status: int
) -> None:
    method = "PUT" if status == 403 else "POST"
    headers = {"Connection": "close"}
    assert send_all_then_read(running, method, path, b"x" * 10_000_000, headers).status == status


def test_expect_100_continue_is_answered_immediately(running: ServiceAddress) -> None:
    parts = urlsplit(running.url)
    with closing(socket.create_connection((parts.hostname or "", parts.port or 0), timeout=60)) as plain:
        length = f"Content-Length: {len(TOO_LARGE)}"
        plain.sendall(head(running, f"POST {BATCHES} HTTP/1.1", length, "Expect: 100-continue"))
        assert read_answer(plain).status == 413


@pytest.mark.spec("I-01", "F-01")
def test_a_head_request_creates_nothing(running: ServiceAddress, researcher: Researcher) -> None:
    dataset = researcher.dataset()["id"]
    for path in (
        f"/api/v1/data-collection/datasets/{dataset}/upload-url/a.csv",
        f"/api/v1/submissions/signals/upload-url/a.csv?workspace_id={researcher.workspace}",
    ):
        response = researcher.http.head(path)
        assert (response.status_code, response.headers["allow"]) == (405, "GET")
        assert researcher.http.get(path).status_code == 201
    assert len(researcher.request("GET", f"/datasets/{dataset}", None, 200)["imports"]) == 1
    assert researcher.http.head(f"/api/v1/data-collection/datasets/{dataset}").status_code == 200
