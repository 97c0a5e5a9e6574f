"""The instructions of batches without a layout (specification, Instructions; wire.md 9)."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from batchwright.base.json_values import DEEPEST_WRAPPED, JsonObject, is_object, parse, to_json
from batchwright.service.store import ids


@dataclass(frozen=True)
class StoredInstruction:
    """One instruction; `content` is all that was said of it, but for its id."""

    id: str
    created_at: int
    created_by: str
    content: JsonObject


def of_batch(connection: sqlite3.Connection, batch: int) -> list[StoredInstruction]:
    """The instructions of a batch, in the order they are asked in."""
    rows = connection.execute(
        "SELECT id, created_at, created_by, content FROM instruction WHERE batch = ? ORDER BY place", (batch,)
    )
    return [_stored(row) for row in rows]


def replace(connection: sqlite3.Connection, batch: int, instructions: Iterable[StoredInstruction]) -> None:
    """Give a batch these instructions in place of those it has."""
    connection.execute("DELETE FROM instruction WHERE batch = ?", (batch,))
    connection.executemany(
        "INSERT INTO instruction (id, batch, place, content, created_at, created_by)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (
            (one.id, batch, place, to_json(one.content), one.created_at, one.created_by)
            for place, one in enumerate(instructions)
        ),
    )


def copy(connection: sqlite3.Connection, batch: int, into: int, *, created_by: str, now: int) -> None:
    """Give a batch the instructions of another, with ids of their own."""
    copies = [
        StoredInstruction(ids.new_id(), now, created_by, one.content) for one in of_batch(connection, batch)
    ]
    replace(connection, into, copies)


def _stored(row: sqlite3.Row) -> StoredInstruction:
    content = parse(row["content"], DEEPEST_WRAPPED)
    return StoredInstruction(
        row["id"], row["created_at"], row["created_by"], content if is_object(content) else {}
    )
