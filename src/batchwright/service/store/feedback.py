"""Feedback files about completed studies (specification, Submission feedback upload)."""

import sqlite3
from dataclasses import dataclass


@dataclass(frozen=True)
class StoredFeedback:
    """One feedback file; `blob` is None until it is uploaded."""

    row_id: int
    workspace_id: str
    filename: str
    blob: str | None
    size: int | None


def add(connection: sqlite3.Connection, workspace_id: str, filename: str, now: int) -> StoredFeedback:
    """Create the row of a file that is to be uploaded."""
    row_id = connection.execute(
        "INSERT INTO feedback (workspace_id, filename, created_at, updated_at) VALUES (?, ?, ?, ?)",
        (workspace_id, filename, now, now),
    ).lastrowid
    return StoredFeedback(row_id or 0, workspace_id, filename, None, None)


def find(connection: sqlite3.Connection, row_id: int) -> StoredFeedback | None:
    """The file with a row id."""
    row = connection.execute(
        "SELECT number, workspace_id, filename, blob, size FROM feedback WHERE number = ?", (row_id,)
    ).fetchone()
    return StoredFeedback(*row) if row else None


def mark_uploaded(connection: sqlite3.Connection, row_id: int, blob: str, size: int, now: int) -> None:
    """Record that the file was uploaded; it replaces an earlier one."""
    connection.execute(
        "UPDATE feedback SET blob = ?, size = ?, updated_at = ? WHERE number = ?", (blob, size, now, row_id)
    )
