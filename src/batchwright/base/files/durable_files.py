"""Files that survive a power failure: flushed folders, flushed files, and flushes shared by threads.

Data is acknowledged only after it is on disk; writers that arrive at the same time share one flush.
"""

import errno
import os
import threading
from pathlib import Path
from typing import Final

_flush_content = getattr(os, "fdatasync", os.fsync)
"""Flushes the content of a file; metadata such as times may be written later, which saves one disk write."""

NOT_SUPPORTED: Final = frozenset({errno.EBADF, errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP})
"""Errors of file systems that flush no folders, or have no permissions."""


class GroupCommit:
    """Flushes a file that many threads write to; threads that arrive during a flush share the next one."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab")
        self._lock = threading.Lock()
        self._started = 0
        self._ended = 0

    def wait(self) -> None:
        """Return once everything written before this call is on disk."""
        needed = self._started + 1
        with self._lock:
            if self._ended >= needed:
                return
            self._started += 1
            _flush_content(self._file.fileno())
            self._ended = self._started

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def is_disk_full(error: BaseException) -> bool:
    """Whether an error means that the disk or the user's quota is full."""
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


def write_private_file(path: Path, text: str) -> None:
    """Write a file atomically that only its owner can read."""
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
    """Create a folder and its missing parents, and flush them to disk."""
    missing = [missing_folder for missing_folder in (folder, *folder.parents) if not missing_folder.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for missing_folder in missing:
        flush_folder(missing_folder.parent)


def flush_folder(folder: Path) -> None:
    """Flush the entries of a folder to disk, where that is possible.

    Windows does so itself and cannot open folders. A folder may be written to although it cannot be opened,
    and some file systems, such as those of network folders, flush no folders.
    """
    if os.name == "nt":
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
    except PermissionError:
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in NOT_SUPPORTED:
            raise
    finally:
        os.close(handle)
