"""Malformed requests get a response, and the service continues (wire reference, section 2)."""

import gzip
import socket
from contextlib import closing

import pytest

from batchwright.service.process import ServiceAddress
from tests.service.api_helpers import TASK_DETAILS, Researcher, jsonl
from tests.service.raw_http import connect, detail_of, exchange, head, read_answer, read_to_end

ME = "GET /api/v1/users/me HTTP/1.1"
CREATE = "POST /api/v1/data-collection/batches HTTP/1.1"


@pytest.mark.parametrize(
    "headers",
    [
        ("Transfer-Encoding: chunked", "Content-Length: 5"),
        ("Content-Length: 5", "Content-Length: 6"),
        ("Content-Length: -1",),
        ("Content-Length: +2",),
        ("Content-Length: ",),
        ("Content-Length: five",),
        ("Content-Length: " + "9" * 30,),
        ("Transfer-Encoding: gzip",),
        ("Transfer-Encoding: chunked, identity",),
        ("Host: elsewhere.example",),
        ("X: \0",),
        ("no colon",),
        ("X: a\r\n folded",),
    ],
    ids=repr,
)
def test_contradictory_headers_get_a_400(running: ServiceAddress, headers: tuple[str, ...]) -> None:
    response = exchange(running.url, head(running, CREATE, *headers), b"0\r\n\r\n")
    assert response.status == 400
    assert detail_of(response)


@pytest.mark.parametrize(
    "host", ["", "elsewhere.example", "[", "]:1", "a@127.0.0.1", "127.0.0.1.elsewhere.example", "\xff"]
)
def test_the_name_of_another_host_gets_a_400(running: ServiceAddress, host: str) -> None:
    request = f"{ME}\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode("latin-1")
    response = exchange(running.url, request)
    assert response.status == 400
    assert "Host" in detail_of(response)


@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_a_missing_host_gets_a_400(running: ServiceAddress, version: str) -> None:
    request = f"GET /api/v1/users/me HTTP/{version}\r\nConnection: close\r\n\r\n"
    assert exchange(running.url, request.encode()).status == 400


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        ("get /api/v1/users/me HTTP/1.1", 501),
        ("NONSENSE /api/v1/users/me HTTP/1.1", 501),
        ("X-1.2~ /api/v1/users/me HTTP/1.1", 501),
        ("NON(SENSE /api/v1/users/me HTTP/1.1", 400),
        ("TRACE /api/v1/users/me HTTP/1.1", 405),
        ("CONNECT example.org:443 HTTP/1.1", 400),
        ("OPTIONS * HTTP/1.1", 404),
        ("GET http://elsewhere.example/api/v1/users/me HTTP/1.1", 200),
        ("GET //api/v1/users/me HTTP/1.1", 404),
        ("GET /api/v1/../v1/users/me HTTP/1.1", 404),
        ("GET /api/v1/%2e%2e/v1/users/me HTTP/1.1", 404),
        ("GET /api/v1/users/me%00 HTTP/1.1", 404),
        ("GET /api/v1/users/me%2F HTTP/1.1", 200),
        ("GET /api/v1/users/% HTTP/1.1", 404),
        ("GET /api/v1/users/%zz HTTP/1.1", 404),
        ("GET /api/v1/users/%ff HTTP/1.1", 404),
        ("GET /api/v1/users/\xff HTTP/1.1", 400),
        ("GET /api/v1/users/" + "a" * 300_000 + " HTTP/1.1", 414),
        ("GET /api/v1/users/me?" + "a=b&" * 20_000 + " HTTP/1.1", 414),
        ("GET /api/v1/users/me?" + "a" * 2_000_000 + " HTTP/1.1", 414),
        ("GET /api/v1/users/me?" + "a=b&" * 10_000 + " HTTP/1.1", 200),
        ("GET /api/v1/users/me? HTTP/9.9", 400),
        ("GET", 400),
        ("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),
    ],
    ids=lambda value: repr(value)[:60],
)
def test_malformed_request_lines_get_a_response(
    running: ServiceAddress, request_line: str, status: int
) -> None:
    response = exchange(running.url, head(running, request_line))
    assert response.status == status
    assert status == 200 or detail_of(response)


@pytest.mark.parametrize(
    "id", ["..%2F..%2Fetc%2Fpasswd", "%00", "%ff", "%F0%9F%98%80", "'%20OR%201=1--", "9" * 9000]
)
@pytest.mark.parametrize("kind", ["datasets", "batches", "collections"])
def test_any_other_id_is_reported_as_unknown(running: ServiceAddress, kind: str, id: str) -> None:
    response = exchange(running.url, head(running, f"GET /api/v1/data-collection/{kind}/{id} HTTP/1.1"))
    assert response.status in (400, 404)
    assert detail_of(response)


