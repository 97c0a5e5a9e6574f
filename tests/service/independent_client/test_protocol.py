"""HTTP as other clients write it, over plain sockets."""

import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from urllib.parse import urlsplit

import pytest

from tests.service.independent_client.client import Client
from tests.service.independent_client.endpoints import USERS
from tests.service.independent_client.researcher import PREFIX, SCHEMA

SIGNALS = "/api/v1/submissions/signals/upload-url/a.csv"


class RawConnection:
    """A connection that sends bytes unchanged."""

    def __init__(self, client: Client) -> None:
        url = urlsplit(client.base)
        assert url.hostname
        self.socket = socket.create_connection((url.hostname, url.port or 80), timeout=30)
        self.client = client
        self.host = url.netloc

    def send(self, *lines: str, body: bytes = b"") -> None:
        token, host = self.client.token, self.host
        head = "\r\n".join(raw_connection.format(token=token, host=host) for raw_connection in lines)
        self.socket.sendall(head.encode() + b"\r\n\r\n" + body)

    def receive(self) -> tuple[int, HTTPResponse, bytes]:
        """The next response; reads nothing of a later one."""
        response = HTTPResponse(self.socket)
        response.fp.close()
        response.fp = self.socket.makefile("rb", buffering=0)  # type: ignore[assignment]
        response.begin()
        return response.status, response, response.read()

    def is_closed(self) -> bool:
        return self.socket.recv(1) == b""


@pytest.fixture
def raw_connection(client: Client) -> Iterator[RawConnection]:
    connection = RawConnection(client)
    yield connection
    connection.socket.close()


@contextmanager
def second_connection(client: Client) -> Iterator[RawConnection]:
    connection = RawConnection(client)
    yield connection
    connection.socket.close()


GET = (f"GET {USERS}/ HTTP/1.1", "Host: {host}", "Authorization: Token {token}")


def test_a_connection_stays_open_for_the_next_request(raw_connection: RawConnection) -> None:
    for _ in range(3):
        raw_connection.send(*GET)
        status, _, body = raw_connection.receive()
        assert (status, "email" in json.loads(body)) == (200, True)
        raw_connection.send(
            f"POST {PREFIX}/batches HTTP/1.1", "Host: {host}", "Content-Length: 9", body=b"x" * 9
        )
        assert raw_connection.receive()[0] == 401


def test_a_connection_is_closed_on_request(raw_connection: RawConnection) -> None:
    raw_connection.send(*GET, "Connection: close")
    status, response, _ = raw_connection.receive()
    assert (status, response.getheader("Connection")) == (200, "close")
    assert raw_connection.is_closed()


def test_http_1_0_is_answered_and_closed(raw_connection: RawConnection) -> None:
    raw_connection.send(f"GET {USERS} HTTP/1.0", "Host: {host}", "Authorization: Token {token}")
    status, response, body = raw_connection.receive()
    assert status == 200
    assert response.getheader("Transfer-Encoding") is None
    assert json.loads(body)["email"]
    assert raw_connection.is_closed()


def test_headers_may_be_written_in_any_case(raw_connection: RawConnection) -> None:
    raw_connection.send(
        f"GET {USERS} HTTP/1.1", "hOST: {host}", "aUTHORIZATION:Token {token}  ", "ACCEPT: */*"
    )
    assert raw_connection.receive()[0] == 200


def test_requests_may_follow_each_other_without_waiting(raw_connection: RawConnection) -> None:
    body = json.dumps(
        {"name": "x", "workspace_id": raw_connection.client.workspace, "schema": SCHEMA}
    ).encode()
    length = f"Content-Length: {len(body)}"
    post = (f"POST {PREFIX}/datasets HTTP/1.1", "Host: {host}", "Authorization: Token {token}", length)
    raw_connection.send(*GET)
    raw_connection.send(*post, "Content-Type: application/json", body=body)
    raw_connection.send(*GET, "Connection: close")
    everything = b""
    while more := raw_connection.socket.recv(65536):
        everything += more
    assert re.findall(rb"HTTP/1\.1 (\d+) ", everything) == [b"200", b"201", b"200"]


def test_a_client_that_expects_100_continue_receives_it(client: Client) -> None:
    body = json.dumps({"name": "x", "workspace_id": client.workspace}).encode()
    feedback = client.expect(201, "GET", f"{SIGNALS}?workspace_id={client.workspace}")["upload_url"]
    sent = {
        f"POST {PREFIX}/datasets/": ("Authorization: Token {token}", "Content-Type: application/json"),
        f"PUT {feedback.removeprefix(client.base)}": ("Accept: */*",),
    }
    for (request, headers), expected in zip(sent.items(), (201, 200), strict=True):
        with second_connection(client) as raw_connection:
            length = f"Content-Length: {len(body)}"
            raw_connection.send(
                f"{request} HTTP/1.1", "Host: {host}", *headers, length, "Expect: 100-continue"
            )
            assert raw_connection.socket.recv(25).startswith(b"HTTP/1.1 100")
            raw_connection.socket.sendall(body)
            rest = b""
            while not re.search(rb"HTTP/1\.1 [2345]\d\d", rest):
                rest += raw_connection.socket.recv(65536)
            assert f"HTTP/1.1 {expected}".encode() in rest


def test_a_chunked_json_body_is_read(client: Client) -> None:
    body = json.dumps({"name": "x", "workspace_id": client.workspace}).encode()
    connection = client.connection()
    headers = {"Authorization": f"Token {client.token}", "Content-Type": "application/json"}
    pieces = iter([body[:7], body[7:]])
    connection.request("POST", f"{PREFIX}/datasets", pieces, headers, encode_chunked=True)
    assert connection.getresponse().status == 201
    connection.close()


def test_a_body_may_have_any_content_type_or_none(client: Client) -> None:
    body = json.dumps({"name": "x", "workspace_id": client.workspace}).encode()
    for headers in ({}, {"Content-Type": "application/json; charset=utf-8"}, {"Content-Type": "text/plain"}):
        assert client.request("POST", f"{PREFIX}/datasets", body, headers).status == 201


def test_the_host_is_checked(raw_connection: RawConnection) -> None:
    raw_connection.send(f"GET {USERS} HTTP/1.1", "Host: rebound.example.net", "Authorization: Token {token}")
    assert raw_connection.receive()[0] == 400


def test_a_malformed_request_is_400(client: Client) -> None:
    for nonsense in ("HELLO", "GET / HTTP/9.9", "GET  HTTP/1.1"):
        with second_connection(client) as raw_connection:
            raw_connection.send(nonsense)
            assert raw_connection.receive()[0] in (400, 505)
