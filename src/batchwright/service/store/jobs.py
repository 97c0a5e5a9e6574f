"""The job table: what the worker has yet to do. A job that is done is gone.

Jobs of one lane run one after another, in the order they were added; a job that is interrupted
stays in the table and is taken again.
"""

import sqlite3
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from batchwright.base.json_values import JsonObject, is_object, parse, to_json


class StoredJobKind(StrEnum):
    """What there is to do."""

    IMPORT = "import"
    V3_IMPORT = "v3_import"
    SETUP = "setup"
    EXPORT = "export"
    SYNC = "sync"
    MIGRATION = "migration"


@dataclass(frozen=True)
class StoredJob:
    """One thing to do; `subject` is the number of the import, batch, export, sync or migration.

    `detail` holds what was asked for, as it stood when the job was accepted.
    """

    number: int
    kind: StoredJobKind
    subject: int
    attempts: int
    detail: JsonObject


def dataset_lane(dataset: int) -> str:
    """The lane of everything that writes datapoints of a dataset."""
    return f"dataset {dataset}"


def batch_lane(batch: int) -> str:
    """The lane of everything that writes tasks of a batch."""
    return f"batch {batch}"


def export_lane(export: int) -> str:
    """The lane of one export: it may come before any other job, or behind it."""
    return f"export {export}"


def add(
    connection: sqlite3.Connection,
    kind: StoredJobKind,
    *,
    lane: str,
    subject: int,
    now: int,
    detail: JsonObject = MappingProxyType({}),
) -> None:
    """Add a job at the end of its lane."""
    connection.execute(
        "INSERT INTO job (kind, lane, subject, detail, due_at) VALUES (?, ?, ?, ?, ?)",
        (kind, lane, subject, to_json(detail), now),
    )


def add_in_place(
    connection: sqlite3.Connection,
    kind: StoredJobKind,
    *,
    lane: str,
    subject: int,
    now: int,
    detail: JsonObject,
) -> None:
    """Add a job at the end of its lane in place of the one of this kind and subject, if there is one.

    It gets a new number, so that a worker which is doing the old job finds it gone (`is_pending`).
    """
    connection.execute(
        "INSERT INTO job (kind, lane, subject, detail, due_at) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (kind, subject) DO UPDATE SET number = (SELECT max(number) + 1 FROM job),"
        " detail = excluded.detail, due_at = excluded.due_at, attempts = 0",
        (kind, lane, subject, to_json(detail), now),
    )


def is_pending(connection: sqlite3.Connection, number: int) -> bool:
    """Whether a job still has to be done: nothing has been put in its place."""
    return connection.execute("SELECT 1 FROM job WHERE number = ?", (number,)).fetchone() is not None


def next_due(connection: sqlite3.Connection, now: int) -> StoredJob | None:
    """The oldest job that is due, among the first of each lane."""
    row = connection.execute(
        "SELECT number, kind, subject, attempts, detail FROM job"
        " WHERE number IN (SELECT min(number) FROM job GROUP BY lane) AND due_at <= ?"
        " ORDER BY due_at, number LIMIT 1",
        (now,),
    ).fetchone()
    if row is None:
        return None
    number, kind, subject, attempts, detail = row
    asked = parse(detail)
    return StoredJob(number, StoredJobKind(kind), subject, attempts, asked if is_object(asked) else {})


def next_due_at(connection: sqlite3.Connection) -> int | None:
    """When the next job falls due; None when there is none."""
    row = connection.execute(
        "SELECT min(due_at) FROM job WHERE number IN (SELECT min(number) FROM job GROUP BY lane)"
    ).fetchone()
    due: int | None = row[0]
    return due


def begin(connection: sqlite3.Connection, number: int) -> None:
    """Count an attempt; `reset_attempts` takes the count back."""
    connection.execute("UPDATE job SET attempts = attempts + 1 WHERE number = ?", (number,))


def reset_attempts(connection: sqlite3.Connection, number: int) -> None:
    """Note that this attempt got somewhere, so that what interrupts it is not held against the job."""
    connection.execute("UPDATE job SET attempts = 0 WHERE number = ?", (number,))


def postpone(connection: sqlite3.Connection, number: int, due_at: int) -> None:
    """Try again later."""
    connection.execute("UPDATE job SET due_at = ? WHERE number = ?", (due_at, number))


def reset_delays(connection: sqlite3.Connection, now: int) -> None:
    """Let nothing wait any longer: what a worker put off, its successor tries at once."""
    connection.execute("UPDATE job SET due_at = min(due_at, ?)", (now,))


def done(connection: sqlite3.Connection, number: int) -> None:
    """Take a job out of the table; in the same transaction as what it leads to."""
    connection.execute("DELETE FROM job WHERE number = ?", (number,))
