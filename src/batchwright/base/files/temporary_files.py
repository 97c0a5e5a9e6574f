"""Temporary files and folders that are recognised and removed if their program was killed.

A file or folder in use is locked. One that is not locked any more is removed by the next program that creates
one of the same kind, or that writes to the same folder.
"""

import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import BinaryIO, Final

if sys.platform != "win32":
    import fcntl

OLD: Final = 10
"""Seconds since the last change before a folder without a lock file may be removed."""

_LOCKED_WITHIN: Final = 1
"""Seconds in which a new file is locked, so that it is not taken for one of a killed program."""

_LOCK: Final = "in-use"
"""Name of a file in a temporary folder that is locked while the folder is in use."""

_PREFIX: Final = "batchwright-"
_FOLDER: Final = re.compile(r"\.?batchwright-(?:[a-z-]+-)?[a-z0-9_]{8}")
_FILE: Final = re.compile(r"\.batchwright-[0-9a-f]{16}-[0-9a-f]{16}\.part|\.[0-9a-f]{32}\.part")
"""Names of downloads (`api.partial_files`), and of files that are written atomically (`atomic_files`)."""


def lock_file(file: BinaryIO) -> None:
    """Lock a file while it is open, so that no program removes it.

    On Windows no lock is needed: a file that is open cannot be removed.
    """
    if sys.platform != "win32":
        with suppress(OSError):  # a file system without locks; then no program can remove the file either
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def remove_unlocked(file: Path) -> None:
    """Remove a file.

    Raises:
        OSError: it is in use, or gone by now, or cannot be removed.
    """
    if sys.platform != "win32":
        with FileIO(file) as opened:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            file.unlink()
    else:
        file.unlink()


@contextmanager
def temporary_folder(purpose: str) -> Iterator[Path]:
    """Create a folder that is removed at the end of the block; those of killed programs are removed first.

    `purpose` is part of its name, such as `rehearsal`.
    """
    parent = Path(tempfile.gettempdir())
    with _folder(parent, f"{_PREFIX}{purpose}-") as folder:
        yield folder


@contextmanager
def temporary_subfolder(parent: Path) -> Iterator[Path]:
    """Create a hidden folder in a folder that results are written to, and remove those of killed programs."""
    remove_leftovers(parent)
    with _folder(parent, f".{_PREFIX}") as folder:
        yield folder


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files and folders of killed programs in a folder that results are written to."""
    for leftover in folder.glob(".*"):
        if _FILE.fullmatch(leftover.name):
            with suppress(OSError):
                if _age(leftover) > _LOCKED_WITHIN:
                    remove_unlocked(leftover)
        elif _FOLDER.fullmatch(leftover.name):
            _remove_folder(leftover)


def remove_leftover_folders() -> None:
    """Remove what killed programs have left in the folder for temporary files."""
    for leftover in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        if _FOLDER.fullmatch(leftover.name) and (leftover / _LOCK).is_file():
            _remove_folder(leftover)


@contextmanager
def _folder(parent: Path, prefix: str) -> Iterator[Path]:
    for leftover in parent.glob(f"{prefix}*"):
        _remove_folder(leftover)
    with (
        tempfile.TemporaryDirectory(prefix=prefix, dir=parent, ignore_cleanup_errors=True) as name,
        FileIO(Path(name) / _LOCK, "x") as lock,
    ):
        lock_file(lock)
        yield Path(name)


def _remove_folder(leftover: Path) -> None:
    with suppress(OSError):  # it is in use, or gone by now, or somebody else's
        if not _is_own_folder(leftover):
            return
        lock = leftover / _LOCK
        if lock.is_file():
            if _age(lock) <= _LOCKED_WITHIN:
                return
            remove_unlocked(lock)
        elif _age(leftover) <= OLD:  # perhaps not locked yet
            return
        shutil.rmtree(leftover)


def _age(path: Path) -> float:
    return time.time() - path.stat().st_mtime


def _is_own_folder(path: Path) -> bool:
    """Whether a path is a folder owned by this user and not a link: other users can write there, too."""
    status = path.lstat()
    return stat.S_ISDIR(status.st_mode) and (sys.platform == "win32" or status.st_uid == os.getuid())
