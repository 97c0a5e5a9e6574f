"""HTTP as bytes: requests exactly as they arrived, answers exactly as they are written."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class RawRequest:
    """A request, nothing decoded and nothing put right."""

    line: bytes
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes = b""

    @property
    def target(self) -> bytes:
        """What stands between method and version."""
        return self.line.split(b" ")[1]

    @property
    def call(self) -> str:
        """Method and path."""
        method, target, _version = self.line.decode("latin-1").split(" ")
        return f"{method} {target.partition('?')[0]}"

    def header(self, name: bytes) -> bytes | None:
        """A header's value, None when it was not sent."""
        return next((value for given, value in self.headers if given.lower() == name.lower()), None)


@dataclass(frozen=True)
class Reply:
    """An answer to be written."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, value: object, status: int = 200, **headers: str) -> "Reply":
        """A JSON answer."""
        return cls(status, json.dumps(value).encode(), {"Content-Type": "application/json", **headers})

    def written(self, announced: int | None = None) -> bytes:
        """The bytes of it; `announced` is a length other than the real one."""
        length = len(self.body) if announced is None else announced
        head = [f"HTTP/1.1 {self.status} Said", f"Content-Length: {length}"]
        head += [f"{name}: {value}" for name, value in self.headers.items()]
        return "\r\n".join([*head, "", ""]).encode() + self.body


@dataclass(frozen=True)
class Head:
    """The beginning of a request, as bytes and cut apart."""

    raw: bytes
    line: bytes
    headers: tuple[tuple[bytes, bytes], ...]

    def of(self, name: bytes) -> bytes:
        """A header's value, empty when it was not sent."""
        return next((value for given, value in self.headers if given.lower() == name), b"")


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
    """The body behind a head in pieces as they travel, the marks of chunks included."""
    if head.of(b"transfer-encoding") == b"chunked":
        size = -1
        while size:
            mark = await reader.readuntil(b"\r\n")
            size = int(mark, 16)
            yield mark + await reader.readexactly(size + 2)
        return
    left = int(head.of(b"content-length") or 0)
    while left:
        piece = await reader.read(min(left, 1 << 16))
        if not piece:
            raise asyncio.IncompleteReadError(b"", left)
        left -= len(piece)
        yield piece
