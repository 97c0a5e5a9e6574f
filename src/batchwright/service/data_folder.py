"""The data folder of a service: held by one service alone, and cleared of what an interrupted one left."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from batchwright.service import worker
from batchwright.service.blobs import BlobKind, Blobs
from batchwright.service.locks import FolderLock
from batchwright.service.store import blob_names
from batchwright.service.store.database import Database, Unusable
from batchwright.service.store.settings import Settings, settings
from batchwright.words import _

LOCK_NAME = "service.lock"

_WORKER_ENDS = 30.0


class CannotServe(Exception):
    """Why the service cannot start, in a sentence for people."""


@dataclass(frozen=True)
class DataFolder:
    """What is in a data folder."""

    path: Path
    database: Database
    blobs: Blobs
    settings: Settings


@contextmanager
def opened(path: Path) -> Iterator[DataFolder]:
    """The folder, made if need be, for as long as it is held.

    Raises:
        CannotServe: it cannot be used, or another service is using it.
    """
    path = path.absolute()
    with ExitStack() as held:
        try:
            _hold(path, held)
            folder = _open(path, held)
        except Unusable as fault:
            raise CannotServe(str(fault)) from None
        except OSError as fault:
            raise CannotServe(
                _("The data folder {folder} cannot be used: {reason}").format(
                    folder=path, reason=fault.strerror or fault
                )
            ) from None
        yield folder


def _hold(path: Path, held: ExitStack) -> None:
    """Lock the folder; the worker of the service that held it before has ended then."""
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = FolderLock(path / LOCK_NAME)
    held.callback(lock.release)
    if not lock.take():
        raise CannotServe(
            _(
                "Another Batchwright service is using the data folder {folder}. Stop it, or choose another."
            ).format(folder=path)
        )
    workers = FolderLock(path / worker.LOCK_NAME)
    if not workers.take(wait=_WORKER_ENDS):
        raise CannotServe(
            _("The worker of an earlier service is still writing to {folder}.").format(folder=path)
        )
    workers.release()


def _open(path: Path, held: ExitStack) -> DataFolder:
    blobs = Blobs(path)
    database = Database(path, may_be_new=not blobs.any_kept())
    held.callback(database.close)
    blobs.clear_unfinished()
    with database.write(durable=True) as connection:
        known = settings(connection)
    for kind in BlobKind:
        with database.read() as connection:
            named = blob_names.of_kind(connection, kind)
        blobs.clear_unnamed(kind, named)
    return DataFolder(path, database, blobs, known)
