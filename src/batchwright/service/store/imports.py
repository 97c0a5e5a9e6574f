"""Import jobs of V4 datasets, and how far each has come (specification, Import job status)."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from batchwright.base.json_values import Json, JsonObject, is_array, is_object, parse, to_json
from batchwright.service.store import ids
from batchwright.wire.imports import ImportStatus

MOST_ERRORS = 1000
"""The most rejected records that are kept with their reason; the count goes on (wire.md 4.6)."""


@dataclass(frozen=True)
class StoredImport:
    """One import; the counts say how far it has come, and are final once it has ended."""

    number: int
    id: str
    dataset: int
    filename: str
    content_type: str
    blob: str | None
    status: ImportStatus
    created_at: int
    updated_at: int
    first_position: int | None
    accepted_count: int
    rejected_count: int
    errors: Sequence[JsonObject]
    reason: str | None


def add(
    connection: sqlite3.Connection, *, dataset: int, filename: str, content_type: str, now: int
) -> StoredImport:
    """Make an import that waits for its file."""
    id = ids.new_id()
    connection.execute(
        "INSERT INTO import (id, dataset, filename, content_type, status, created_at, updated_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (id, dataset, filename, content_type, ImportStatus.UNINITIALISED, now, now),
    )
    return _stored(connection.execute(f"{_SELECT} WHERE id = ?", (id,)).fetchone())


def find(connection: sqlite3.Connection, id: str) -> StoredImport | None:
    """The import of that id."""
    row = connection.execute(f"{_SELECT} WHERE id = ?", (id.lower(),)).fetchone()
    return _stored(row) if row else None


def get(connection: sqlite3.Connection, number: int) -> StoredImport:
    """The import of that number, which is known to be there."""
    return _stored(connection.execute(f"{_SELECT} WHERE number = ?", (number,)).fetchone())


def of_dataset(connection: sqlite3.Connection, dataset: int) -> list[StoredImport]:
    """All imports of a dataset, the newest first."""
    rows = connection.execute(f"{_SELECT} WHERE dataset = ? ORDER BY number DESC", (dataset,))
    return [_stored(row) for row in rows]


def newest_filename(connection: sqlite3.Connection, dataset: int) -> str:
    """The file name of the newest import; "" when there is none (wire.md 5.1)."""
    row = connection.execute(
        "SELECT filename FROM import WHERE dataset = ? ORDER BY number DESC LIMIT 1", (dataset,)
    ).fetchone()
    return str(row[0]) if row else ""


def is_running(connection: sqlite3.Connection, dataset: int) -> bool:
    """Whether a file of this dataset is being taken in, or waits to be."""
    return _any(connection, dataset, ImportStatus.QUEUED) or _any(
        connection, dataset, ImportStatus.PROCESSING
    )


def any_complete(connection: sqlite3.Connection, dataset: int) -> bool:
    """Whether one import is `complete`, which a setup asks for (Batches rule 4)."""
    return _any(connection, dataset, ImportStatus.COMPLETE)


def mark_uploaded(
    connection: sqlite3.Connection, number: int, blob: str, status: ImportStatus, now: int
) -> None:
    """Note that the file has arrived."""
    connection.execute(
        "UPDATE import SET blob = ?, status = ?, updated_at = ? WHERE number = ?", (blob, status, now, number)
    )


def begin(connection: sqlite3.Connection, number: int, first_position: int, now: int) -> None:
    """Start taking the file in; one that was begun before keeps where its datapoints start."""
    connection.execute(
        "UPDATE import SET status = ?, first_position = coalesce(first_position, ?),"
        " accepted_count = coalesce(accepted_count, 0), rejected_count = coalesce(rejected_count, 0),"
        " updated_at = ? WHERE number = ?",
        (ImportStatus.PROCESSING, first_position, now, number),
    )


def advance(
    connection: sqlite3.Connection,
    number: int,
    *,
    accepted: int,
    rejected: int,
    errors: Sequence[Json],
    now: int,
) -> None:
    """Note how far the import has come; in the transaction that writes the datapoints."""
    connection.execute(
        "UPDATE import SET accepted_count = ?, rejected_count = ?, errors = ?, updated_at = ?"
        " WHERE number = ?",
        (accepted, rejected, to_json(errors), now, number),
    )


def finish(
    connection: sqlite3.Connection, number: int, status: ImportStatus, now: int, reason: str | None = None
) -> None:
    """End an import, for good."""
    connection.execute(
        "UPDATE import SET status = ?, reason = ?, updated_at = ? WHERE number = ?",
        (status, reason, now, number),
    )


def _any(connection: sqlite3.Connection, dataset: int, status: ImportStatus) -> bool:
    row = connection.execute(
        "SELECT 1 FROM import WHERE dataset = ? AND status = ? LIMIT 1", (dataset, status)
    ).fetchone()
    return row is not None


def _stored(row: sqlite3.Row) -> StoredImport:
    values = dict(row)
    errors = parse(values.pop("errors") or "[]")
    return StoredImport(
        status=ImportStatus(values.pop("status")),
        accepted_count=values.pop("accepted_count") or 0,
        rejected_count=values.pop("rejected_count") or 0,
        errors=[one for one in errors if is_object(one)] if is_array(errors) else [],
        **values,
    )


_SELECT = (
    "SELECT number, id, dataset, filename, content_type, blob, status, created_at, updated_at,"
    " first_position, accepted_count, rejected_count, errors, reason FROM import"
)
