"""The program's database: migrations, access by threads and processes, and backups."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from batchwright.base.database import Database, DatabaseDamaged, DatabaseTooNew, StorageUnavailable
from batchwright.local.database import COPY_NAME, FILE_NAME, back_up, open_database
from batchwright.local.id_registry import IdRegistry, RegisteredId, RemoteKind


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
    with pytest.raises(DatabaseTooNew):
        open_database(tmp_path)


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
    assert IdRegistry(database).get("here", RemoteKind.BATCH, "b") is None
    database.close()


def test_a_write_on_a_full_disk_is_rolled_back_and_later_ones_succeed(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    register = IdRegistry(database)
    with database.write() as rows:
        (pages,) = rows.execute("PRAGMA page_count").fetchone()
        rows.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StorageUnavailable):
        register.save(RegisteredId("here", RemoteKind.BATCH, "b", "x" * 100_000))
    assert register.get("here", RemoteKind.BATCH, "b") is None
    with database.write() as rows:
        rows.execute("PRAGMA max_page_count = 1000000")
    register.save(RegisteredId("here", RemoteKind.BATCH, "b"))
    assert register.get("here", RemoteKind.BATCH, "b") is not None
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
    assert IdRegistry(restored).get("here", RemoteKind.DATASET, "d")
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
