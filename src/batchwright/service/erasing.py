"""Deletes what a request, or an interrupted one before it, has marked; nothing of it is left on the disk.

Copies of the database from before an update, and backups that are still here, would bring it back: they are
removed, too.
"""

import logging
import shutil
from collections.abc import Callable

from batchwright.base.database import Database, StorageUnavailable
from batchwright.service.blobs import Blobs
from batchwright.service.store import stored_data
from batchwright.service.store.database import ROWS_PER_TRANSACTION

_log = logging.getLogger(__name__)

BACKUPS_FOLDER = "backups"
"""The folder below the data folder with backups that are written, received or restored."""


def finish_deletions(database: Database, blobs: Blobs, wait: Callable[[], object] = lambda: None) -> bool:
    """Delete the rows and files that are marked, and compact the database; whether nothing is left.

    An error of the disk is logged: what is missing is done at the next start.

    Args:
        database: the database.
        blobs: the stored files.
        wait: called between transactions, so that other requests are handled meanwhile.
    """
    while True:
        with database.write(durable=True) as connection:
            deleted = stored_data.delete_next(connection, ROWS_PER_TRANSACTION)
        if deleted is None:
            break
        for name in deleted.blobs:
            blobs.remove(name)
        wait()
    return _erase(database)


def _erase(database: Database) -> bool:
    with database.read() as connection:
        if not stored_data.erase_is_due(connection):
            return True
    try:
        for copy in database.path.parent.glob(f"{database.path.stem}.version-*.backup{database.path.suffix}"):
            copy.unlink(missing_ok=True)
        shutil.rmtree(database.path.parent / BACKUPS_FOLDER, ignore_errors=True)
        if not database.compact():
            return False
        with database.write(durable=True) as connection:
            stored_data.mark_erased(connection)
    except (StorageUnavailable, OSError):
        _log.exception("The database could not be compacted; the next start tries again")
        return False
    return True
