"""A strict API client based on `http.client`."""

import http.client
import json
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any
from urllib.parse import urlsplit

SUNSET = "Tue, 01 Sep 2026 23:59:59 GMT"
UNKNOWN = {"not_in_the_specification": {"since": [1, None, "later"]}}
NOTHING: Any = object()


@dataclass(frozen=True)
class Response:
    """A complete HTTP response."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Client:
    """Calls to one service with one token."""

    base: str
    workspace: str
    token: str
    trust: ssl.SSLContext | None = None
    with_slash: Iterator[bool] = field(default_factory=lambda: cycle((False, True)))

    def connection(self, address: str = "") -> http.client.HTTPConnection:
        url = urlsplit(address or self.base)
        assert url.hostname
        if url.scheme == "https":
            return http.client.HTTPSConnection(url.hostname, url.port, context=self.trust, timeout=30)
        return http.client.HTTPConnection(url.hostname, url.port, timeout=30)

    def request(
        self, method: str, path: str, body: Any = NOTHING, headers: Mapping[str, str] | None = None
    ) -> Response:
        """Make an API call with and without a trailing slash in turn; objects get an unknown key (wire
        reference, section 1.1).
        """
        sent = {"Authorization": f"Token {self.token}"}
        data = body
        if body is NOTHING:
            data = None
        elif not isinstance(body, bytes):
            sent["Content-Type"] = "application/json"
            data = json.dumps({**body, **UNKNOWN} if isinstance(body, dict) else body).encode()
        address, separator, query = path.partition("?")
        target = address.rstrip("/") + ("/" if next(self.with_slash) else "") + separator + query
        response = self.exchange(self.base, method, target, data, {**sent, **(headers or {})})
        check_headers(path, response)
        return response

    def expect(
        self,
        status: int,
        method: str,
        path: str,
        body: Any = NOTHING,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """Make an API call that must have this documented status; returns its body."""
        response = self.request(method, path, body, headers)
        assert response.status == status, f"{method} {path}: {response.status} {response.body[:600]!r}"
        if status >= 400:
            return check_error(response)
        return response.json if response.body else None

    def store(
        self, address: str, method: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Response:
        """Send a request to a pre-signed URL, used exactly as received."""
        prefix = self.base + "/"
        assert address.startswith(prefix), address
        return self.exchange(address, method, address[len(prefix) - 1 :], body, dict(headers or {}))

    def exchange(
        self, address: str, method: str, target: str, body: bytes | None, headers: Mapping[str, str]
    ) -> Response:
        connection = self.connection(address)
        try:
            connection.request(method, target, body, dict(headers))
            response = connection.getresponse()
            return Response(response.status, response.headers, response.read())
        finally:
            connection.close()


def check_headers(path: str, response: Response) -> None:
    """Check the content type of JSON and the headers of deprecated URLs (wire reference, section 1.3)."""
    if response.body:
        assert response.headers.get_content_type() == "application/json", (path, response.headers)
    deprecated = path.split("?")[0].rstrip("/").endswith("/instructions")
    assert response.headers.get_all("Deprecation") == (["true"] if deprecated else None), path
    assert response.headers.get_all("Sunset") == ([SUNSET] if deprecated else None), path


def check_error(response: Response) -> Any:
    """Check the two error formats (wire reference, sections 2.1 and 2.3); returns `detail`, or the issues of
    a layout.
    """
    body = response.json
    if "error" not in body:
        return check_layout_error(response)
    assert set(body) == {"error"}
    error = body["error"]
    assert set(error) <= {
        *("status", "error_code", "title", "detail"),
        *("additional_information", "traceback", "interactive"),
    }
    assert error["status"] == error["error_code"] == response.status
    assert error["title"] == http.client.responses[response.status]
    assert is_detail(error["detail"]), error
    assert "traceback" not in error
    return error["detail"]


def is_detail(detail: Any) -> bool:
    if isinstance(detail, dict):
        return bool(detail) and all(is_detail(texts) and isinstance(texts, list) for texts in detail.values())
    if isinstance(detail, list):
        return bool(detail) and all(isinstance(text, str) and text for text in detail)
    return isinstance(detail, str) and detail != ""


def check_layout_error(response: Response) -> Any:
    assert response.status == 422
    body = response.json
    assert set(body) == {"type", "message", "issues"}
    assert body["type"] == "INVALID_BATCH_ITEMS"
    assert isinstance(body["message"], str)
    for issue in body["issues"]:
        assert {"page", "row", "column", "item", "type", "message"} <= set(issue) <= {*issue, "field"}
        assert all(type(issue[level]) is int for level in ("page", "row", "column", "item"))
        assert isinstance(issue["type"], str)
        assert isinstance(issue["message"], str)
        assert issue["message"]
        assert "field" not in issue or issue["type"] == "dataset_field"
    return body["issues"]
