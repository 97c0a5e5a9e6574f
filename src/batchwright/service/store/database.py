"""The service's database: one SQLite file in the data folder, opened by the HTTP process and the worker.

Write-ahead logging lets readers go on while one writer writes (design.md D7). Within a process
writers queue for the one writing connection; between processes SQLite's busy timeout does it.
Transactions that have to outlast a power cut share flushes of the log: the disk is what they wait for.
"""

import errno
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from queue import Empty, LifoQueue
from typing import TypeAlias

from batchwright.base.durable_files import GroupCommit, flush_folder
from batchwright.base.i18n import _

FILE_NAME = "service.db"
ROWS_PER_TRANSACTION = 5000
"""The most rows one transaction of a bulk write holds: the log stays small, other writers get their turn."""

_STEPS = Path(__file__).parent / "schema"
_BUSY_SECONDS = 30.0
_NO_ROOM = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE)
"""The second comes when it is the index of the log that cannot grow."""

_LARGEST_IDLE_LOG = 64 * 1024 * 1024
"""Bytes that the log keeps once all of it is in the database; while somebody reads, it grows beyond."""

_WRITER_CACHE_KIB = 32 * 1024
"""Enough for the upper pages of the indexes that a setup of a million tasks fills in random order."""


Connection: TypeAlias = sqlite3.Connection
"""What the functions of the store take; nobody else calls its methods."""


class DatabaseUnusable(Exception):
    """The database of a data folder cannot be used; the text says why."""


class Database:
    """The database of one data folder; may be used from any thread.

    Raises:
        Unusable: the file is no database, cannot be opened, or belongs to a newer program; or it is
            empty although it may not be new.
        OSError: the disk is full.
    """

    def __init__(self, folder: Path, *, may_be_new: bool = True) -> None:
        self._path = folder / FILE_NAME
        self._readers: LifoQueue[sqlite3.Connection] = LifoQueue()
        self._writing = threading.Lock()
        try:
            with _full_disk_as_such():
                self._writer = self._connect()
                self._writer.execute(f"PRAGMA cache_size = -{_WRITER_CACHE_KIB}")
                self._writer.execute("PRAGMA synchronous = NORMAL")
                _bring_up_to_date(self._writer, may_be_new)
        except sqlite3.DatabaseError as fault:
            reason = _("The database {path} cannot be used: {reason}")
            raise DatabaseUnusable(reason.format(path=self._path, reason=fault)) from None
        self._log = GroupCommit(self._path.with_name(f"{FILE_NAME}-wal"))
        flush_folder(folder)

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees one state of the database for as long as it is held.

        Raises:
            OSError: the disk is full, so that nothing can be sorted.
        """
        with _full_disk_as_such():
            connection = self._reader()
            try:
                connection.execute("BEGIN")
                yield connection
            finally:
                connection.rollback()
                self._readers.put(connection)

    @contextmanager
    def write(self, *, durable: bool = False) -> Iterator[sqlite3.Connection]:
        """A transaction: all of it is kept on leaving, nothing of it if an exception leaves.

        `durable` makes it outlast a power cut before the block is left, too; without it a power
        cut may take the last transactions, never a part of one.

        Raises:
            OSError: the disk is full; nothing was kept.
        """
        with _full_disk_as_such(), self._writing:
            connection = self._writer
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.commit()
            except BaseException:
                connection.rollback()
                raise
        if durable:
            self._log.wait()

    def close(self) -> None:
        """Close every connection; the database is not used after this."""
        self._log.close()
        self._writer.close()
        while True:
            try:
                self._readers.get_nowait().close()
            except Empty:
                return

    def _reader(self) -> sqlite3.Connection:
        try:
            return self._readers.get_nowait()
        except Empty:
            return self._connect()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA journal_size_limit = {_LARGEST_IDLE_LOG}")
        connection.execute("PRAGMA foreign_keys = ON")
        return connection


@contextmanager
def _full_disk_as_such() -> Iterator[None]:
    """Tell of a full disk as the file system does, whoever notices it."""
    try:
        yield
    except sqlite3.OperationalError as fault:
        if fault.sqlite_errorcode in _NO_ROOM:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from fault
        raise


def _bring_up_to_date(connection: sqlite3.Connection, may_be_new: bool) -> None:
    """Apply the numbered schema steps that this file has not seen, each whole or not at all."""
    steps = sorted(_STEPS.glob("*.sql"))
    with closing(connection.execute("PRAGMA user_version")) as cursor:
        (version,) = cursor.fetchone()
    if version > len(steps):
        raise DatabaseUnusable(
            _("The data folder was written by a newer Batchwright. Please update this one.")
        )
    if not version and not may_be_new:
        raise DatabaseUnusable(
            _(
                "The data folder has files, but its database is gone or empty."
                " Bring it back from a backup, or choose another folder."
            )
        )
    for number, step in enumerate(steps[version:], start=version + 1):
        script = step.read_text(encoding="utf-8")
        connection.executescript(f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;")