@pytest.mark.parametrize(
    "headers",
    [
        (),
        ("Content-Type: ",),
        ("Content-Type: text/plain; charset=utf-16",),
        ("Content-Type: a", "Content-Type: b"),
    ],
    ids=repr,
)
def test_json_is_read_with_any_content_type(running: ServiceAddress, headers: tuple[str, ...]) -> None:
    body = jsonl({"name": "N", "workspace_id": running.workspace_id, "task_details": TASK_DETAILS})
    request = head(running, CREATE, f"Content-Length: {len(body)}", *headers)
    assert exchange(running.url, request, body).status == 201


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ("Content-Encoding: gzip", 415),
        ("Content-Encoding: identity, GZIP", 415),
        ("Content-Encoding: br", 415),
        ("Content-Encoding: Identity", 201),
        ("Content-Encoding: ", 201),
        ("Expect: 200-ok", 417),
        ("Expect: 100-continue, 200-ok", 417),
    ],
)
def test_a_header_that_cannot_be_followed_is_rejected(
    running: ServiceAddress, header: str, status: int
) -> None:
    body = jsonl({"name": "N", "workspace_id": running.workspace_id, "task_details": TASK_DETAILS})
    sent = gzip.compress(body) if status == 415 else body
    response = exchange(running.url, head(running, CREATE, f"Content-Length: {len(sent)}", header), sent)
    assert response.status == status
    assert status == 201 or header.partition(": ")[0] in detail_of(response)


def test_a_client_that_waits_is_asked_to_continue(running: ServiceAddress) -> None:
    body = jsonl({"name": "N", "workspace_id": running.workspace_id, "task_details": TASK_DETAILS})
    request = head(running, CREATE, f"Content-Length: {len(body)}", "Expect: 100-Continue")
    with closing(connect(running.url)) as connection:
        connection.sendall(request)
        assert connection.recv(25) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(body)
        assert read_answer(connection).status == 201


@pytest.mark.parametrize("method", ["GET", "POST", "PUT"])
def test_an_encoded_body_is_rejected_everywhere(running: ServiceAddress, method: str) -> None:
    for path in (
        "/storage/imports/1/a.csv",
        "/participate/x",
        "/api/v1/data-collection/datasets/1/datapoints",
    ):
        request = head(running, f"{method} {path} HTTP/1.1", "Content-Encoding: gzip", "Content-Length: 0")
        assert exchange(running.url, request).status == 415, path


def test_an_unknown_method_is_found_in_any_piece_of_a_request(running: ServiceAddress) -> None:
    request = head(running, "FETCH /api/v1/users/me HTTP/1.1")
    assert exchange(running.url, request[:6], request[6:]).status == 501


def test_a_chunked_body_is_accepted(running: ServiceAddress) -> None:
    body = jsonl({"name": "N", "workspace_id": running.workspace_id, "task_details": TASK_DETAILS})
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n"
    assert exchange(running.url, head(running, CREATE, "Transfer-Encoding: chunked"), chunks).status == 201


@pytest.mark.parametrize("chunk", [b"zz\r\n", b"f" * 30 + b"\r\n", b"-1\r\n", b"5\r\nabcdefgh"])
def test_an_invalid_chunk_gets_a_400(running: ServiceAddress, chunk: bytes) -> None:
    response = exchange(running.url, head(running, CREATE, "Transfer-Encoding: chunked"), chunk)
    assert response.status == 400


def test_a_body_longer_than_its_content_length_is_truncated(running: ServiceAddress) -> None:
    response = exchange(running.url, head(running, CREATE, "Content-Length: 2"), b"{}" + b"garbage" * 1000)
    assert response.status == 400
    assert "name" in detail_of(response)


def test_a_body_shorter_than_its_content_length_has_no_effect(
    running: ServiceAddress, researcher: Researcher
) -> None:
    before = researcher.request("GET", f"/batches?workspace_id={researcher.workspace}&limit=0", None, 200)[
        "meta"
    ]
    body = jsonl({"name": "N", "workspace_id": running.workspace_id, "task_details": TASK_DETAILS})
    with closing(connect(running.url)) as connection:
        connection.sendall(head(running, CREATE, f"Content-Length: {len(body) + 1}") + body)
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(1000) == b""
    after = researcher.request("GET", f"/batches?workspace_id={researcher.workspace}&limit=0", None, 200)[
        "meta"
    ]
    assert after == before


def test_pipelined_requests_are_answered_in_order(running: ServiceAddress) -> None:
    first = head(running, ME).replace(b"Connection: close\r\n", b"")
    with closing(connect(running.url)) as connection:
        connection.sendall(first * 20 + head(running, "GET /nowhere HTTP/1.1"))
        responses = read_to_end(connection)
    assert responses.count(b"HTTP/1.1 200 OK") == 20
    assert b"HTTP/1.1 404 Not Found" in responses.rpartition(b"HTTP/1.1 200 OK")[2]
