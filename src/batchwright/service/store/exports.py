"""Export jobs of batches (specification, Batches rule 9)."""

import sqlite3
from dataclasses import dataclass

from batchwright.service.store import ids
from batchwright.wire.exports import ExportStatus


@dataclass(frozen=True)
class StoredExport:
    """One export; `blob` is its archive once it is complete."""

    number: int
    id: str
    batch: int
    status: ExportStatus
    fault: str | None
    """Why it has failed."""
    blob: str | None
    created_at: int
    updated_at: int


def add(connection: sqlite3.Connection, batch: int, now: int) -> StoredExport:
    """Make an export that is yet to be generated."""
    id = ids.new_id()
    connection.execute(
        "INSERT INTO export (id, batch, status, created_at, updated_at) VALUES (?, ?, ?, ?, ?)",
        (id, batch, ExportStatus.GENERATING, now, now),
    )
    return _stored(connection.execute(f"{_SELECT} WHERE id = ?", (id,)).fetchone())


def find(connection: sqlite3.Connection, id: str) -> StoredExport | None:
    """The export of that id."""
    row = connection.execute(f"{_SELECT} WHERE id = ?", (id.lower(),)).fetchone()
    return _stored(row) if row else None


def get(connection: sqlite3.Connection, number: int) -> StoredExport:
    """The export of that number, which is known to be there."""
    return _stored(connection.execute(f"{_SELECT} WHERE number = ?", (number,)).fetchone())


def newest(connection: sqlite3.Connection, batch: int) -> StoredExport | None:
    """The export of a batch that was asked for last."""
    row = connection.execute(f"{_SELECT} WHERE batch = ? ORDER BY number DESC LIMIT 1", (batch,)).fetchone()
    return _stored(row) if row else None


def finish(connection: sqlite3.Connection, number: int, blob: str, now: int) -> None:
    """Note that the archive is there."""
    connection.execute(
        "UPDATE export SET status = ?, blob = ?, updated_at = ? WHERE number = ?",
        (ExportStatus.COMPLETE, blob, now, number),
    )


def fail(connection: sqlite3.Connection, number: int, reason: str, now: int) -> None:
    """Note that there will be no archive, and why; another export may be asked for."""
    connection.execute(
        "UPDATE export SET status = ?, fault = ?, updated_at = ? WHERE number = ?",
        (ExportStatus.FAILED, reason, now, number),
    )


def _stored(row: sqlite3.Row) -> StoredExport:
    values = dict(row)
    return StoredExport(status=ExportStatus(values.pop("status")), **values)


_SELECT = "SELECT number, id, batch, status, fault, blob, created_at, updated_at FROM export"
