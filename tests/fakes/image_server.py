"""A server of images with TLS: a response for each path, 404 for others, and none at all for `/slow`."""

import asyncio
from contextlib import suppress
from pathlib import Path

from tests.fakes.raw_http import FakeResponse, RawRequest, read_head
from tests.fakes.tls_server import TlsServer

SLOW = "/slow"


class ImageServer(TlsServer):
    """`responses` has the responses by path; `abandoned` counts the clients that left while they waited."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.responses: dict[str, FakeResponse] = {}
        self.heads: dict[str, int] = {}
        """The size that requests for a head are told, by path, if it is another one."""
        self.abandoned = 0

    @property
    def paths(self) -> list[str]:
        """The paths that were requested, in order."""
        return [request.call.partition(" ")[2] for request in self.requests]

    def serve(self, path: str, content: bytes, status: int = 200, **headers: str) -> str:
        """Respond to requests for a path from now on; returns its URL."""
        self.responses[path] = FakeResponse(status, content, headers)
        return f"{self.url}{path}"

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await read_head(reader)
        if head is None:
            return
        request = RawRequest(head.line, head.headers)
        self.requests.append(request)
        path = request.call.partition(" ")[2]
        if path == SLOW:
            with suppress(ConnectionError):  # of a client that has not read everything
                await reader.read()
            self.abandoned += 1
            return
        response = self.responses.get(path, FakeResponse(200 if path in self.heads else 404))
        if request.call.startswith("HEAD "):
            writer.write(response.to_bytes(self.heads.get(path)).partition(b"\r\n\r\n")[0] + b"\r\n\r\n")
        else:
            writer.write(response.to_bytes())
        await writer.drain()
