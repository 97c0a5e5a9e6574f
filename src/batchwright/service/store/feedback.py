"""Feedback files about completed studies (specification, Submission feedback upload)."""

import sqlite3
from dataclasses import dataclass


@dataclass(frozen=True)
class StoredFeedback:
    """One feedback file; `blob` is None until it has arrived."""

    number: int
    workspace_id: str
    filename: str
    blob: str | None
    size: int | None


def add(connection: sqlite3.Connection, workspace_id: str, filename: str, now: int) -> StoredFeedback:
    """Make a place for a file."""
    number = connection.execute(
        "INSERT INTO feedback (workspace_id, filename, created_at, updated_at) VALUES (?, ?, ?, ?)",
        (workspace_id, filename, now, now),
    ).lastrowid
    return StoredFeedback(number or 0, workspace_id, filename, None, None)


def find(connection: sqlite3.Connection, number: int) -> StoredFeedback | None:
    """The file of that number."""
    row = connection.execute(
        "SELECT number, workspace_id, filename, blob, size FROM feedback WHERE number = ?", (number,)
    ).fetchone()
    return StoredFeedback(*row) if row else None


def mark_uploaded(connection: sqlite3.Connection, number: int, blob: str, size: int, now: int) -> None:
    """Note that the file has arrived; one that arrived before gives way to it."""
    connection.execute(
        "UPDATE feedback SET blob = ?, size = ?, updated_at = ? WHERE number = ?", (blob, size, now, number)
    )
