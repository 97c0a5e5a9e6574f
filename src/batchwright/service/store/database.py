"""The service's database: one SQLite file in the data folder, opened by the HTTP process and the worker."""

from pathlib import Path
from typing import Final

from batchwright.base.database import Database

FILE_NAME: Final = "service.db"
ROWS_PER_TRANSACTION: Final = 5000
"""Rows in one transaction of a bulk write, at most: the log stays small, other writers get their turn."""

_MIGRATIONS = Path(__file__).parent / "schema"
_WRITER_CACHE_KIB = 32 * 1024
"""Enough for the upper pages of the indexes that a setup of a million tasks fills in random order."""


def open_database(folder: Path, *, may_be_new: bool = True) -> Database:
    """The database of a data folder.

    Raises:
        DatabaseUnusable: it is damaged, belongs to a newer program, or is missing although it cannot be new.
        StorageUnavailable: the disk is full, or another process locks the file.
    """
    return Database(folder / FILE_NAME, _MIGRATIONS, cache_kib=_WRITER_CACHE_KIB, may_be_new=may_be_new)
