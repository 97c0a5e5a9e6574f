"""Previews: pages stored for an hour so that a browser can show them.

A preview keeps what it was made from as JSON: `batch_items`, `page`, `schema`, `record` and `language`.
"""

import secrets
import sqlite3
from dataclasses import dataclass

from batchwright.base import json_values
from batchwright.base.json_values import JsonObject, is_object

LIFETIME = 60 * 60 * 1000
"""How long a preview can be opened, in milliseconds."""


@dataclass(frozen=True)
class StoredPreview:
    """One page with a record, and when it expires."""

    id: str
    content: JsonObject
    expires_at: int


def add(connection: sqlite3.Connection, content: JsonObject, now: int) -> StoredPreview:
    """Store a page for an hour, and delete expired ones."""
    preview = StoredPreview(secrets.token_urlsafe(24), content, now + LIFETIME)
    delete_expired(connection, now)
    connection.execute(
        "INSERT INTO preview (id, page, expires_at) VALUES (?, ?, ?)",
        (preview.id, json_values.to_json(content), preview.expires_at),
    )
    return preview


def delete_expired(connection: sqlite3.Connection, now: int) -> None:
    """Delete the previews that can no longer be opened."""
    connection.execute("DELETE FROM preview WHERE expires_at <= ?", (now,))


def delete_all(connection: sqlite3.Connection) -> None:
    """Delete all previews: which of them show records that are being deleted is not known."""
    connection.execute("DELETE FROM preview")


def find(connection: sqlite3.Connection, id: str, now: int) -> StoredPreview | None:
    """The preview with an id; None if it does not exist or has expired."""
    row = connection.execute(
        "SELECT id, page, expires_at FROM preview WHERE id = ? AND expires_at > ?", (id, now)
    ).fetchone()
    if row is None:
        return None
    content = json_values.parse(row[1], json_values.DEEPEST_WRAPPED)
    return StoredPreview(row[0], content, row[2]) if is_object(content) else None
