"""HTTP as bytes: requests as received, and responses as sent."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class RawRequest:
    """A request without decoding or normalization."""

    line: bytes
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes = b""

    @property
    def target(self) -> bytes:
        """The request target, between method and version."""
        return self.line.split(b" ")[1]

    @property
    def call(self) -> str:
        """Method and path."""
        method, target, _version = self.line.decode("latin-1").split(" ")
        return f"{method} {target.partition('?')[0]}"

    def header(self, name: bytes) -> bytes | None:
        """The value of a header, None if it was not sent."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)


@dataclass(frozen=True)
class FakeResponse:
    """A response to send."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_json(cls, value: object, status: int = 200, **headers: str) -> "FakeResponse":
        """A JSON response."""
        return cls(status, json.dumps(value).encode(), {"Content-Type": "application/json", **headers})

    def to_bytes(self, announced: int | None = None) -> bytes:
        """The response as bytes; `announced` is a wrong `Content-Length`."""
        length = len(self.body) if announced is None else announced
        head = [f"HTTP/1.1 {self.status} Reason", f"Content-Length: {length}"]
        head += [f"{name}: {value}" for name, value in self.headers.items()]
        return "\r\n".join([*head, "", ""]).encode() + self.body


@dataclass(frozen=True)
class Head:
    """The head of a request, as bytes and parsed."""

    raw: bytes
    line: bytes
    headers: tuple[tuple[bytes, bytes], ...]

    def of(self, name: bytes) -> bytes:
        """The value of a header, empty if it was not sent."""
        return next((value for key, value in self.headers if key.lower() == name), b"")


async def read_head(reader: asyncio.StreamReader) -> Head | None:
    """The head of the next request; None at the end of the connection."""
    try:
        raw = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    line, *rest = raw[:-4].split(b"\r\n")
    pairs = (header.partition(b":") for header in rest)
    return Head(raw, line, tuple((name, value.strip()) for name, _colon, value in pairs))


async def read_body(reader: asyncio.StreamReader, head: Head) -> AsyncIterator[bytes]:
    """Yield the raw chunks of the body after a head, including chunk sizes."""
    if head.of(b"transfer-encoding") == b"chunked":
        size = -1
        while size:
            size_line = await reader.readuntil(b"\r\n")
            size = int(size_line, 16)
            yield size_line + await reader.readexactly(size + 2)
        return
    remaining = int(head.of(b"content-length") or 0)
    while remaining:
        chunk = await reader.read(min(remaining, 1 << 16))
        if not chunk:
            raise asyncio.IncompleteReadError(b"", remaining)
        remaining -= len(chunk)
        yield chunk
