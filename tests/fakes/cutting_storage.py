"""File storage whose answers are cut off, or stop, after some bytes."""

import asyncio
from collections.abc import Iterable

from tests.fakes.in_thread import ServerInThread
from tests.fakes.raw_http import Head, RawRequest, read_head


class CuttingStorage(ServerInThread):
    """Gives one file; the n-th answer ends after as many bytes as the n-th cut says, later ones come whole.

    Args:
        content: the file; may be replaced by another while the server runs.
        cuts: bytes of the answers, heads included; negative ones count from the end.
        gives_parts: whether a `Range` is honoured, and content marked by an `ETag`.
        is_chunked: whether answers come without their length.
        stalls: whether an answer that is cut goes on never, in place of ending.

    `requests` holds what was asked for, in order, and `given` the bytes of content that went out.
    """

    def __init__(
        self,
        content: bytes,
        cuts: Iterable[int] = (),
        *,
        gives_parts: bool = True,
        is_chunked: bool = False,
        stalls: bool = False,
    ) -> None:
        super().__init__()
        self.content = content
        self.requests: list[RawRequest] = []
        self.given = 0
        self._cuts = iter(cuts)
        self._gives_parts, self._is_chunked, self._stalls = gives_parts, is_chunked, stalls

    @property
    def mark(self) -> str:
        """The `ETag` of the content."""
        return f'"{hash(self.content)}"'

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await read_head(reader):
            self.requests.append(RawRequest(head.line, head.headers))
            answer_head, body = self._answer(head)
            cut = next(self._cuts, None)
            sent = (answer_head + body)[:cut]
            self.given += max(0, len(sent) - len(answer_head))
            writer.write(sent)
            await writer.drain()
            if cut is not None:
                if self._stalls:
                    await reader.read()
                return

    def _answer(self, head: Head) -> tuple[bytes, bytes]:
        start = 0
        if self._gives_parts and head.of(b"if-range").decode() == self.mark:
            start = int(head.of(b"range").removeprefix(b"bytes=").removesuffix(b"-"))
        body = self.content[start:]
        lines = ["HTTP/1.1 206 Partial Content" if start else "HTTP/1.1 200 OK"]
        if self._gives_parts:
            lines += ["Accept-Ranges: bytes", f"ETag: {self.mark}"]
        if start:
            lines.append(f"Content-Range: bytes {start}-{len(self.content) - 1}/{len(self.content)}")
        if self._is_chunked:
            lines.append("Transfer-Encoding: chunked")
            body = f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n"
        else:
            lines.append(f"Content-Length: {len(body)}")
        return "\r\n".join([*lines, "", ""]).encode(), body
