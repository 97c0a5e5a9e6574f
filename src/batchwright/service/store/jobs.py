"""The job table of the worker. A finished job is deleted; an interrupted one stays and is resumed.

Jobs of one lane run one after another, in the order they were added.
"""

import sqlite3
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from batchwright.base.json_values import JsonObject, is_object, parse, to_json


class StoredJobKind(StrEnum):
    """The kind of a job."""

    IMPORT = "import"
    V3_IMPORT = "v3_import"
    SETUP = "setup"
    EXPORT = "export"
    SYNC = "sync"
    MIGRATION = "migration"


@dataclass(frozen=True)
class StoredJob:
    """One job; `subject` is the row id of its import, batch, export, sync or migration.

    `detail` contains the request as it was accepted.
    """

    row_id: int
    kind: StoredJobKind
    subject: int
    attempts: int
    detail: JsonObject


def dataset_lane(dataset: int) -> str:
    """The lane of jobs that write datapoints of a dataset."""
    return f"dataset {dataset}"


def batch_lane(batch: int) -> str:
    """The lane of jobs that write tasks of a batch."""
    return f"batch {batch}"


def export_lane(export: int) -> str:
    """The lane of one export, which is independent of all other jobs."""
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
    """Add a job at the end of its lane, replacing the one of the same kind and subject if there is one.

    It gets a new number, so that a worker which runs the old job can detect that (`is_pending`).
    """
    connection.execute(
        "INSERT INTO job (kind, lane, subject, detail, due_at) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (kind, subject) DO UPDATE SET number = (SELECT max(number) + 1 FROM job),"
        " detail = excluded.detail, due_at = excluded.due_at, attempts = 0",
        (kind, lane, subject, to_json(detail), now),
    )


def lanes(connection: sqlite3.Connection) -> set[str]:
    """The lanes of jobs that have not ended."""
    return {lane for (lane,) in connection.execute("SELECT DISTINCT lane FROM job")}


def delete_lane(connection: sqlite3.Connection, lane: str) -> None:
    """Delete the jobs of a lane, because what they write to is deleted."""
    connection.execute("DELETE FROM job WHERE lane = ?", (lane,))


def is_pending(connection: sqlite3.Connection, row_id: int) -> bool:
    """Whether a job is still in the table, and was not replaced."""
    return connection.execute("SELECT 1 FROM job WHERE number = ?", (row_id,)).fetchone() is not None


def next_due(connection: sqlite3.Connection, now: int, longest_pause: int) -> StoredJob | None:
    """The job that has been due longest, among the first jobs of each lane.

    A job that is due later than the longest pause from now was added while the clock was ahead: it is due.
    """
    row = connection.execute(
        "SELECT number, kind, subject, attempts, detail FROM job"
        " WHERE number IN (SELECT min(number) FROM job GROUP BY lane) AND (due_at <= ? OR due_at > ?)"
        " ORDER BY due_at, number LIMIT 1",
        (now, now + longest_pause),
    ).fetchone()
    if row is None:
        return None
    row_id, kind, subject, attempts, detail = row
    details = parse(detail)
    return StoredJob(row_id, StoredJobKind(kind), subject, attempts, details if is_object(details) else {})


def next_due_at(connection: sqlite3.Connection) -> int | None:
    """When the next job is due; None if there is none."""
    row = connection.execute(
        "SELECT min(due_at) FROM job WHERE number IN (SELECT min(number) FROM job GROUP BY lane)"
    ).fetchone()
    due: int | None = row[0]
    return due


def count_attempt(connection: sqlite3.Connection, row_id: int) -> None:
    """Count an attempt; `reset_attempts` resets the count."""
    connection.execute("UPDATE job SET attempts = attempts + 1 WHERE number = ?", (row_id,))


def reset_attempts(connection: sqlite3.Connection, row_id: int) -> None:
    """Record that the job made progress: only attempts without progress count."""
    connection.execute("UPDATE job SET attempts = 0 WHERE number = ?", (row_id,))


def postpone(connection: sqlite3.Connection, row_id: int, due_at: int) -> None:
    """Postpone a job."""
    connection.execute("UPDATE job SET due_at = ? WHERE number = ?", (due_at, row_id))


def reset_delays(connection: sqlite3.Connection, now: int) -> None:
    """Make every postponed job due, when a new worker starts."""
    connection.execute("UPDATE job SET due_at = min(due_at, ?)", (now,))


def delete(connection: sqlite3.Connection, row_id: int) -> None:
    """Delete a finished job, in the transaction that stores its result."""
    connection.execute("DELETE FROM job WHERE number = ?", (row_id,))
