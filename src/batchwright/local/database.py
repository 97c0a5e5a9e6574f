"""The program's own database, `batchwright.db`: jobs, the registry of remote ids, checkpoints, sent files.

Every transaction survives a power failure: an id that is lost cannot be found again, because no service lists
datasets. At each start the database is copied to a backup beside it.
"""

import sqlite3
from pathlib import Path
from typing import Final

from batchwright.base.database import Database, StorageUnavailable, copies_before_migrations
from batchwright.base.i18n import _

FILE_NAME: Final = "batchwright.db"
COPY_NAME: Final = "batchwright.backup.db"
"""The backup beside it, from the last start of the program."""

_MIGRATIONS = Path(__file__).parent / "schema"
_BUSY_TIMEOUT_S = 5.0


def open_database(folder: Path) -> Database:
    """Open the database in an existing folder.

    Raises:
        DatabaseUnusable: it was written by a newer version, or is damaged.
        StorageUnavailable: the disk is full, or another program locks the file.
    """
    return Database(folder / FILE_NAME, _MIGRATIONS, is_durable=True, busy_timeout_s=_BUSY_TIMEOUT_S)


def back_up(database: Database) -> None:
    """Replace the backup with a copy of the database, if the database is sound and not empty.

    An empty database may be the result of losing the real one; the backup is then the only copy left.

    Raises:
        StorageUnavailable: the backup cannot be written; the older one is kept.
    """
    if database.is_sound() and _has_ids(database):
        _replace_backup(database)


def erase_deleted(database: Database) -> None:
    """Compact the database, replace the backup, and remove copies from before updates.

    Nothing that was deleted is left in any of their files. The backup is replaced also if what was deleted
    were the last ids.

    Raises:
        StorageUnavailable: a file cannot be written or removed, another program reads the database all the
            time, or it is damaged: the backup is then left as it is.
    """
    if not database.compact():
        raise StorageUnavailable(_("another program reads the database"))
    if not database.is_sound():
        raise StorageUnavailable(_("the database is damaged"))
    try:
        for copy in copies_before_migrations(database.path):
            copy.unlink(missing_ok=True)
    except OSError as error:
        raise StorageUnavailable(str(error)) from error
    if database.path.with_name(COPY_NAME).exists():
        _replace_backup(database)


def _replace_backup(database: Database) -> None:
    try:
        database.back_up(database.path.with_name(COPY_NAME))
    except (sqlite3.Error, OSError) as error:
        raise StorageUnavailable(str(error)) from error


def _has_ids(database: Database) -> bool:
    with database.read() as connection:
        (exists,) = connection.execute("SELECT EXISTS (SELECT 1 FROM known)").fetchone()
    return bool(exists)
