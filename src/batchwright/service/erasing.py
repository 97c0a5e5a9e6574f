"""Deletes what a request, or an interrupted one before it, has marked; nothing of it is left on the disk.

Copies of the database from before an update, and backups that are still here, would bring it back: they are
removed, too. Expired previews are deleted as well.
"""

import logging
import shutil
from collections.abc import Iterable

from batchwright.base.database import Database, StorageUnavailable, copies_before_migrations
from batchwright.service import clock
from batchwright.service.blobs import Blobs
from batchwright.service.store import previews, stored_data
from batchwright.service.store.database import ROWS_PER_TRANSACTION

_log = logging.getLogger(__name__)

BACKUPS_FOLDER = "backups"
"""The folder below the data folder with backups that are written, received or restored."""


def finish_deletions(database: Database, blobs: Blobs, unreferenced: Iterable[str] = ()) -> bool:
    """Delete the rows and files that are marked, and compact the database; whether nothing is left.

    An error of the disk is logged: what is missing is done at the next start. Call it while nothing else is
    deleted, and no backup is written or restored.

    Args:
        database: the database.
        blobs: the stored files.
        unreferenced: the names of further stored files to delete, which no row refers to any more.
    """
    are_removed = _remove(blobs, unreferenced)
    while True:
        with database.write(durable=True) as connection:
            previews.delete_expired(connection, clock.now())
            deleted = stored_data.delete_next(connection, ROWS_PER_TRANSACTION)
        if deleted is None:
            break
        are_removed = _remove(blobs, deleted.blobs) and are_removed
    return are_removed and _erase(database)


def _remove(blobs: Blobs, names: Iterable[str]) -> bool:
    """Remove stored files; whether all of them are gone: Windows removes no file that is open."""
    are_removed = True
    for name in names:
        try:
            blobs.remove(name)
        except OSError:
            _log.exception("A stored file could not be removed; the next start tries again")
            are_removed = False
    return are_removed


def _erase(database: Database) -> bool:
    with database.read() as connection:
        if not stored_data.erase_is_due(connection):
            return True
    try:
        for copy in copies_before_migrations(database.path):
            copy.unlink(missing_ok=True)
        backups = database.path.parent / BACKUPS_FOLDER
        shutil.rmtree(backups, ignore_errors=True)
        is_left = backups.exists()  # Windows removes no backup that is being downloaded
        if not database.compact() or is_left:
            return False
        with database.write(durable=True) as connection:
            stored_data.mark_erased(connection)
    except (StorageUnavailable, OSError):
        _log.exception("The database could not be compacted; the next start tries again")
        return False
    return True
