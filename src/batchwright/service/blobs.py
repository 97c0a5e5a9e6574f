"""Stored files of the service: uploads, export archives and participants' files, below the data folder.

A file is received under a temporary name, flushed to the disk, and renamed only when it is complete.
Names are generated here, never derived from input.
"""

import logging
import os
import re
import secrets
import shutil
from collections.abc import Container, Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from batchwright.base.files.durable_files import create_folder, flush_folder

_log = logging.getLogger(__name__)

CHUNK_SIZE = 1024 * 1024
"""Bytes of a file that are read or written at a time."""

_UNFINISHED = "unfinished"
_NAME = re.compile(r"[a-z]+/[0-9a-f]{2}/[0-9a-f]{32}")


class BlobKind(StrEnum):
    """The kind of a file; each has its own folder."""

    UPLOAD = "upload"
    EXPORT = "export"
    FEEDBACK = "feedback"
    PARTICIPANT = "participant"


class UnfinishedFile:
    """A file that is removed when it is discarded, or at the next start. All methods may block on the disk.

    `size` counts the bytes written.
    """

    def __init__(self, folder: Path) -> None:
        self._digits = secrets.token_hex(16)
        self.path = folder / _UNFINISHED / self._digits
        create_folder(self.path.parent)  # it may have been removed
        self._stream = self.path.open("x+b")
        self.size = 0

    @property
    def stream(self) -> BinaryIO:
        """The file as a stream; what is written to it directly is not counted in `size`."""
        return self._stream

    def write(self, piece: bytes | bytearray) -> None:
        """Write the next bytes."""
        self._stream.write(piece)
        self.size += len(piece)

    def discard(self) -> None:
        """Delete what was written."""
        with suppress(OSError):  # closing flushes, which fails on a full disk
            self._stream.close()
        self.path.unlink(missing_ok=True)


class BlobWriter(UnfinishedFile):
    """A file that is being received; after `store`, `discard` does nothing.

    `name` is empty until the file is stored.
    """

    def __init__(self, folder: Path, kind: BlobKind) -> None:
        super().__init__(folder)
        self._kind = kind
        self._folder = folder
        self.name = ""

    def store(self) -> str:
        """Flush the file to the disk and give it its name; nothing can be written after that."""
        self._stream.flush()
        if not self.path.exists():
            self._write_again()
        os.fsync(self._stream.fileno())
        self._stream.close()
        self.name = f"{self._kind}/{self._digits[:2]}/{self._digits}"
        path = self._folder / self.name
        create_folder(path.parent)
        self.path.replace(path)
        flush_folder(path.parent)
        return self.name

    def _write_again(self) -> None:
        """Write the file once more: it was removed while it was received."""
        create_folder(self.path.parent)
        with self._stream as removed:
            self._stream = self.path.open("x+b")
            removed.seek(0)
            shutil.copyfileobj(removed, self._stream, CHUNK_SIZE)
        self._stream.flush()


class Blobs:
    """The files of one data folder, by name: `kind/xx/` and 32 hex digits."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "blobs"
        create_folder(self._folder / _UNFINISHED)

    def unfinished(self) -> UnfinishedFile:
        """Create a file that is never stored; the caller discards it."""
        return UnfinishedFile(self._folder)

    def receive(self, kind: BlobKind) -> BlobWriter:
        """Start to receive a file; the caller stores or discards it."""
        return BlobWriter(self._folder, kind)

    @contextmanager
    def receiving(self, kind: BlobKind) -> Iterator[BlobWriter]:
        """Receive a file that is stored at the end of the block, and discarded on an exception."""
        incoming = self.receive(kind)
        try:
            yield incoming
            incoming.store()
        finally:
            incoming.discard()

    def path(self, name: str) -> Path:
        """The path of a file.

        Raises:
            ValueError: not a name of a stored file.
        """
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is not a name of a stored file")
        return self._folder / name

    def open(self, name: str) -> BinaryIO:
        """Open a file for reading.

        Raises:
            FileNotFoundError: it has been removed.
        """
        return self.path(name).open("rb")

    def adopt(self, received: Path, name: str) -> None:
        """Move a complete file of another folder to its name here.

        Raises:
            ValueError: not a name of a stored file.
        """
        path = self.path(name)
        with received.open("rb+") as file:
            os.fsync(file.fileno())
        create_folder(path.parent)
        received.replace(path)
        flush_folder(path.parent)

    def exists(self, name: str) -> bool:
        """Whether a file has not been removed."""
        return self.path(name).is_file()

    def remove(self, name: str) -> None:
        """Remove a file, if it still exists."""
        self.path(name).unlink(missing_ok=True)

    def size(self) -> int:
        """Bytes of all files, also of those that are being received."""
        total = 0
        for file in self._folder.rglob("*"):
            with suppress(FileNotFoundError):  # removed meanwhile
                total += file.stat().st_size if file.is_file() else 0
        return total

    def size_of(self, name: str) -> int:
        """Bytes of a file; 0 if it does not exist."""
        with suppress(FileNotFoundError):
            return self.path(name).stat().st_size
        return 0

    def any_stored(self) -> bool:
        """Whether any file is stored."""
        return any(file for kind in BlobKind for file in (self._folder / kind).glob("*/*"))

    def clear_unfinished(self) -> None:
        """Remove partially received files of an interrupted service; call it only at start."""
        for leftover in (self._folder / _UNFINISHED).iterdir():
            _remove(leftover)

    def clear_unreferenced(self, kind: BlobKind, referenced: Container[str]) -> None:
        """Remove the files of a kind that no row references; call it only at start.

        Such files remain when a service is killed between storing a file and writing its row.
        """
        for file in (self._folder / kind).glob("*/*"):
            name = file.relative_to(self._folder).as_posix()
            if _NAME.fullmatch(name) and name not in referenced:
                _remove(file)


def _remove(leftover: Path) -> None:
    """Remove a file that nothing needs; one that another program has open stays until the next start."""
    try:
        leftover.unlink()
    except OSError as error:
        _log.warning("A file that is not needed cannot be removed: %s", error)
