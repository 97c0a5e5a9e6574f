"""The data folder of a service: locked by its processes, private to its user, and cleaned up at start.

A folder that contains files but no database is rejected: files that no row references are deleted at
start, and without a database that would be every file.
"""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from batchwright.base.database import Database, DatabaseMissing, DatabaseUnusable
from batchwright.base.files.file_lock import FileLock
from batchwright.base.i18n import _
from batchwright.service.backups import Backups
from batchwright.service.blobs import BlobKind, Blobs
from batchwright.service.erasing import finish_deletions
from batchwright.service.store import referenced_blobs
from batchwright.service.store.database import FILE_NAME, ServiceSettings, open_database, settings

_SERVICE_LOCK_NAME = "service.lock"
WORKER_LOCK_NAME = "worker.lock"
"""Held by the worker process as long as it may write to the folder."""

_ALLOWED_IN_NEW_FOLDER = {"accounts.json", "token"}
"""Files that a user may create before the first start."""

_WORKER_EXIT_S = 30.0

_ACCESS_BY_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class ServiceStartError(Exception):
    """The service cannot start; the text is for the user."""


@dataclass(frozen=True)
class DataFolder:
    """An open data folder."""

    path: Path
    database: Database
    blobs: Blobs
    settings: ServiceSettings


@contextmanager
def open_data_dir(path: Path) -> Iterator[DataFolder]:
    """Lock and open the folder, creating it if necessary; closed at the end of the block.

    Raises:
        ServiceStartError: it cannot be used, or another service uses it.
    """
    path = path.absolute()
    with ExitStack() as stack:
        try:
            _lock(path, stack)
            folder = _open(path, stack)
        except DatabaseMissing:
            raise ServiceStartError(
                _(
                    "The data folder has files, but its database is missing or empty."
                    " Restore it from a backup, or choose another folder."
                )
            ) from None
        except DatabaseUnusable as error:
            raise ServiceStartError(str(error)) from None
        except OSError as error:
            raise ServiceStartError(
                _("The data folder {folder} cannot be used: {reason}").format(
                    folder=path, reason=error.strerror or error
                )
            ) from None
        yield folder


def _lock(path: Path, stack: ExitStack) -> None:
    """Lock the folder, and wait until the worker of the service that used it before has ended."""
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    _restrict_access(path)
    lock = FileLock(path / _SERVICE_LOCK_NAME)
    stack.callback(lock.release)
    if not lock.acquire():
        raise ServiceStartError(
            _(
                "Another Batchwright service is using the data folder {folder}. Stop it, or choose another."
            ).format(folder=path)
        )
    workers = FileLock(path / WORKER_LOCK_NAME)
    if not workers.acquire(wait=_WORKER_EXIT_S):
        raise ServiceStartError(
            _("The worker of an earlier service is still writing to {folder}.").format(folder=path)
        )
    workers.release()


def _restrict_access(path: Path) -> None:
    """Remove other users' access to the folder: it contains answers and the key that signs URLs.

    Raises:
        ServiceStartError: the folder belongs to another user, or contains files of other programs.
    """
    if os.name == "nt":
        return
    status = path.stat()
    if not status.st_mode & _ACCESS_BY_OTHERS:
        return
    if status.st_uid != os.geteuid():
        raise ServiceStartError(
            _("The data folder {folder} belongs to another user. Choose one of your own folders.").format(
                folder=path
            )
        )
    if not _is_service_folder(path):
        raise ServiceStartError(
            _(
                "Other users can read the data folder {folder}, and it contains files of another program."
                " Choose an empty folder, or make this one private (chmod 700)."
            ).format(folder=path)
        )
    path.chmod(stat.S_IMODE(status.st_mode) & ~_ACCESS_BY_OTHERS)
    message = _("Other users could read the data folder {folder}. It is now private (mode 0700).")
    print(message.format(folder=path), file=sys.stderr)  # noqa: T201 - a message of the command


def _is_service_folder(path: Path) -> bool:
    """Whether a service has used the folder before, or the folder is empty enough for a first start."""
    return (path / FILE_NAME).exists() or {entry.name for entry in path.iterdir()} <= _ALLOWED_IN_NEW_FOLDER


def _open(path: Path, stack: ExitStack) -> DataFolder:
    blobs = Blobs(path)
    database = open_database(path, may_be_new=not blobs.any_stored())
    stack.callback(database.close)
    blobs.clear_unfinished()
    Backups(path).clear()
    with database.write(durable=True) as connection:
        service_settings = settings(connection)
    for kind in BlobKind:
        with database.read() as connection:
            referenced_names = referenced_blobs.referenced(connection, kind)
        blobs.clear_unreferenced(kind, referenced_names)
    finish_deletions(database, blobs)
    return DataFolder(path, database, blobs, service_settings)
