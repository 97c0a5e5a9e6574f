"""Requests written byte by byte, as no client library would send them."""

import json
import socket
from collections.abc import Iterable
from contextlib import closing, suppress
from http.client import HTTPResponse
from typing import Any
from urllib.parse import urlsplit

from batchwright.service.process import ServiceAddress
from tests.service.api_helpers import StorageResponse


def head(running: ServiceAddress, request_line: str, *headers: str) -> bytes:
    """The head of an authenticated request; the connection is closed after the response."""
    usual = (f"Host: {urlsplit(running.url).netloc}", f"Authorization: Token {running.token}")
    return "\r\n".join((request_line, *usual, *headers, "Connection: close", "", "")).encode("latin-1")


def connect(url: str) -> socket.socket:
    """A connection to the service of a URL."""
    url_parts = urlsplit(url)
    return socket.create_connection((url_parts.hostname or "", url_parts.port or 0), timeout=60)


def exchange(url: str, *pieces: bytes | Iterable[bytes]) -> StorageResponse:
    """Send pieces until they end or the service closes the connection, then read its response."""
    with closing(connect(url)) as connection:
        with suppress(ConnectionError):  # it has received already, and closed the connection
            for piece in pieces:
                for chunk in [piece] if isinstance(piece, bytes) else piece:
                    connection.sendall(chunk)
        return read_answer(connection)


def read_answer(connection: socket.socket) -> StorageResponse:
    """Read a response, but not what follows it."""
    with HTTPResponse(connection) as response:
        response.begin()
        body = response.read()
    headers = {name.lower(): value for name, value in response.getheaders()}
    return StorageResponse(response.status, body, headers)


def read_to_end(connection: socket.socket) -> bytes:
    """Read what is sent until the connection is closed."""
    with connection.makefile("rb") as sent:
        return sent.read()


def detail_of(response: StorageResponse) -> Any:
    """The message of an error response (wire reference, section 2.1)."""
    assert response.headers["content-type"] == "application/json", response
    error = json.loads(response.body)["error"]
    assert (error["status"], error["error_code"]) == (response.status, response.status)
    return error["detail"]
