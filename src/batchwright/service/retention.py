"""Deletes what was not used for as many days as the policy of this computer says: at the start and daily."""

import logging
import threading
import time
from collections.abc import Collection
from typing import NoReturn

from batchwright.base.database import Database, StorageUnavailable
from batchwright.base.policy import computer_policy
from batchwright.service import clock
from batchwright.service.blobs import Blobs
from batchwright.service.data_dir import DataFolder
from batchwright.service.erasing import finish_deletions
from batchwright.service.store import stored_data

_log = logging.getLogger(__name__)


def start_retention(folder: DataFolder, deleting: threading.Lock) -> None:
    """Start a thread that deletes what is older, if the policy says so; it holds `deleting` meanwhile."""
    days = computer_policy().retention_days
    if days is not None:
        threading.Thread(
            target=_delete_daily, args=(folder, deleting, days), name="retention", daemon=True
        ).start()


def _delete_daily(folder: DataFolder, deleting: threading.Lock, days: int) -> NoReturn:
    while True:
        try:
            workspaces = (folder.settings.workspace_id,)
            with deleting:
                delete_unused(folder.database, folder.blobs, workspaces, days, clock.now())
        except (StorageUnavailable, OSError):
            _log.exception("What is older than %d days could not be deleted; tried again in a day", days)
        time.sleep(clock.DAY / clock.SECOND)


def delete_unused(database: Database, blobs: Blobs, workspaces: Collection[str], days: int, now: int) -> None:
    """Delete what was not used for some days; `now` is in milliseconds since 1970.

    Call it while nothing else is deleted, and no backup is written or restored.

    Raises:
        StorageUnavailable: the database cannot be written.
        OSError: a file cannot be deleted.
    """
    with database.write(durable=True) as connection:
        deleted, _in_use = stored_data.start_deletion_of_older(
            connection, workspaces, now - days * clock.DAY, now
        )
    if deleted.studies:
        _log.info("Deleted studies that were not used for %d days: %d", days, deleted.studies)
    finish_deletions(database, blobs)
