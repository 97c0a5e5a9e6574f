"""What a download leaves beside its place when its program is killed: told by its name, and removed later."""

import hashlib
import os
import secrets
import sys
import time
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Final

if sys.platform != "win32":
    import fcntl

OLD: Final = 3600
"""Seconds without a write after which a file is looked at: a new one may not be held yet."""


def beside(path: Path) -> Path:
    """A new name in the folder of a file, for receiving it there before it is whole."""
    return path.with_name(f"{_beginning(path)}{secrets.token_hex(8)}.part")


def hold(file: FileIO) -> None:
    """Show that a file is in use while it is open, also to other programs.

    On Windows that is so by itself: a file that is open is not removed.
    """
    if sys.platform != "win32":
        with suppress(OSError):  # a file system without locks: then nobody removes it either
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def clear(path: Path) -> None:
    """Remove what downloads of a file to this place have left that were killed."""
    for left in path.parent.glob(f"{_beginning(path)}*.part"):
        with suppress(OSError):  # it is in use, or gone by now, or cannot be removed
            if time.time() - left.stat().st_mtime > OLD:
                _remove(left)


def _remove(left: Path) -> None:
    if sys.platform != "win32":
        with FileIO(left) as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            left.unlink()
    else:
        left.unlink()


def _beginning(path: Path) -> str:
    """How the names begin of what is received for a file; of any length, the file's own may be a long one."""
    return f".batchwright-{hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]}-"
