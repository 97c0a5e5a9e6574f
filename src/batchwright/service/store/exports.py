"""Export jobs of batches (specification, Batches rule 9)."""

import sqlite3
from dataclasses import dataclass

from batchwright.service.store import ids, jobs
from batchwright.service.store.jobs import StoredJobKind
from batchwright.wire.exports import ExportStatus


@dataclass(frozen=True)
class StoredExport:
    """One export; `blob` names its archive once it is complete."""

    row_id: int
    id: str
    batch: int
    status: ExportStatus
    reason: str | None
    """Why it failed."""
    blob: str | None
    created_at: int
    updated_at: int


def add(connection: sqlite3.Connection, batch: int, now: int) -> StoredExport:
    """Create an export."""
    id = ids.new_id()
    connection.execute(
        "INSERT INTO export (id, batch, status, created_at, updated_at) VALUES (?, ?, ?, ?, ?)",
        (id, batch, ExportStatus.GENERATING, now, now),
    )
    return _stored(connection.execute(f"{_SELECT} WHERE id = ?", (id,)).fetchone())


def find(connection: sqlite3.Connection, id: str) -> StoredExport | None:
    """The export with an id."""
    row = connection.execute(f"{_SELECT} WHERE id = ?", (id.lower(),)).fetchone()
    return _stored(row) if row else None


def get(connection: sqlite3.Connection, row_id: int) -> StoredExport:
    """The export with a row id, which must exist."""
    return _stored(connection.execute(f"{_SELECT} WHERE number = ?", (row_id,)).fetchone())


def newest(connection: sqlite3.Connection, batch: int) -> StoredExport | None:
    """The latest export of a batch."""
    row = connection.execute(f"{_SELECT} WHERE batch = ? ORDER BY number DESC LIMIT 1", (batch,)).fetchone()
    return _stored(row) if row else None


def finish(connection: sqlite3.Connection, row_id: int, blob: str, now: int) -> None:
    """Mark an export as complete."""
    connection.execute(
        "UPDATE export SET status = ?, blob = ?, updated_at = ? WHERE number = ?",
        (ExportStatus.COMPLETE, blob, now, row_id),
    )


def fail(connection: sqlite3.Connection, row_id: int, reason: str, now: int) -> None:
    """Mark an export as failed, without an archive; another one can be requested."""
    connection.execute(
        "UPDATE export SET status = ?, fault = ?, blob = NULL, updated_at = ? WHERE number = ?",
        (ExportStatus.FAILED, reason, now, row_id),
    )


def delete_of_batch(connection: sqlite3.Connection, batch: int, now: int) -> list[str]:
    """Delete the archives of a batch or collection, of which something is deleted; returns their blobs.

    Those that are being written start again.
    """
    rows = connection.execute("SELECT number, status, blob FROM export WHERE batch = ?", (batch,)).fetchall()
    for number, status, _blob in rows:
        if status == ExportStatus.GENERATING:
            lane = jobs.export_lane(number)
            jobs.add_in_place(connection, StoredJobKind.EXPORT, lane=lane, subject=number, now=now, detail={})
        else:
            connection.execute("DELETE FROM export WHERE number = ?", (number,))
    return [blob for _number, _status, blob in rows if blob]


def _stored(row: sqlite3.Row) -> StoredExport:
    values = dict(row)
    return StoredExport(status=ExportStatus(values.pop("status")), **values)


_SELECT = (
    "SELECT number AS row_id, id, batch, status, fault AS reason, blob, created_at, updated_at FROM export"
)
