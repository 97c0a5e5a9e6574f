"""The program's database: migrations, access by threads and processes, and backups."""

import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from batchwright.base.database import (
    Database,
    DatabaseDamaged,
    DatabaseMigrationFailed,
    DatabaseTooNew,
    StorageUnavailable,
    backup_before_migration,
)
from batchwright.local.database import COPY_NAME, FILE_NAME, back_up, open_database
from batchwright.local.id_registry import IdRegistry, RegisteredId, RemoteKind
from batchwright.workflows.messages import describe


def test_a_fresh_database_is_created_and_opened_again(tmp_path: Path) -> None:
    for _start in range(2):
        database = open_database(tmp_path)
        with database.read() as rows:
            assert rows.execute("SELECT count(*) FROM job").fetchone()[0] == 0
        database.close()


def test_two_programs_can_create_the_database_concurrently(tmp_path: Path) -> None:
    created: list[Database] = []
    starts = [threading.Thread(target=lambda: created.append(open_database(tmp_path))) for _start in range(4)]
    for start in starts:
        start.start()
    for start in starts:
        start.join()
    assert len(created) == 4
    for database in created:
        database.close()


def test_a_database_of_a_newer_version_is_not_changed(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    with database.write() as rows:
        rows.execute("PRAGMA user_version = 999")
    database.close()
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
    before = _contents(tmp_path)
    with pytest.raises(DatabaseTooNew):
        open_database(tmp_path)
    assert _contents(tmp_path) == before


def test_a_newer_database_is_not_changed_after_a_crash_of_the_newer_program(tmp_path: Path) -> None:
    crashed, copy = tmp_path / "crashed", tmp_path / "copy"
    crashed.mkdir()
    database = open_database(crashed)
    with database.write() as rows:
        rows.execute("PRAGMA user_version = 999")
    shutil.copytree(crashed, copy)  # with the log, which contains the version
    database.close()
    (copy / f"{FILE_NAME}-shm").unlink()
    before = _contents(copy)
    with pytest.raises(DatabaseTooNew):
        open_database(copy)
    assert _contents(copy).items() >= before.items()


def test_a_database_is_backed_up_before_it_is_migrated(tmp_path: Path) -> None:
    database = _database_of_version_1(tmp_path)
    migrated = Database(database, _migrations(tmp_path, 3))
    with migrated.read() as rows:
        assert rows.execute("SELECT name, age, size FROM animal").fetchall()[0][:] == ("cat", None, None)
    migrated.close()

    older = Database(backup_before_migration(database, 1), _migrations(tmp_path, 1), may_be_new=False)
    with older.read() as rows:
        assert rows.execute("SELECT * FROM animal").fetchall()[0][:] == ("cat",)
    older.close()


def test_a_new_database_and_an_up_to_date_one_are_not_backed_up(tmp_path: Path) -> None:
    for _start in range(2):
        open_database(tmp_path).close()
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


def test_a_migration_that_fails_changes_nothing_and_keeps_the_backup(tmp_path: Path) -> None:
    database = _database_of_version_1(tmp_path)
    migrations = _migrations(tmp_path, 2)
    (migrations / "0003.sql").write_text("ALTER TABLE missing ADD COLUMN size;")
    with pytest.raises(DatabaseMigrationFailed) as failed:
        Database(database, migrations)
    message = describe(failed.value)
    assert message.what == (
        "The data of an older Batchwright could not be updated for this version: no such table: missing."
    )
    assert "Nothing was changed" in message.remedy
    assert backup_before_migration(database, 1).exists()
    unchanged = Database(database, _migrations(tmp_path, 1))
    with unchanged.read() as rows:
        assert rows.execute("SELECT * FROM animal").fetchall()[0][:] == ("cat",)
    unchanged.close()


def test_a_database_that_cannot_be_backed_up_is_not_migrated(tmp_path: Path) -> None:
    database = _database_of_version_1(tmp_path)
    backup_before_migration(database, 1).mkdir()
    with pytest.raises(StorageUnavailable) as failed:
        Database(database, _migrations(tmp_path, 3))
    assert str(failed.value).rpartition("failed: ")[2]
    Database(database, _migrations(tmp_path, 1)).close()


def test_two_programs_migrate_a_database_only_once(tmp_path: Path) -> None:
    database, migrations = _database_of_version_1(tmp_path), _migrations(tmp_path, 3)
    opened: list[Database] = []
    starts = [threading.Thread(target=lambda: opened.append(Database(database, migrations))) for _n in "1234"]
    for start in starts:
        start.start()
    for start in starts:
        start.join()
    assert len(opened) == 4
    for other in opened:
        other.close()
    older = Database(backup_before_migration(database, 1), _migrations(tmp_path, 1), may_be_new=False)
    older.close()


_SCRIPTS = (
    "CREATE TABLE animal (name TEXT);\nINSERT INTO animal VALUES ('cat');",
    "ALTER TABLE animal ADD COLUMN age;",
    "ALTER TABLE animal ADD COLUMN size;",
)


def _migrations(folder: Path, count: int) -> Path:
    """A folder with the first `count` of three migrations."""
    migrations = folder / f"migrations-{count}"
    migrations.mkdir(exist_ok=True)
    for number, script in enumerate(_SCRIPTS[:count], start=1):
        (migrations / f"{number:04}.sql").write_text(script)
    return migrations


def _database_of_version_1(folder: Path) -> Path:
    path = folder / "animals.db"
    Database(path, _migrations(folder, 1)).close()
    return path


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith("-shm")}


