"""Making what is written outlast a power cut: folders, whole files, and one flush for many who wait."""

import errno
import os
import threading
from pathlib import Path

_flush_content = getattr(os, "fdatasync", os.fsync)
"""Flushes what a file holds; times and such may follow later, which spares the disk a write."""


class GroupCommit:
    """Flushes a file that many threads write to; those who come while a flush runs share the next one."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab")
        self._lock = threading.Lock()
        self._begun = 0
        self._ended = 0

    def wait(self) -> None:
        """Return once everything that was written before this call lasts."""
        wanted = self._begun + 1
        with self._lock:
            if self._ended >= wanted:
                return
            self._begun += 1
            _flush_content(self._file.fileno())
            self._ended = self._begun

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


def is_disk_full(fault: BaseException) -> bool:
    """Whether something failed because the disk is full, or our share of it."""
    return isinstance(fault, OSError) and fault.errno in (errno.ENOSPC, errno.EDQUOT)


def write_private_file(path: Path, text: str) -> None:
    """Write a file that only this person may read: whole, or not at all."""
    temporary = path.with_name(f"{path.name}.new")
    temporary.unlink(missing_ok=True)
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as written:
        written.write(text)
        written.flush()
        os.fsync(written.fileno())
    temporary.replace(path)
    flush_folder(path.parent)


def create_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for one in missing:
        flush_folder(one.parent)


def flush_folder(folder: Path) -> None:
    """Make the names in a folder last; Windows does so by itself and cannot open folders."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
