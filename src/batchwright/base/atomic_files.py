"""Writing a file so that nobody ever finds half of it (design.md, promise 6)."""

import errno
import os
import stat
import uuid
from contextlib import suppress
from pathlib import Path

from batchwright.base.durable_files import flush_folder
from batchwright.base.i18n import _

_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def write_atomically(path: Path, data: bytes) -> None:
    """Make `data` the content of a file: whoever opens it, also after a crash, finds the old or the new.

    Written under a temporary name beside it, flushed to the disk, renamed, and the folder flushed.
    A link is followed; a file that was there keeps its permissions, and one that is read-only stays: renaming
    would put another in its place, whatever its permissions say.

    Raises:
        OSError: it cannot be written, and is named; what was there stays as it was.
    """
    target = path.resolve()
    if target.exists() and not target.stat().st_mode & _WRITABLE:
        raise PermissionError(errno.EACCES, _("the file is read-only"), str(path))
    beside = target.with_name(f".{uuid.uuid4().hex}.part")
    try:
        with beside.open("xb") as file:
            file.write(data)
            _copy_permissions(beside, target)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    except BaseException as fault:
        beside.unlink(missing_ok=True)
        if isinstance(fault, OSError):
            fault.filename, fault.filename2 = str(path), None  # and not that of the temporary file beside it
        raise
    flush_folder(target.parent)


def sibling_temp_path(path: Path) -> Path:
    """A temporary name in the folder of a file, for writing what `replace_atomically` takes."""
    target = path.resolve()
    return target.with_name(f".{uuid.uuid4().hex}.part")


def replace_atomically(written: Path, path: Path) -> None:
    """Make a file written under a temporary name `sibling_temp_path` another the content of that one, safely.

    Raises:
        OSError: it cannot be flushed or renamed; what was there stays as it was, and `written` is gone.
    """
    target = path.resolve()
    try:
        with written.open("rb+") as file:
            _copy_permissions(written, target)
            os.fsync(file.fileno())
        written.replace(target)
    except BaseException:
        written.unlink(missing_ok=True)
        raise
    flush_folder(target.parent)


def _copy_permissions(beside: Path, target: Path) -> None:
    with suppress(FileNotFoundError):
        beside.chmod(stat.S_IMODE(target.stat().st_mode))
