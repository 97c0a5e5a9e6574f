"""Long responses, sent in chunks so that memory use stays constant."""

import tempfile
import threading
from collections.abc import Iterable, Iterator
from typing import Self

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
