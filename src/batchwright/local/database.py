"""The program's own database, `batchwright.db`: jobs, the registry of remote ids, checkpoints, sent files.

Every transaction survives a power failure: an id that gets lost is lost for ever, because no service lists
datasets. At each start a copy of what the database held is put beside it.
"""

import sqlite3
from pathlib import Path
from typing import Final

from batchwright.base.database import Database, StorageUnavailable

FILE_NAME: Final = "batchwright.db"
COPY_NAME: Final = "batchwright.backup.db"
"""Beside it: what it held when the program was started last."""

_MIGRATIONS = Path(__file__).parent / "schema"
_BUSY_TIMEOUT_S = 5.0


def open_database(folder: Path) -> Database:
    """The database in a folder, which exists.

    Raises:
        DatabaseUnusable: it belongs to a newer program, or is damaged.
        StorageUnavailable: the disk is full, or another program locks the file.
    """
    return Database(folder / FILE_NAME, _MIGRATIONS, is_durable=True, busy_timeout_s=_BUSY_TIMEOUT_S)


def back_up(database: Database) -> None:
    """Put a copy beside the database, over an older one, if it is sound and not empty.

    An empty database can stand where the real one was lost; the copy is then all that is left.

    Raises:
        StorageUnavailable: the copy cannot be written; the older one is still there.
    """
    if database.is_sound() and _has_ids(database):
        try:
            database.back_up(database.path.with_name(COPY_NAME))
        except (sqlite3.Error, OSError) as error:
            raise StorageUnavailable(str(error)) from error


def _has_ids(database: Database) -> bool:
    with database.read() as connection:
        (exists,) = connection.execute("SELECT EXISTS (SELECT 1 FROM known)").fetchone()
    return bool(exists)
