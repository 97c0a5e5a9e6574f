"""Temporary files and folders of downloads, recognised by name and removed if their program was killed.

A file or folder in use is locked. One that is not locked any more is removed by the next program that creates
one of the same kind.
"""

import hashlib
import os
import secrets
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import Final

if sys.platform != "win32":
    import fcntl

OLD: Final = 10
"""Seconds since the last change before a file or folder may be removed: a new one may not be locked yet."""

_LOCK: Final = "in-use"
"""Name of a file in a temporary folder that is locked while the folder is in use."""


def temp_path_for(path: Path) -> Path:
    """Return a new path in the same folder, for a file that is still being received."""
    return path.with_name(f"{_name_prefix(path)}{secrets.token_hex(8)}.part")


def lock_file(file: FileIO) -> None:
    """Lock a file while it is open, so that no program removes it.

    On Windows no lock is needed: a file that is open cannot be removed.
    """
    if sys.platform != "win32":
        with suppress(OSError):  # a file system without locks; then no program can remove the file either
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def remove_stale(path: Path) -> None:
    """Remove the temporary files of downloads to this path whose program was killed."""
    for leftover in path.parent.glob(f"{_name_prefix(path)}*.part"):
        with suppress(OSError):  # it is in use, or gone by now, or cannot be removed
            if time.time() - leftover.stat().st_mtime > OLD:
                _remove(leftover)


@contextmanager
def temporary_folder(prefix: str) -> Iterator[Path]:
    """Create a folder that is removed at the end of the block; those of killed programs are removed first."""
    for leftover in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        with suppress(OSError):  # it is in use, or gone by now, or somebody else's
            if _is_own_folder(leftover) and time.time() - leftover.stat().st_mtime > OLD:
                with suppress(FileNotFoundError):  # killed before it was locked, or while this removed it
                    _remove(leftover / _LOCK)
                shutil.rmtree(leftover)
    with (
        tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True) as name,
        FileIO(Path(name) / _LOCK, "x") as lock,
    ):
        lock_file(lock)
        yield Path(name)


def _is_own_folder(path: Path) -> bool:
    """Whether a path is a folder owned by this user and not a link: other users can write there, too."""
    status = path.lstat()
    return stat.S_ISDIR(status.st_mode) and (sys.platform == "win32" or status.st_uid == os.getuid())


def _remove(leftover: Path) -> None:
    if sys.platform != "win32":
        with FileIO(leftover) as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            leftover.unlink()
    else:
        leftover.unlink()


def _name_prefix(path: Path) -> str:
    """Return the prefix of temporary names for a file. It contains a hash, since the name may be long."""
    return f".batchwright-{hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]}-"
