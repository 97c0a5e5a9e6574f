"""Files of the service: uploads, archives and participants' files, below the data folder.

A file is received under a temporary name, flushed to the disk, and given its name only when it is
whole (design.md promise 6). Names are made here, never from anything that came from outside.
"""

import os
import re
import secrets
from collections.abc import Container, Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from batchwright.base.durable_files import flush_folder, make_folder

PIECE = 1024 * 1024
"""How much of a file is read or written at a time, in bytes."""

_UNFINISHED = "unfinished"
_NAME = re.compile(r"[a-z]+/[0-9a-f]{2}/[0-9a-f]{32}")


class BlobKind(StrEnum):
    """What a file is; each kind has a folder of its own."""

    UPLOAD = "upload"
    EXPORT = "export"
    FEEDBACK = "feedback"
    PARTICIPANT = "participant"


class BlobWriter:
    """A file being received. All methods may block on the disk.

    `size` counts the bytes written; `name` is empty until the file is kept.
    """

    def __init__(self, folder: Path, kind: BlobKind) -> None:
        self._digits = secrets.token_hex(16)
        self._kind = kind
        self._folder = folder
        self._temporary = folder / _UNFINISHED / self._digits
        self._stream = self._temporary.open("xb")
        self.size = 0
        self.name = ""

    @property
    def stream(self) -> BinaryIO:
        """Where the file may be written to by those who need a stream; `size` does not count that."""
        return self._stream

    def write(self, piece: bytes | bytearray) -> None:
        """Take the next piece."""
        self._stream.write(piece)
        self.size += len(piece)

    def keep(self) -> str:
        """Make the file last, and give it its name; nothing more can be written."""
        self._stream.flush()
        os.fsync(self._stream.fileno())
        self._stream.close()
        self.name = f"{self._kind}/{self._digits[:2]}/{self._digits}"
        place = self._folder / self.name
        make_folder(place.parent)
        self._temporary.replace(place)
        flush_folder(place.parent)
        return self.name

    def discard(self) -> None:
        """Forget what was received; after `keep` this does nothing."""
        with suppress(OSError):  # what the disk had no room for is not wanted any more
            self._stream.close()
        self._temporary.unlink(missing_ok=True)


class Blobs:
    """The files of one data folder, by name: `kind/xx/` and 32 hex digits."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "blobs"
        make_folder(self._folder / _UNFINISHED)

    def receive(self, kind: BlobKind) -> BlobWriter:
        """Begin to receive a file; the caller keeps or discards it."""
        return BlobWriter(self._folder, kind)

    @contextmanager
    def receiving(self, kind: BlobKind) -> Iterator[BlobWriter]:
        """Receive a file that is kept on leaving, and discarded when an exception leaves."""
        incoming = self.receive(kind)
        try:
            yield incoming
            incoming.keep()
        finally:
            incoming.discard()

    def path(self, name: str) -> Path:
        """Where a file lies.

        Raises:
            ValueError: the name is none of ours.
        """
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no name of a stored file")
        return self._folder / name

    def open(self, name: str) -> BinaryIO:
        """Open a file for reading.

        Raises:
            FileNotFoundError: it is gone.
        """
        return self.path(name).open("rb")

    def remove(self, name: str) -> None:
        """Remove a file; one that is gone already is fine."""
        self.path(name).unlink(missing_ok=True)

    def any_kept(self) -> bool:
        """Whether there is any file that was kept."""
        return any(file for kind in BlobKind for file in (self._folder / kind).glob("*/*"))

    def clear_unfinished(self) -> None:
        """Remove what an interrupted service left half received; nobody may be receiving."""
        for leftover in (self._folder / _UNFINISHED).iterdir():
            leftover.unlink()

    def clear_unnamed(self, kind: BlobKind, named: Container[str]) -> None:
        """Remove the files of a kind that nobody names: a service was killed before it could name them.

        Nobody may be receiving.
        """
        for file in (self._folder / kind).glob("*/*"):
            name = file.relative_to(self._folder).as_posix()
            if _NAME.fullmatch(name) and name not in named:
                file.unlink()
