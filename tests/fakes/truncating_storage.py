"""File storage whose responses end or stall after some bytes."""

import asyncio
from collections.abc import Iterable

from tests.fakes.raw_http import Head, RawRequest, read_head
from tests.fakes.server_in_thread import ServerInThread


class TruncatingStorage(ServerInThread):
    """Serves one file; the n-th response ends after the n-th number of `cuts`, later ones are complete.

    Args:
        content: the file; may be replaced while the server runs.
        cuts: lengths of the responses in bytes, including heads; negative ones count from the end.
        supports_ranges: whether `Range` is supported and an `ETag` is sent.
        is_chunked: whether responses have no `Content-Length`.
        stalls: whether a truncated response stalls instead of ending.

    `requests` has the requests in order, and `bytes_sent` is the number of sent content bytes.
    """

    def __init__(
        self,
        content: bytes,
        cuts: Iterable[int] = (),
        *,
        supports_ranges: bool = True,
        is_chunked: bool = False,
        stalls: bool = False,
    ) -> None:
        super().__init__()
        self.content = content
        self.requests: list[RawRequest] = []
        self.bytes_sent = 0
        self._cuts = iter(cuts)
        self._supports_ranges, self._is_chunked, self._stalls = supports_ranges, is_chunked, stalls

    @property
    def etag(self) -> str:
        """The `ETag` of the content."""
        return f'"{hash(self.content)}"'

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await read_head(reader):
            self.requests.append(RawRequest(head.line, head.headers))
            response_head, body = self._response(head)
            cut = next(self._cuts, None)
            sent = (response_head + body)[:cut]
            self.bytes_sent += max(0, len(sent) - len(response_head))
            writer.write(sent)
            await writer.drain()
            if cut is not None:
                if self._stalls:
                    await reader.read()
                return

    def _response(self, head: Head) -> tuple[bytes, bytes]:
        start = 0
        if self._supports_ranges and head.of(b"if-range").decode() == self.etag:
            start = int(head.of(b"range").removeprefix(b"bytes=").removesuffix(b"-"))
        body = self.content[start:]
        lines = ["HTTP/1.1 206 Partial Content" if start else "HTTP/1.1 200 OK"]
        if self._supports_ranges:
            lines += ["Accept-Ranges: bytes", f"ETag: {self.etag}"]
        if start:
            lines.append(f"Content-Range: bytes {start}-{len(self.content) - 1}/{len(self.content)}")
        if self._is_chunked:
            lines.append("Transfer-Encoding: chunked")
            body = f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n"
        else:
            lines.append(f"Content-Length: {len(body)}")
        return "\r\n".join([*lines, "", ""]).encode(), body
