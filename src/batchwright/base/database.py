"""A SQLite file: connections for any thread, transactions, numbered migrations, backups.

Write-ahead logging lets readers continue while one writer writes. Within a process, writers queue for the one
writing connection; between processes, SQLite's busy timeout makes them wait. Transactions that must survive a
power failure share flushes of the log, because the disk is what they wait for.
"""

import errno
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from queue import Empty, LifoQueue
from typing import Final, TypeAlias

from batchwright.base.files.durable_files import GroupCommit, flush_folder
from batchwright.base.i18n import _

BUSY_TIMEOUT_S: Final = 30.0
_RETRY_S = 0.01
_COMPACT_WAIT_S: Final = 10.0
_LARGEST_IDLE_LOG = 64 * 1024 * 1024
"""Bytes that the log keeps after a checkpoint; while a reader is active, it grows beyond that."""

_PRIMARY_CODE = 0xFF
_TRANSIENT = frozenset(
    {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY}
)
"""Primary codes of errors that do not mean a damaged file: a retry can succeed."""
_MIGRATION_ERRORS = frozenset({sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH})
"""Primary codes of errors in the statements of a migration."""
_DISK_FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE)
"""The second is raised when the index of the log cannot grow."""

_PAGES_PER_STEP = 1_000
"""Pages of a copy between two reports of its progress."""

OnCopied = Callable[[float], object]
"""Called with the fraction of a copy that is written; an exception ends the copy."""

Connection: TypeAlias = sqlite3.Connection
"""Type of the connection passed to functions that execute SQL."""


class DatabaseUnusable(Exception):
    """A database cannot be opened; the message says why."""


class DatabaseTooNew(DatabaseUnusable):
    """The database was written by a newer version of Batchwright."""


class DatabaseDamaged(DatabaseUnusable):
    """The file is not a database, or cannot be opened."""


class DatabaseMigrationFailed(DatabaseUnusable):
    """The database could not be migrated to the schema of this version; nothing was changed."""


class DatabaseMissing(DatabaseUnusable):
    """A required database does not exist or is empty."""


class StorageUnavailable(OSError):
    """The database cannot be read or written at the moment; `errno` is ENOSPC when the disk is full.

    Otherwise another program locks the file, or the disk failed. Nothing was changed.
    """


