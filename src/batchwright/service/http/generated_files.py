"""Downloads of files that may be removed while they are sent: stored ones, and those generated on request."""

import hashlib
import os
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import BinaryIO, Self

from anyio import AsyncFile, wrap_file
from starlette.concurrency import iterate_in_threadpool, run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse
from starlette.types import Receive, Scope, Send
from typing_extensions import override

from batchwright.service.blobs import Blobs, UnfinishedFile
from batchwright.service.streaming import in_chunks


class OpenedFileResponse(FileResponse):
    """A file that is opened before its response starts: it may be removed. It is closed at the end."""

    def __init__(self, file: BinaryIO, headers: Mapping[str, str], media_type: str) -> None:
        super().__init__(
            file.name, headers=headers, media_type=media_type, stat_result=os.fstat(file.fileno())
        )
        self._opened = file

    @override
    @asynccontextmanager
    async def _open_file(self) -> AsyncIterator[AsyncFile[bytes]]:
        yield wrap_file(self._opened)

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._opened.close()


class GeneratedFileResponse(OpenedFileResponse):
    """A file that is written before it is sent and deleted afterwards, so that its length is known.

    Its ETag is the digest of its content: a client can continue a download (`Range` with `If-Range`) exactly
    if the next file has the same content.
    """

    def __init__(
        self, file: UnfinishedFile, digest: str, headers: Mapping[str, str], media_type: str
    ) -> None:
        super().__init__(file.stream, {**headers, "ETag": f'"{digest}"'}, media_type)
        self._file = file

    @classmethod
    async def of(
        cls, request: Request, blobs: Blobs, texts: Iterable[str], headers: Mapping[str, str], media_type: str
    ) -> Self:
        """Write the texts to a file.

        Raises:
            ClientDisconnect: the client has closed the connection meanwhile.
        """
        file = await run_in_threadpool(blobs.unfinished)
        digest = hashlib.sha256()
        try:
            async for chunk in iterate_in_threadpool(in_chunks(texts)):
                if await request.is_disconnected():
                    raise ClientDisconnect
                digest.update(chunk)
                await run_in_threadpool(file.write, chunk)
            await run_in_threadpool(file.stream.seek, 0)
        except BaseException:
            file.discard()
            raise
        return cls(file, digest.hexdigest(), headers, media_type)

    @override
    def set_stat_headers(self, stat_result: os.stat_result) -> None:
        self.headers["content-length"] = str(stat_result.st_size)

    @override
    def _should_use_range(self, http_if_range: str) -> bool:
        return http_if_range == self.headers["etag"]

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._file.discard()
