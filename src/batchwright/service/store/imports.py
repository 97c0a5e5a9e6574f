"""Imports of datasets and their progress (specification, Import job status)."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from batchwright.base.json_values import Json, JsonObject, is_array, is_object, parse, to_json
from batchwright.service.store import ids
from batchwright.wire.imports import ImportStatus

MAX_ERRORS = 1000
"""The most rejected records stored with their reason; all are counted (wire reference, section 4.6)."""


@dataclass(frozen=True)
class StoredImport:
    """One import; its counts are final once it has ended."""

    row_id: int
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
    """Create an import that waits for its file."""
    id = ids.new_id()
    connection.execute(
        "INSERT INTO import (id, dataset, filename, content_type, status, created_at, updated_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (id, dataset, filename, content_type, ImportStatus.UNINITIALISED, now, now),
    )
    return _stored(connection.execute(f"{_SELECT} WHERE id = ?", (id,)).fetchone())


def find(connection: sqlite3.Connection, id: str) -> StoredImport | None:
    """The import with an id."""
    row = connection.execute(f"{_SELECT} WHERE id = ?", (id.lower(),)).fetchone()
    return _stored(row) if row else None


def get(connection: sqlite3.Connection, row_id: int) -> StoredImport:
    """The import with a row id, which must exist."""
    return _stored(connection.execute(f"{_SELECT} WHERE number = ?", (row_id,)).fetchone())


def of_dataset(connection: sqlite3.Connection, dataset: int) -> list[StoredImport]:
    """All imports of a dataset, the newest first."""
    rows = connection.execute(f"{_SELECT} WHERE dataset = ? ORDER BY number DESC", (dataset,))
    return [_stored(row) for row in rows]


def newest_filename(connection: sqlite3.Connection, dataset: int) -> str:
    """The file name of the newest import; "" if there is none (wire reference, section 5.1)."""
    row = connection.execute(
        "SELECT filename FROM import WHERE dataset = ? ORDER BY number DESC LIMIT 1", (dataset,)
    ).fetchone()
    return str(row[0]) if row else ""


def is_running(connection: sqlite3.Connection, dataset: int) -> bool:
    """Whether an import of this dataset is running or queued."""
    return _any(connection, dataset, ImportStatus.QUEUED) or _any(
        connection, dataset, ImportStatus.PROCESSING
    )


def any_complete(connection: sqlite3.Connection, dataset: int) -> bool:
    """Whether an import is `complete`, which a setup requires (Batches rule 4)."""
    return _any(connection, dataset, ImportStatus.COMPLETE)


def mark_uploaded(
    connection: sqlite3.Connection, row_id: int, blob: str, status: ImportStatus, now: int
) -> None:
    """Record that the file was uploaded."""
    connection.execute(
        "UPDATE import SET blob = ?, status = ?, updated_at = ? WHERE number = ?", (blob, status, now, row_id)
    )


def start(connection: sqlite3.Connection, row_id: int, first_position: int, now: int) -> None:
    """Start an import; a resumed one keeps the position of its first datapoint."""
    connection.execute(
        "UPDATE import SET status = ?, first_position = coalesce(first_position, ?),"
        " accepted_count = coalesce(accepted_count, 0), rejected_count = coalesce(rejected_count, 0),"
        " updated_at = ? WHERE number = ?",
        (ImportStatus.PROCESSING, first_position, now, row_id),
    )


def advance(
    connection: sqlite3.Connection,
    row_id: int,
    *,
    accepted: int,
    rejected: int,
    errors: Sequence[Json],
    now: int,
) -> None:
    """Record the progress of an import, in the transaction that writes its datapoints."""
    connection.execute(
        "UPDATE import SET accepted_count = ?, rejected_count = ?, errors = ?, updated_at = ?"
        " WHERE number = ?",
        (accepted, rejected, to_json(errors), now, row_id),
    )


def finish(
    connection: sqlite3.Connection, row_id: int, status: ImportStatus, now: int, reason: str | None = None
) -> None:
    """End an import."""
    connection.execute(
        "UPDATE import SET status = ?, reason = ?, updated_at = ? WHERE number = ?",
        (status, reason, now, row_id),
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
        errors=[error for error in errors if is_object(error)] if is_array(errors) else [],
        **values,
    )


_SELECT = (
    "SELECT number AS row_id, id, dataset, filename, content_type, blob, status, created_at, updated_at,"
    " first_position, accepted_count, rejected_count, errors, reason FROM import"
)