class Database:
    """A SQLite file, for any number of threads and processes.

    Its methods block; do not call them on the event loop's thread.

    Args:
        path: the file; its folder exists.
        migrations: a folder of numbered `.sql` files; `user_version` is the number of those applied.
        is_durable: every transaction survives a power failure, not only those written with `durable=True`.
        cache_kib: size of the writing connection's page cache.
        may_be_new: False if the database must exist already.
        busy_timeout_s: how long to wait for other processes.

    Raises:
        DatabaseUnusable: one of its subclasses.
        StorageUnavailable: the disk is full, or another process locks the file.
    """

    def __init__(
        self,
        path: Path,
        migrations: Path,
        *,
        is_durable: bool = False,
        cache_kib: int | None = None,
        may_be_new: bool = True,
        busy_timeout_s: float = BUSY_TIMEOUT_S,
    ) -> None:
        self.path = path
        self._busy_timeout_s = busy_timeout_s
        self._readers: LifoQueue[Connection] = LifoQueue()
        self._writing = threading.Lock()
        scripts = sorted(migrations.glob("*.sql"))
        try:
            with _storage_errors():
                _require_supported(path, len(scripts), busy_timeout_s)
                self._writer = self._connect()
                try:
                    self._enable_write_ahead_log()
                    self._writer.execute(f"PRAGMA synchronous = {'FULL' if is_durable else 'NORMAL'}")
                    if cache_kib is not None:
                        self._writer.execute(f"PRAGMA cache_size = -{cache_kib}")
                    _migrate(self._writer, path, scripts, may_be_new)
                except BaseException:
                    self._writer.close()
                    raise
        except sqlite3.DatabaseError as error:
            text = _("The database {path} cannot be used: {reason}")
            raise DatabaseDamaged(text.format(path=path, reason=error)) from error
        self._log = GroupCommit(path.with_name(f"{path.name}-wal"))
        flush_folder(path.parent)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a read transaction: it sees one state of the database until the end of the block.

        Raises:
            StorageUnavailable: the disk is full, so that SQLite cannot sort.
        """
        with _storage_errors():
            connection = self._reader()
            try:
                connection.execute("BEGIN")
                yield connection
            finally:
                connection.rollback()
                self._readers.put(connection)

    @contextmanager
    def write(self, *, durable: bool = False) -> Iterator[Connection]:
        """Open a write transaction: committed at the end of the block, rolled back if the block raises.

        With `durable`, it survives a power failure once the block has ended. Otherwise, unless the database
        is durable as a whole, a power failure can lose the last transactions, but never a part of one.

        Raises:
            StorageUnavailable: the disk is full, or another process locks the file; nothing was changed.
        """
        with _storage_errors(), self._writing:
            connection = self._writer
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.commit()
            except BaseException:
                connection.rollback()
                raise
        if durable:
            self._log.wait()

    def is_sound(self) -> bool:
        """Whether SQLite's quick check finds no damage."""
        try:
            with self.read() as connection:
                result = connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.DatabaseError:
            return False
        return bool(result[0] == "ok")

    def size(self) -> int:
        """Bytes of the file and its log."""
        files = (self.path.with_name(f"{self.path.name}{end}") for end in ("", "-wal", "-shm"))
        return sum(file.stat().st_size for file in files if file.exists())

    def back_up(self, path: Path, on_copied: OnCopied | None = None) -> None:
        """Write a complete copy to `path` while the database is in use; an older copy is replaced.

        Raises:
            StorageUnavailable, OSError: the copy cannot be written; the older one is kept.
        """
        with _storage_errors(), self.read() as connection:
            # From here on, all steps see the same state: the transaction begins with the first statement.
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            _copy(connection, path, on_copied)

    def compact(self, wait_s: float = _COMPACT_WAIT_S) -> bool:
        """Rewrite the file without what was deleted, and empty the log; whether nothing deleted is left.

        Transactions of others that began before are waited for, at most so many seconds.

        Raises:
            StorageUnavailable: there is no space for the copy, or another process writes all the time;
                nothing was changed.
        """
        deadline = time.monotonic() + wait_s
        with _storage_errors(), self._writing:
            self._writer.execute("VACUUM")
        while not self._empty_log():
            if time.monotonic() > deadline:
                return False
            time.sleep(_RETRY_S)
        return True

    def replace_by(self, path: Path) -> None:
        """Replace the whole content by that of another database, in one transaction.

        Raises:
            StorageUnavailable: the disk is full, or another process locks the file; nothing was changed.
            sqlite3.OperationalError: there is no file at `path`; nothing was changed.
        """
        address = f"{path.absolute().as_uri()}?mode=ro"  # which creates no file
        with _storage_errors(), self._writing, closing(sqlite3.connect(address, uri=True)) as source:
            source.backup(self._writer)
        self._log.wait()

    def close(self) -> None:
        """Close all connections; the database cannot be used afterwards."""
        self._log.close()
        with self._writing:
            self._writer.close()
        with suppress(Empty):
            while True:
                self._readers.get_nowait().close()

    def _empty_log(self) -> bool:
        """Copy the log into the file and make it empty, unless a transaction still reads it."""
        with _storage_errors(), self._writing:
            try:
                self._writer.execute("PRAGMA busy_timeout = 0")  # writers in this process would wait, too
                (is_busy, *_counts) = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            finally:
                self._writer.execute(f"PRAGMA busy_timeout = {round(1000 * self._busy_timeout_s)}")
        return not is_busy

    def _reader(self) -> Connection:
        try:
            return self._readers.get_nowait()
        except Empty:
            return self._connect()

    def _connect(self) -> Connection:
        connection = sqlite3.connect(
            self.path, timeout=self._busy_timeout_s, isolation_level=None, check_same_thread=False
        )
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA journal_size_limit = {_LARGEST_IDLE_LOG}")
        return connection

    def _enable_write_ahead_log(self) -> None:
        """Enable WAL with retries: SQLite's busy timeout does not apply when two processes do so at once."""
        deadline = time.monotonic() + self._busy_timeout_s
        while True:
            try:
                self._writer.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                is_busy = error.sqlite_errorcode & _PRIMARY_CODE == sqlite3.SQLITE_BUSY
                if not is_busy or time.monotonic() > deadline:
                    raise
                time.sleep(_RETRY_S)
            else:
                return