def test_a_file_that_is_not_a_database_is_reported_as_damaged(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"no database" * 1000)
    with pytest.raises(DatabaseDamaged):
        open_database(tmp_path)


def test_a_failed_write_is_rolled_back(tmp_path: Path) -> None:
    database = open_database(tmp_path)

    def fail() -> None:
        with database.write() as rows:
            rows.execute("INSERT INTO known VALUES ('here', 'batch', 'b', NULL, NULL, '', 1, 0)")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert IdRegistry(database).all("here") == []
    database.close()


def test_a_write_on_a_full_disk_is_rolled_back_and_later_ones_succeed(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    register = IdRegistry(database)
    with database.write() as rows:
        (pages,) = rows.execute("PRAGMA page_count").fetchone()
        rows.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StorageUnavailable):
        register.save(RegisteredId("here", RemoteKind.BATCH, "b", "x" * 100_000))
    assert register.all("here") == []
    with database.write() as rows:
        rows.execute("PRAGMA max_page_count = 1000000")
    register.save(RegisteredId("here", RemoteKind.BATCH, "b"))
    assert [stored.id for stored in register.all("here")] == ["b"]
    database.close()


def test_a_locked_database_is_not_reported_as_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("batchwright.local.database._BUSY_TIMEOUT_S", 0)
    holder, waiting = open_database(tmp_path), open_database(tmp_path)
    with holder.write(), pytest.raises(StorageUnavailable), waiting.write():
        pass
    with holder.write():
        open_database(tmp_path).close()
    new = tmp_path / "new"
    new.mkdir()
    with closing(sqlite3.connect(new / FILE_NAME)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StorageUnavailable):
            open_database(new)
    waiting.close()
    holder.close()


def test_a_backup_is_complete_and_replaces_an_older_one(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    register = IdRegistry(database)
    copy = tmp_path / "backups"
    copy.mkdir()
    for name in ("first", "second"):
        register.save(RegisteredId("here", RemoteKind.DATASET, name))
        database.back_up(copy / FILE_NAME)
    database.close()

    assert [path.name for path in copy.iterdir()] == [FILE_NAME]
    restored = open_database(copy)
    assert {stored.id for stored in IdRegistry(restored).all("here")} == {"first", "second"}
    restored.close()


def test_a_backup_is_never_replaced_by_a_less_complete_one(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    back_up(database)
    assert not (tmp_path / COPY_NAME).exists()
    IdRegistry(database).save(RegisteredId("here", RemoteKind.DATASET, "d"))
    back_up(database)
    database.close()
    (tmp_path / FILE_NAME).unlink()
    empty = open_database(tmp_path)
    back_up(empty)
    empty.close()
    (tmp_path / COPY_NAME).replace(tmp_path / FILE_NAME)
    restored = open_database(tmp_path)
    assert "d" in {stored.id for stored in IdRegistry(restored).all("here")}
    restored.close()


def test_a_damaged_database_replaces_no_backup(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    register = IdRegistry(database)
    register.save(
        *(RegisteredId("here", RemoteKind.DATASET, f"d{number}", "x" * 500) for number in range(500))
    )
    back_up(database)
    copy = (tmp_path / COPY_NAME).read_bytes()
    database.close()
    content = bytearray((tmp_path / FILE_NAME).read_bytes())
    content[len(content) // 2 : len(content) // 2 + 8192] = bytes(8192)
    (tmp_path / FILE_NAME).write_bytes(content)
    damaged = open_database(tmp_path)
    back_up(damaged)
    damaged.close()
    assert (tmp_path / COPY_NAME).read_bytes() == copy


def test_a_backup_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    IdRegistry(database).save(RegisteredId("here", RemoteKind.DATASET, "d"))
    (tmp_path / COPY_NAME / "in the way").mkdir(parents=True)
    with pytest.raises(StorageUnavailable):
        back_up(database)
    database.close()
