"""The data folder of a service: private, held by one service alone, cleared of what was left unfinished."""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from batchwright.base.database import Database, DatabaseMissing, DatabaseUnusable
from batchwright.base.i18n import _
from batchwright.service import worker
from batchwright.service.blobs import BlobKind, Blobs
from batchwright.service.locks import FolderLock
from batchwright.service.store import referenced_blobs
from batchwright.service.store.database import FILE_NAME, open_database
from batchwright.service.store.settings import ServiceSettings, settings

LOCK_NAME = "service.lock"
_BEFORE_THE_FIRST_START = {"accounts.json", "token"}
"""What people may put into a folder before its first start."""

_WORKER_ENDS = 30.0
_FOR_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class ServiceStartError(Exception):
    """Why the service cannot start, in a sentence for people."""


@dataclass(frozen=True)
class DataFolder:
    """What is in a data folder."""

    path: Path
    database: Database
    blobs: Blobs
    settings: ServiceSettings


@contextmanager
def open_data_dir(path: Path) -> Iterator[DataFolder]:
    """The folder, made if need be, for as long as it is held.

    Raises:
        ServiceStartError: it cannot be used, or another service is using it.
    """
    path = path.absolute()
    with ExitStack() as held:
        try:
            _hold(path, held)
            folder = _open(path, held)
        except DatabaseMissing:
            raise ServiceStartError(
                _(
                    "The data folder has files, but its database is gone or empty."
                    " Bring it back from a backup, or choose another folder."
                )
            ) from None
        except DatabaseUnusable as fault:
            raise ServiceStartError(str(fault)) from None
        except OSError as fault:
            raise ServiceStartError(
                _("The data folder {folder} cannot be used: {reason}").format(
                    folder=path, reason=fault.strerror or fault
                )
            ) from None
        yield folder


def _hold(path: Path, held: ExitStack) -> None:
    """Lock the folder; the worker of the service that held it before has ended then."""
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    _keep_private(path)
    lock = FolderLock(path / LOCK_NAME)
    held.callback(lock.release)
    if not lock.take():
        raise ServiceStartError(
            _(
                "Another Batchwright service is using the data folder {folder}. Stop it, or choose another."
            ).format(folder=path)
        )
    workers = FolderLock(path / worker.LOCK_NAME)
    if not workers.take(wait=_WORKER_ENDS):
        raise ServiceStartError(
            _("The worker of an earlier service is still writing to {folder}.").format(folder=path)
        )
    workers.release()


def _keep_private(path: Path) -> None:
    """Close the folder to other users: it holds answers and the key that signs addresses.

    Raises:
        ServiceStartError: it belongs to somebody else, or is not the service's alone.
    """
    if os.name == "nt":
        return
    found = path.stat()
    if not found.st_mode & _FOR_OTHERS:
        return
    if found.st_uid != os.geteuid():
        raise ServiceStartError(
            _("The data folder {folder} belongs to another user. Choose a folder of your own.").format(
                folder=path
            )
        )
    if not _is_of_a_service(path):
        raise ServiceStartError(
            _(
                "Other users may read the data folder {folder}, and it holds files of something else."
                " Choose an empty folder, or close this one to others (chmod 700)."
            ).format(folder=path)
        )
    path.chmod(stat.S_IMODE(found.st_mode) & ~_FOR_OTHERS)
    sentence = _("Other users could read the data folder {folder}. It is private now (mode 0700).")
    print(sentence.format(folder=path), file=sys.stderr)  # noqa: T201 - the console is where the service speaks


def _is_of_a_service(path: Path) -> bool:
    """Whether a service has worked in a folder, or could be the first to."""
    return (path / FILE_NAME).exists() or {entry.name for entry in path.iterdir()} <= _BEFORE_THE_FIRST_START


def _open(path: Path, held: ExitStack) -> DataFolder:
    blobs = Blobs(path)
    database = open_database(path, may_be_new=not blobs.any_kept())
    held.callback(database.close)
    blobs.clear_unfinished()
    with database.write(durable=True) as connection:
        known = settings(connection)
    for kind in BlobKind:
        with database.read() as connection:
            named = referenced_blobs.referenced(connection, kind)
        blobs.clear_unnamed(kind, named)
    return DataFolder(path, database, blobs, known)