@contextmanager
def _storage_errors() -> Iterator[None]:
    """Raise `StorageUnavailable` for errors of SQLite that do not mean a damaged file."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & _PRIMARY_CODE not in _TRANSIENT:
            raise
        is_full = error.sqlite_errorcode in _DISK_FULL
        unavailable = StorageUnavailable(os.strerror(errno.ENOSPC) if is_full else str(error))
        unavailable.errno = errno.ENOSPC if is_full else None
        raise unavailable from error


def backup_before_migration(path: Path, version: int) -> Path:
    """The path of the copy of a database as it was before it was migrated from a version."""
    return path.with_name(f"{path.stem}.version-{version}.backup{path.suffix}")


def copies_before_migrations(path: Path) -> Iterable[Path]:
    """The copies of a database from before all migrations."""
    return path.parent.glob(f"{path.stem}.version-*.backup{path.suffix}")


def _require_supported(path: Path, newest: int, busy_timeout_s: float) -> None:
    """Raise `DatabaseTooNew` for a database of a newer program, without changing any of its files.

    Opening it for writing would switch its journal mode and copy its log into it.
    """
    if not path.is_file() or not path.stat().st_size:
        return
    address = f"{path.resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, timeout=busy_timeout_s)) as connection:
        _require_version(path, _version(connection), newest)


def _require_version(path: Path, version: int, newest: int) -> None:
    if version > newest:
        text = _("The database {path} was written by a newer Batchwright. Please update this one.")
        raise DatabaseTooNew(text.format(path=path))


def _migrate(connection: Connection, path: Path, migrations: list[Path], may_be_new: bool) -> None:
    """Apply the missing migrations: all or none, even if two processes start at the same time.

    The database is copied first (`backup_before_migration`), so that an older program can be used again.

    Raises:
        DatabaseUnusable: one of its subclasses.
        StorageUnavailable: the copy cannot be written; nothing was changed.
    """
    newest, version = len(migrations), _version(connection)
    _require_version(path, version, newest)
    if not version and not may_be_new:
        raise DatabaseMissing(_("The database {path} is missing or empty.").format(path=path))
    if version == newest:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _version(connection)  # another process may have migrated it meanwhile
        _require_version(path, version, newest)
        if 0 < version < newest:
            _back_up_before_migration(path, version)
        for migration in migrations[version:]:
            for statement in _statements(migration.read_text(encoding="utf-8")):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {newest}")
        connection.commit()
    except (sqlite3.OperationalError, sqlite3.IntegrityError) as error:
        connection.rollback()
        if error.sqlite_errorcode & _PRIMARY_CODE not in _MIGRATION_ERRORS:
            raise
        raise DatabaseMigrationFailed(str(error)) from error
    except BaseException:
        connection.rollback()
        raise


def _back_up_before_migration(path: Path, version: int) -> None:
    """Copy the committed state of a database; another connection may hold the write lock."""
    try:
        with closing(sqlite3.connect(path)) as source:
            _copy(source, backup_before_migration(path, version))
    except OSError as error:
        reason = _("the copy of the database for the time before the update failed: {reason}")
        raise StorageUnavailable(reason.format(reason=error.strerror or error)) from error


def _copy(source: Connection, path: Path, on_copied: OnCopied | None = None) -> None:
    """Write a complete copy of a database to `path`; an older file there is replaced at the end."""

    def on_pages(_status: int, remaining: int, total: int) -> None:
        if on_copied is not None:
            on_copied(1 - remaining / total if total else 1.0)

    temporary = path.with_name(f".{path.name}.part")
    temporary.unlink(missing_ok=True)
    with closing(sqlite3.connect(temporary)) as copy:
        source.backup(copy, pages=-1 if on_copied is None else _PAGES_PER_STEP, progress=on_pages)
    temporary.replace(path)
    flush_folder(path.parent)


def _version(connection: Connection) -> int:
    """The number of migrations that were applied."""
    with closing(connection.execute("PRAGMA user_version")) as cursor:
        (version,) = cursor.fetchone()
    return int(version)


def _statements(script: str) -> Iterator[str]:
    """Split a script into statements: `executescript` would commit the enclosing transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
