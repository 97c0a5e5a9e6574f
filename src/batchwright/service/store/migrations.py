"""Schema migrations and the datapoints that they rewrite (specification, Datasets rule 4)."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import starmap

from batchwright.base.json_values import Json, JsonObject, is_array, is_object, parse, to_json
from batchwright.service.store import ids
from batchwright.wire.migrations import MigrationStatus

MAX_ERRORS = 10_000
"""The most cleared values stored with their reason; all are counted."""


@dataclass(frozen=True)
class StoredMigration:
    """One migration; its counts are final once it has ended."""

    row_id: int
    id: str
    dataset: int
    version: int
    status: MigrationStatus
    created_at: int
    updated_at: int
    position: int
    reprocessed_count: int
    failed_count: int
    errors: Sequence[JsonObject]
    reason: str | None


@dataclass(frozen=True)
class OutdatedDatapoint:
    """A datapoint below the target version."""

    position: int
    record: str


@dataclass(frozen=True)
class MigratedDatapoint:
    """A datapoint before and after a migration, as JSON text."""

    position: int
    before: str
    after: str


def add(connection: sqlite3.Connection, *, dataset: int, version: int, now: int) -> StoredMigration:
    """Create a migration, which is `processing` at once (wire reference, section 4.10)."""
    id = ids.new_id()
    connection.execute(
        "INSERT INTO migration (id, dataset, version, status, created_at, updated_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (id, dataset, version, MigrationStatus.PROCESSING, now, now),
    )
    return _stored(connection.execute(f"{_SELECT} WHERE id = ?", (id,)).fetchone())


def find(connection: sqlite3.Connection, id: str) -> StoredMigration | None:
    """The migration with an id."""
    row = connection.execute(f"{_SELECT} WHERE id = ?", (id.lower(),)).fetchone()
    return _stored(row) if row else None


def get(connection: sqlite3.Connection, row_id: int) -> StoredMigration:
    """The migration with a row id, which must exist."""
    return _stored(connection.execute(f"{_SELECT} WHERE number = ?", (row_id,)).fetchone())


def is_running(connection: sqlite3.Connection, dataset: int) -> bool:
    """Whether a migration of this dataset is running or queued."""
    row = connection.execute(
        "SELECT 1 FROM migration WHERE dataset = ? AND status = ? LIMIT 1",
        (dataset, MigrationStatus.PROCESSING),
    ).fetchone()
    return row is not None


def outdated(
    connection: sqlite3.Connection, dataset: int, version: int, first: int, end: int
) -> Iterator[OutdatedDatapoint]:
    """The datapoints with `first` <= position < `end` that are below a version.

    Each may be rewritten while this iterates, so that they need not all be in memory.
    """
    rows = connection.execute(
        "SELECT position, record FROM datapoint"
        " WHERE dataset = ? AND position >= ? AND position < ? AND version < ? ORDER BY position",
        (dataset, first, end, version),
    )
    return starmap(OutdatedDatapoint, rows)


def write_migrated(
    connection: sqlite3.Connection, dataset: int, version: int, migrated: Iterable[MigratedDatapoint]
) -> None:
    """Write migrated records; earlier ones that differ are kept for tasks that show them."""
    for datapoint in migrated:
        connection.execute(
            "UPDATE datapoint SET record = ?, version = ? WHERE dataset = ? AND position = ?",
            (datapoint.after, version, dataset, datapoint.position),
        )
        if datapoint.after != datapoint.before:
            connection.execute(
                "INSERT INTO datapoint_before (dataset, position, version, record) VALUES (?, ?, ?, ?)",
                (dataset, datapoint.position, version, datapoint.before),
            )


def advance(
    connection: sqlite3.Connection,
    row_id: int,
    *,
    position: int,
    reprocessed: int,
    failed: int,
    errors: Sequence[Json],
    now: int,
) -> None:
    """Record the progress of a migration, in the transaction that writes its datapoints."""
    connection.execute(
        "UPDATE migration SET position = ?, reprocessed_count = ?, failed_count = ?, errors = ?,"
        " updated_at = ? WHERE number = ?",
        (position, reprocessed, failed, to_json(errors), now, row_id),
    )


def finish(
    connection: sqlite3.Connection, row_id: int, status: MigrationStatus, now: int, reason: str | None = None
) -> None:
    """End a migration."""
    connection.execute(
        "UPDATE migration SET status = ?, reason = ?, updated_at = ? WHERE number = ?",
        (status, reason, now, row_id),
    )


def roll_back(connection: sqlite3.Connection, dataset: int, version: int, first: int, end: int) -> None:
    """Restore the previous records of the datapoints with `first` <= position < `end`."""
    values = {"dataset": dataset, "version": version, "first": first, "end": end}
    connection.execute(
        "UPDATE datapoint AS d SET version = :version - 1, record = coalesce("
        " (SELECT record FROM datapoint_before WHERE dataset = d.dataset AND position = d.position"
        " AND version = d.version), record)"
        " WHERE dataset = :dataset AND position >= :first AND position < :end AND version = :version",
        values,
    )
    connection.execute(
        "DELETE FROM datapoint_before"
        " WHERE dataset = :dataset AND position >= :first AND position < :end AND version = :version",
        values,
    )


def _stored(row: sqlite3.Row) -> StoredMigration:
    values = dict(row)
    errors = parse(values.pop("errors"))
    return StoredMigration(
        status=MigrationStatus(values.pop("status")),
        errors=[error for error in errors if is_object(error)] if is_array(errors) else [],
        **values,
    )


_SELECT = (
    "SELECT number AS row_id, id, dataset, version, status, created_at, updated_at, position,"
    " reprocessed_count, failed_count, errors, reason FROM migration"
)
