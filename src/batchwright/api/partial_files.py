"""What programs that are killed leave behind, known by its name: files on their way, and temporary folders.

What is in use is locked; what is not locked any more is removed when a program next does the same.
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
"""Seconds without a change after which a file or folder is looked at: a new one may not be locked yet."""

_LOCK: Final = "in-use"
"""A file in a temporary folder, locked as long as the folder is in use."""


def temp_path_for(path: Path) -> Path:
    """A new name in the folder of a file, for receiving it there before it is whole."""
    return path.with_name(f"{_name_prefix(path)}{secrets.token_hex(8)}.part")


def lock_file(file: FileIO) -> None:
    """Show that a file is in use while it is open, also to other programs.

    On Windows that is so by itself: a file that is open is not removed.
    """
    if sys.platform != "win32":
        with suppress(OSError):  # a file system without locks: then nobody removes it either
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def remove_stale(path: Path) -> None:
    """Remove what downloads of a file to this place have left that were killed."""
    for left in path.parent.glob(f"{_name_prefix(path)}*.part"):
        with suppress(OSError):  # it is in use, or gone by now, or cannot be removed
            if time.time() - left.stat().st_mtime > OLD:
                _remove(left)


@contextmanager
def temporary_folder(prefix: str) -> Iterator[Path]:
    """A folder that goes with the block; those that killed programs have left go before."""
    for left in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        with suppress(OSError):  # it is in use, or gone by now, or somebody else's
            if _is_own_folder(left) and time.time() - left.stat().st_mtime > OLD:
                with suppress(FileNotFoundError):  # killed before it was locked, or while this removed it
                    _remove(left / _LOCK)
                shutil.rmtree(left)
    with (
        tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True) as name,
        FileIO(Path(name) / _LOCK, "x") as lock,
    ):
        lock_file(lock)
        yield Path(name)


def _is_own_folder(path: Path) -> bool:
    """Whether a path is a folder of this person, and no link to one: others can write there, too."""
    status = path.lstat()
    return stat.S_ISDIR(status.st_mode) and (sys.platform == "win32" or status.st_uid == os.getuid())


def _remove(left: Path) -> None:
    if sys.platform != "win32":
        with FileIO(left) as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            left.unlink()
    else:
        left.unlink()


def _name_prefix(path: Path) -> str:
    """How the names begin of what is received for a file; of any length, the file's own may be a long one."""
    return f".batchwright-{hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]}-"
