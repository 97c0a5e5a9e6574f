"""The service's database: one SQLite file in the data folder, opened by the HTTP process and the worker.

SQLite needs no installation, is fast, and survives a killed process. SQL is written only in this package.
"""

import secrets
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from batchwright.base.database import Database
from batchwright.service.store import ids

FILE_NAME: Final = "service.db"
ROWS_PER_TRANSACTION: Final = 5000
"""The most rows in one transaction of a bulk write: the log stays small and other writers need not wait."""

_MIGRATIONS = Path(__file__).parent / "schema"
_WRITER_CACHE_KIB = 32 * 1024
"""Enough for the upper index pages that a setup of a million tasks writes in random order."""


def open_database(folder: Path, *, may_be_new: bool = True) -> Database:
    """The database of a data folder.

    Raises:
        DatabaseUnusable: it is damaged, belongs to a newer program, or is missing although it cannot be new.
        StorageUnavailable: the disk is full, or another process locks the file.
    """
    return Database(folder / FILE_NAME, _MIGRATIONS, cache_kib=_WRITER_CACHE_KIB, may_be_new=may_be_new)


@dataclass(frozen=True)
class ServiceSettings:
    """Values created once per data folder: workspace, owner and signing key."""

    workspace_id: str
    user_id: str
    signing_key: bytes


def settings(connection: sqlite3.Connection) -> ServiceSettings:
    """The settings of the data folder, created at its first use."""
    defaults = {
        "workspace_id": ids.new_object_id(),
        "user_id": ids.new_object_id(),
        "signing_key": secrets.token_hex(32),
    }
    connection.executemany("INSERT OR IGNORE INTO setting (name, value) VALUES (?, ?)", defaults.items())
    stored = dict(connection.execute("SELECT name, value FROM setting").fetchall())
    return ServiceSettings(stored["workspace_id"], stored["user_id"], bytes.fromhex(stored["signing_key"]))


def last_port(connection: sqlite3.Connection) -> int:
    """The port of the last start; 0 before the first one."""
    row = connection.execute("SELECT value FROM setting WHERE name = 'last_port'").fetchone()
    return int(row[0]) if row is not None else 0


def store_last_port(connection: sqlite3.Connection, port: int) -> None:
    """Store the port of this start, unless it is stored already."""
    if port != last_port(connection):
        connection.execute(
            "INSERT OR REPLACE INTO setting (name, value) VALUES ('last_port', ?)", (str(port),)
        )
