"""Schema migrations, and the datapoints they bring to another version (specification, Datasets rule 4)."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import starmap

from batchwright.base.json_values import Json, JsonObject, is_array, is_object, parse, to_json
from batchwright.service.store import ids
from batchwright.wire.migrations import MigrationStatus

MOST_ERRORS = 10_000
"""The most nulled values that are kept with their reason; the counts go on."""


@dataclass(frozen=True)
class StoredMigration:
    """One migration; the counts say how far it has come, and are final once it has ended."""

    number: int
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
    """What becomes of a datapoint: its record before and after, as JSON text."""

    position: int
    before: str
    after: str


def add(connection: sqlite3.Connection, *, dataset: int, version: int, now: int) -> StoredMigration:
    """Make a migration; it is `processing` from the start (wire.md 4.10)."""
    id = ids.new_id()
    connection.execute(
        "INSERT INTO migration (id, dataset, version, status, created_at, updated_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (id, dataset, version, MigrationStatus.PROCESSING, now, now),
    )
    return _stored(connection.execute(f"{_SELECT} WHERE id = ?", (id,)).fetchone())


def find(connection: sqlite3.Connection, id: str) -> StoredMigration | None:
    """The migration of that id."""
    row = connection.execute(f"{_SELECT} WHERE id = ?", (id.lower(),)).fetchone()
    return _stored(row) if row else None


def get(connection: sqlite3.Connection, number: int) -> StoredMigration:
    """The migration of that number, which is known to be there."""
    return _stored(connection.execute(f"{_SELECT} WHERE number = ?", (number,)).fetchone())


def is_running(connection: sqlite3.Connection, dataset: int) -> bool:
    """Whether datapoints of this dataset are being migrated, or wait to be."""
    row = connection.execute(
        "SELECT 1 FROM migration WHERE dataset = ? AND status = ? LIMIT 1",
        (dataset, MigrationStatus.PROCESSING),
    ).fetchone()
    return row is not None


def below(
    connection: sqlite3.Connection, dataset: int, version: int, first: int, end: int
) -> Iterator[OutdatedDatapoint]:
    """The datapoints from one position up to another that are below a version.

    Each may be renewed as soon as it is given out: all of them need never be in memory.
    """
    rows = connection.execute(
        "SELECT position, record FROM datapoint"
        " WHERE dataset = ? AND position >= ? AND position < ? AND version < ? ORDER BY position",
        (dataset, first, end, version),
    )
    return starmap(OutdatedDatapoint, rows)


def write_migrated(
    connection: sqlite3.Connection, dataset: int, version: int, renewed: Iterable[MigratedDatapoint]
) -> None:
    """Write records in the form of a version; what they were before is kept for tasks that show it."""
    for one in renewed:
        connection.execute(
            "UPDATE datapoint SET record = ?, version = ? WHERE dataset = ? AND position = ?",
            (one.after, version, dataset, one.position),
        )
        if one.after != one.before:
            connection.execute(
                "INSERT INTO datapoint_before (dataset, position, version, record) VALUES (?, ?, ?, ?)",
                (dataset, one.position, version, one.before),
            )


def advance(
    connection: sqlite3.Connection,
    number: int,
    *,
    position: int,
    reprocessed: int,
    failed: int,
    errors: Sequence[Json],
    now: int,
) -> None:
    """Note how far a migration has come; in the transaction that writes the datapoints."""
    connection.execute(
        "UPDATE migration SET position = ?, reprocessed_count = ?, failed_count = ?, errors = ?,"
        " updated_at = ? WHERE number = ?",
        (position, reprocessed, failed, to_json(errors), now, number),
    )


def finish(
    connection: sqlite3.Connection, number: int, status: MigrationStatus, now: int, reason: str | None = None
) -> None:
    """End a migration, for good."""
    connection.execute(
        "UPDATE migration SET status = ?, reason = ?, updated_at = ? WHERE number = ?",
        (status, reason, now, number),
    )


def roll_back(connection: sqlite3.Connection, dataset: int, version: int, first: int, end: int) -> None:
    """Give the datapoints from one position up to another the record of the version before."""
    places = {"dataset": dataset, "version": version, "first": first, "end": end}
    connection.execute(
        "UPDATE datapoint AS d SET version = :version - 1, record = coalesce("
        " (SELECT record FROM datapoint_before WHERE dataset = d.dataset AND position = d.position"
        " AND version = d.version), record)"
        " WHERE dataset = :dataset AND position >= :first AND position < :end AND version = :version",
        places,
    )
    connection.execute(
        "DELETE FROM datapoint_before"
        " WHERE dataset = :dataset AND position >= :first AND position < :end AND version = :version",
        places,
    )


def _stored(row: sqlite3.Row) -> StoredMigration:
    values = dict(row)
    errors = parse(values.pop("errors"))
    return StoredMigration(
        status=MigrationStatus(values.pop("status")),
        errors=[one for one in errors if is_object(one)] if is_array(errors) else [],
        **values,
    )


_SELECT = (
    "SELECT number, id, dataset, version, status, created_at, updated_at, position, reprocessed_count,"
    " failed_count, errors, reason FROM migration"
)
