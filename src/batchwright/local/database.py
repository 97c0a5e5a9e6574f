"""The program's own database, `batchwright.db`: jobs and the register (design.md D8)."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from batchwright.base.atomic_files import fsync_directory
from batchwright.base.i18n import _

FILE_NAME = "batchwright.db"
COPY_NAME = "batchwright.backup.db"
"""Lies beside it: what it held when the program was started last."""

_STEPS = Path(__file__).parent / "schema"
_BUSY_SECONDS = 5.0
_NAP = 0.01
_PASSING = frozenset(
    {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY}
)
"""Failures of the computer around the file, by SQLite's primary codes; the file itself is sound."""
_PRIMARY = 0xFF


class DatabaseTooNew(Exception):
    """The database was written by a newer Batchwright."""


class DatabaseDamaged(Exception):
    """The file is no database, or cannot be opened."""


class StorageUnavailable(Exception):
    """Nothing can be written for the moment: the disk is full, say, or another program holds the file."""


class Database:
    """One SQLite file, used from any thread and by several processes at a time; call it off the event loop.

    Args:
        folder: holds the file; made by `Folders.make`.

    Raises:
        TooNew: the file belongs to a newer program.
        Damaged: the file is no database, or cannot be opened.
        CannotKeep: the disk is full, or another program holds the file.
    """

    def __init__(self, folder: Path) -> None:
        self._lock = threading.Lock()
        self._folder = folder
        try:
            self._connection = _open(folder / FILE_NAME)
        except sqlite3.Error as fault:
            kind = StorageUnavailable if _is_passing(fault) else DatabaseDamaged
            raise kind(_("{file}: {reason}").format(file=folder / FILE_NAME, reason=fault)) from fault

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """A connection that nobody else uses meanwhile."""
        with self._lock:
            yield self._connection

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """A transaction: kept for good on leaving, undone if an exception leaves.

        Raises:
            CannotKeep: the disk is full, or another program holds the file; nothing has changed.
        """
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection
                self._connection.commit()
            except BaseException as fault:
                self._connection.rollback()
                if isinstance(fault, sqlite3.Error) and _is_passing(fault):
                    raise StorageUnavailable(str(fault)) from fault
                raise

    def keep_copy(self) -> None:
        """Put a copy beside the database, over an older one, if there is anything in it that is sound (D16).

        Raises:
            CannotKeep: the copy cannot be written; the older one is still there.
        """
        if self._is_sound() and self._knows_anything():
            try:
                self.back_up(self._folder / COPY_NAME)
            except (sqlite3.Error, OSError) as fault:
                raise StorageUnavailable(str(fault)) from fault

    def back_up(self, path: Path) -> None:
        """Put a whole copy of the database at `path`, over an older one, while it is in use (D16)."""
        beside = path.with_name(f".{path.name}.part")
        with closing(sqlite3.connect(beside)) as copy, self._lock:
            self._connection.backup(copy)
        beside.replace(path)
        fsync_directory(path.parent)

    def _is_sound(self) -> bool:
        try:
            with self.read() as connection:
                found = connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.DatabaseError:
            return False
        return bool(found[0] == "ok")

    def _knows_anything(self) -> bool:
        """An empty one may stand where the real one got lost, whose copy is then all that is left."""
        with self.read() as connection:
            found = connection.execute("SELECT EXISTS (SELECT 1 FROM known)").fetchone()
        return bool(found[0])

    def close(self) -> None:
        """Close the file; the database is not used after this."""
        with self._lock:
            self._connection.close()


def _is_passing(fault: sqlite3.Error) -> bool:
    return getattr(fault, "sqlite_errorcode", 0) & _PRIMARY in _PASSING


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.row_factory = sqlite3.Row
        _keep_a_log(connection)
        # FULL, since an id that a power cut takes is lost for ever: no service lists datasets (D16).
        connection.execute("PRAGMA synchronous = FULL")
        _bring_up_to_date(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _keep_a_log(connection: sqlite3.Connection) -> None:
    """Turn write-ahead logging on; SQLite's own waiting does not cover two programs doing so at once."""
    deadline = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(_NAP)
        else:
            return


def _bring_up_to_date(connection: sqlite3.Connection) -> None:
    """Apply the numbered steps that this file has not seen, all or none, whoever else starts just now."""
    steps = sorted(_STEPS.glob("*.sql"))
    connection.execute("BEGIN IMMEDIATE")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(steps):
        raise DatabaseTooNew(
            _("The program's data was written by a newer Batchwright. Please update this one.")
        )
    for step in steps[version:]:
        for statement in _statements(step.read_text(encoding="utf-8")):
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {len(steps)}")
    connection.commit()


def _statements(script: str) -> Iterator[str]:
    """The statements of a step, one by one: a script run whole would end the transaction around it."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
