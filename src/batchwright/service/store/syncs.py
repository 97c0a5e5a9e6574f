"""Syncs, which add tasks to a batch for new datapoints (specification, Sync job)."""

import sqlite3
from dataclasses import dataclass

from batchwright.service.store import ids
from batchwright.wire.syncs import SyncStatus


@dataclass(frozen=True)
class StoredSync:
    """One sync; `first_task` and `first_group` are where it started, None after the next setup."""

    row_id: int
    id: str
    batch: int
    dataset: int
    status: SyncStatus
    created_at: int
    updated_at: int
    first_task: int | None
    first_group: int | None
    tasks_created: int
    groups_created: int
    groups_expanded: int
    reason: str | None


def add(connection: sqlite3.Connection, *, batch: int, dataset: int, now: int) -> StoredSync:
    """Create a queued sync."""
    id = ids.new_id()
    connection.execute(
        "INSERT INTO sync (id, batch, dataset, status, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
        (id, batch, dataset, SyncStatus.QUEUED, now, now),
    )
    return _stored(connection.execute(f"{_SELECT} WHERE id = ?", (id,)).fetchone())


def find(connection: sqlite3.Connection, id: str) -> StoredSync | None:
    """The sync with an id."""
    row = connection.execute(f"{_SELECT} WHERE id = ?", (id.lower(),)).fetchone()
    return _stored(row) if row else None


def get(connection: sqlite3.Connection, row_id: int) -> StoredSync:
    """The sync with a row id, which must exist."""
    return _stored(connection.execute(f"{_SELECT} WHERE number = ?", (row_id,)).fetchone())


def last_has_failed(connection: sqlite3.Connection, batch: int, dataset: int) -> bool:
    """Whether the latest sync of a batch was with this dataset and failed, after the latest setup."""
    row = connection.execute(
        "SELECT status = ? AND dataset = ? AND first_task IS NOT NULL FROM sync WHERE batch = ?"
        " ORDER BY number DESC LIMIT 1",
        (SyncStatus.FAILED, dataset, batch),
    ).fetchone()
    return bool(row and row[0])


def start(
    connection: sqlite3.Connection, row_id: int, *, first_task: int, first_group: int, now: int
) -> None:
    """Start a sync; a resumed one keeps its start positions."""
    connection.execute(
        "UPDATE sync SET status = ?, first_task = coalesce(first_task, ?),"
        " first_group = coalesce(first_group, ?), updated_at = ? WHERE number = ?",
        (SyncStatus.PROCESSING, first_task, first_group, now, row_id),
    )


def clear_start_positions(connection: sqlite3.Connection, batch: int) -> None:
    """Clear the start positions of the syncs of a batch: their tasks do not belong to the latest setup."""
    connection.execute("UPDATE sync SET first_task = NULL, first_group = NULL WHERE batch = ?", (batch,))


def complete(
    connection: sqlite3.Connection, row_id: int, *, tasks: int, groups: int, expanded: int, now: int
) -> None:
    """End a sync with the counts of what it created."""
    connection.execute(
        "UPDATE sync SET status = ?, tasks_created = ?, groups_created = ?, groups_expanded = ?,"
        " updated_at = ? WHERE number = ?",
        (SyncStatus.COMPLETE, tasks, groups, expanded, now, row_id),
    )


def fail(connection: sqlite3.Connection, row_id: int, reason: str, now: int) -> None:
    """End a sync as failed."""
    connection.execute(
        "UPDATE sync SET status = ?, reason = ?, updated_at = ? WHERE number = ?",
        (SyncStatus.FAILED, reason, now, row_id),
    )


def _stored(row: sqlite3.Row) -> StoredSync:
    values = dict(row)
    return StoredSync(status=SyncStatus(values.pop("status")), **values)


_SELECT = (
    "SELECT number AS row_id, id, batch, dataset, status, created_at, updated_at, first_task, first_group,"
    " tasks_created, groups_created, groups_expanded, reason FROM sync"
)
