"""Makes the database of a backup one of this data folder, before it replaces the present one."""

import sqlite3
from contextlib import closing
from pathlib import Path

from batchwright.base.database import Database
from batchwright.service.blobs import BlobKind
from batchwright.service.store import referenced_blobs, stored_data
from batchwright.wire.participant_digests import participant_digest

_OWNED = (
    ("dataset", "workspace_id", "workspace_id"),
    ("batch", "workspace_id", "workspace_id"),
    ("feedback", "workspace_id", "workspace_id"),
    ("dataset", "created_by", "user_id"),
    ("batch", "created_by", "user_id"),
    ("instruction", "created_by", "user_id"),
    ("collection", "last_modified_by", "user_id"),
    ("test_participant", "researcher", "user_id"),
)
"""Tables and columns with a value of the owner, and the name of the setting with it."""


def state_of_copy(path: Path) -> tuple[dict[BlobKind, list[str]], int]:
    """The stored files that a copy of the database refers to, and the number of its last deletion."""
    with closing(sqlite3.connect(path)) as connection:
        names = {kind: sorted(referenced_blobs.referenced(connection, kind)) for kind in BlobKind}
        return names, stored_data.last_deletion(connection)


def adopt(staged: Database, present: Database) -> int:
    """Give a backup the settings of this folder, and delete again what was deleted here on request.

    Workspace and user stay those of this folder, whose accounts, links and token the service knows.

    Returns:
        the number of participants who were deleted.
    """
    with present.read() as connection:
        settings = dict(connection.execute("SELECT name, value FROM setting").fetchall())
        deletions = stored_data.records(connection)
    with staged.write(durable=True) as connection:
        former = dict(connection.execute("SELECT name, value FROM setting").fetchall())
        for table, column, setting in _OWNED:
            connection.execute(
                f"UPDATE {table} SET {column} = ? WHERE {column} = ?",  # noqa: S608 - names of this module
                (settings[setting], former.get(setting)),
            )
        connection.execute("DELETE FROM setting")
        connection.executemany("INSERT INTO setting (name, value) VALUES (?, ?)", settings.items())
        known = {*stored_data.records(connection)}
        missing = [record for record in reversed(deletions) if record not in known]
        stored_data.add_records(connection, missing)
        return _delete_again(connection, missing)


def _delete_again(connection: sqlite3.Connection, records: list[stored_data.DeletionRecord]) -> int:
    studies = dict(connection.execute("SELECT number, id FROM batch").fetchall())
    people = connection.execute(
        "SELECT DISTINCT participant_id FROM submission UNION SELECT id FROM test_participant"
    ).fetchall()
    by_digest = {participant_digest(id): str(id) for (id,) in people}
    deleted = set[str]()
    for record in records:
        id = by_digest.get(record.digest or "")
        if id is not None:
            rows = {row for row, study in studies.items() if record.study_id in (None, study)}
            found = stored_data.delete_participant(connection, id, rows, record.deleted_at)
            had_account = record.study_id is None and stored_data.delete_test_participant(connection, id)
            if found.participants or had_account:
                deleted.add(id)
    return len(deleted)


def counts(connection: sqlite3.Connection) -> tuple[int, int]:
    """The number of studies and of answers."""
    (studies,) = connection.execute("SELECT count(*) FROM batch").fetchone()
    (answers,) = connection.execute("SELECT count(*) FROM response").fetchone()
    return int(studies), int(answers)
