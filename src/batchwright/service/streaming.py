"""Long answers, sent in pieces so that memory stays flat, and read from the database at their own pace."""

import tempfile
import threading
from collections.abc import Iterable, Iterator
from typing import Self

PIECE = 64 * 1024

_HELD = 1024 * 1024
"""Bytes of an answer that wait in memory; what comes after them waits in a temporary file."""


def in_chunks(texts: Iterable[str]) -> Iterator[bytes]:
    """The texts one after another, as pieces of about 64 kB; half a character becomes a question mark."""
    waiting: list[str] = []
    size = 0
    for text in texts:
        waiting.append(text)
        size += len(text)
        if size >= PIECE:
            yield "".join(waiting).encode(errors="replace")
            waiting.clear()
            size = 0
    yield "".join(waiting).encode(errors="replace")


def unhurried(texts: Iterable[str]) -> Iterator[bytes]:
    """As `in_chunks`, with the texts taken as soon as they come, however slowly the pieces are sent.

    A transaction that the texts are read in ends so without waiting for the client: as long as one is
    open, the log of the database cannot be shortened.
    """
    pieces = in_chunks(texts)
    held: list[bytes] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= _HELD:
            break
    else:
        yield from held
        return
    with _Spool(pieces) as rest:
        yield from held
        held.clear()
        yield from rest.read()


class _Spool:
    """A temporary file that a thread writes pieces to, to be read from its beginning meanwhile."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `__exit__`
        self._changed = threading.Condition()
        self._size = 0
        self._is_whole = self._is_abandoned = False
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
        """What is written, until it is whole.

        Raises:
            Exception: what ended the pieces.
        """
        at = 0
        while piece := self._piece_at(at):
            at += len(piece)
            yield piece
        if self._error is not None:
            raise self._error

    def _piece_at(self, at: int) -> bytes:
        with self._changed:
            self._changed.wait_for(lambda: at < self._size or self._is_whole)
            self._file.seek(at)
            return self._file.read(PIECE)

    def _write(self) -> None:
        try:
            for piece in self._pieces:
                if self._is_abandoned:
                    break
                with self._changed:
                    self._file.seek(self._size)
                    self._size += self._file.write(piece)
                    self._changed.notify_all()
        except BaseException as error:  # whoever reads raises it
            self._error = error
        finally:
            del self._pieces  # with the transaction that they are read in
            with self._changed:
                self._is_whole = True
                self._changed.notify_all()
