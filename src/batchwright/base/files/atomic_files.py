"""Atomic file writing: other programs never see a partly written file."""

import errno
import os
import stat
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from batchwright.base.files.durable_files import NOT_SUPPORTED, flush_folder
from batchwright.base.files.temporary_files import lock_file
from batchwright.base.i18n import _

_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


class OpenElsewhere(PermissionError):
    """A file is open in another program, which on Windows keeps it from being replaced."""


def write_atomically(path: Path, data: bytes, *, is_private: bool = False) -> None:
    """Write `data` to a file so that a reader, also after a crash, finds either the old or the new content.

    The data is written to a temporary file beside it and flushed to disk; the temporary file is renamed and
    the folder flushed. A link is followed. An existing file keeps its permissions, and a read-only file is
    not replaced: renaming would succeed in spite of its permissions. A private file is readable by its owner
    only, also while it is written.

    Raises:
        OpenElsewhere: the file is open in another program.
        OSError: the file cannot be written; the error names it, and its content is unchanged.
    """
    require_replaceable(path)
    target = _target(path)
    temp_path = _temp_path(target)
    try:
        with errors_naming(path):
            with open(temp_path, "xb", opener=_open_private if is_private else None) as file:
                lock_file(file)
                file.write(data)
                if not is_private:
                    _copy_permissions(temp_path, target)
                file.flush()
                os.fsync(file.fileno())
            replace_file(temp_path, target)
    except BaseException:
        temp_path.unlink(missing_ok=True)
        raise
    flush_folder(target.parent)


@contextmanager
def errors_naming(path: Path) -> Iterator[None]:
    """Let OS errors name this file, and not a temporary file."""
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise


def require_replaceable(path: Path) -> None:
    """Check that an existing file is a plain one that is not read-only.

    Renaming another one to it would succeed all the same.

    Raises:
        PermissionError: it is read-only.
        IsADirectoryError: it is a folder.
        OSError: it is a device or a pipe, or a link that leads to itself.
    """
    target = _target(path)
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, _("not a regular file"), str(path))
    if target.exists() and not target.stat().st_mode & _WRITABLE:
        raise PermissionError(errno.EACCES, _("the file is read-only"), str(path))


@contextmanager
def sibling_temp_file(path: Path) -> Iterator[Path]:
    """Create a temporary file in the folder of a file that it may replace, by `replace_atomically`.

    It is locked, so that no program takes it for one of a killed program, and removed at the end of the block
    unless it was renamed.

    Raises:
        OSError: the file cannot be replaced, or the temporary file cannot be written; the error names the
            file.
    """
    require_replaceable(path)
    temporary = _temp_path(_target(path))
    try:
        with temporary.open("xb", buffering=0) as file:
            lock_file(file)
            if sys.platform == "win32":
                file.close()  # there, a file that is open cannot be renamed
            yield temporary
    except OSError as error:
        if error.filename in (None, str(temporary)):
            error.filename, error.filename2 = str(path), None
        raise
    finally:
        temporary.unlink(missing_ok=True)


def replace_atomically(written: Path, path: Path) -> None:
    """Replace a file with one written beside it, atomically and flushed to disk.

    Raises:
        OSError: it cannot be flushed or renamed; the old file is unchanged, and `written` is removed.
    """
    target = _target(path)
    try:
        with written.open("rb+") as file:
            _copy_permissions(written, target)
            os.fsync(file.fileno())
        replace_file(written, target)
    except BaseException:
        written.unlink(missing_ok=True)
        raise
    flush_folder(target.parent)


def replace_file(written: Path, target: Path) -> None:
    """Rename a file that was written beside another one, which it replaces.

    Raises:
        OpenElsewhere: the other one is open in another program.
        OSError: it cannot be renamed.
    """
    try:
        written.replace(target)
    except PermissionError as error:
        # The folder may be written to, since `written` is in it.
        if sys.platform == "win32" and target.is_file():
            reason = _("the file is open in another program")
            raise OpenElsewhere(errno.EACCES, reason, str(target)) from error
        raise


def _target(path: Path) -> Path:
    """The file that a path leads to, which may be missing.

    Raises:
        OSError: it is a link that leads to itself.
    """
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return target


def _temp_path(target: Path) -> Path:
    return target.with_name(f".{uuid.uuid4().hex}.part")


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _copy_permissions(temp_path: Path, target: Path) -> None:
    """Give a file the permissions of the one that it replaces, where the file system has permissions."""
    try:
        temp_path.chmod(stat.S_IMODE(target.stat().st_mode))
    except FileNotFoundError:
        pass
    except OSError as error:
        if error.errno not in {errno.EPERM, *NOT_SUPPORTED}:
            raise
