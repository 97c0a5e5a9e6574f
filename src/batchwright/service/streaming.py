"""Long responses, sent in chunks so that memory use stays constant."""

import hashlib
import os
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from typing import Self

from starlette.concurrency import iterate_in_threadpool, run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse
from starlette.types import Receive, Scope, Send
from typing_extensions import override

from batchwright.service.blobs import Blobs, UnfinishedFile

CHUNK_SIZE = 64 * 1024

_MAX_BYTES_IN_MEMORY = 1024 * 1024
"""Bytes of a response that are buffered in memory; the rest is buffered in a temporary file."""


def in_chunks(texts: Iterable[str]) -> Iterator[bytes]:
    """The texts joined and encoded in chunks of about 64 kB; a lone surrogate becomes a question mark."""
    pending: list[str] = []
    size = 0
    for text in texts:
        pending.append(text)
        size += len(text)
        if size >= CHUNK_SIZE:
            yield "".join(pending).encode(errors="replace")
            pending.clear()
            size = 0
    yield "".join(pending).encode(errors="replace")


def spooled(texts: Iterable[str]) -> Iterator[bytes]:
    """Like `in_chunks`, but the texts are consumed at full speed, however slowly the client reads.

    The transaction that produces the texts therefore ends without waiting for the client; while one is
    open, the database cannot truncate its write-ahead log.
    """
    source = in_chunks(texts)
    buffered: list[bytes] = []
    size = 0
    for chunk in source:
        buffered.append(chunk)
        size += len(chunk)
        if size >= _MAX_BYTES_IN_MEMORY:
            break
    else:
        yield from buffered
        return
    with _Spool(source) as spool:
        yield from buffered
        buffered.clear()
        yield from spool.read()


class _Spool:
    """A temporary file that a thread writes chunks to, while they are read from its start."""

    def __init__(self, source: Iterator[bytes]) -> None:
        self._chunks = source
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `__exit__`
        self._changed = threading.Condition()
        self._size = 0
        self._is_complete = self._is_abandoned = False
        self._error: BaseException | None = None
        self._writer = threading.Thread(target=self._write, daemon=True)

    def __enter__(self) -> Self:
        self._writer.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._is_abandoned = True
        self._writer.join()
        self._file.close()

    def read(self) -> Iterator[bytes]:
        """The content of the file, until it is complete.

        Raises:
            Exception: the exception that ended the chunks.
        """
        at = 0
        while chunk := self._chunk_at(at):
            at += len(chunk)
            yield chunk
        if self._error is not None:
            raise self._error

    def _chunk_at(self, at: int) -> bytes:
        with self._changed:
            self._changed.wait_for(lambda: at < self._size or self._is_complete)
            self._file.seek(at)
            return self._file.read(CHUNK_SIZE)

    def _write(self) -> None:
        try:
            for chunk in self._chunks:
                if self._is_abandoned:
                    break
                with self._changed:
                    self._file.seek(self._size)
                    self._size += self._file.write(chunk)
                    self._changed.notify_all()
        except BaseException as error:  # raised by `read`
            self._error = error
        finally:
            del self._chunks  # ends the transaction that they are read in
            with self._changed:
                self._is_complete = True
                self._changed.notify_all()


class GeneratedFileResponse(FileResponse):
    """A file that is written before it is sent and deleted afterwards, so that its length is known.

    Its ETag is the digest of its content: a client can continue a download (`Range` with `If-Range`) exactly
    if the next file has the same content.
    """

    def __init__(
        self, file: UnfinishedFile, digest: str, headers: Mapping[str, str], media_type: str
    ) -> None:
        super().__init__(file.path, headers={**headers, "ETag": f'"{digest}"'}, media_type=media_type)
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
            await run_in_threadpool(file.stream.close)
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
