"""The instructions of batches without a layout (specification, Instructions)."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from batchwright.base.json_values import DEEPEST_WRAPPED, JsonObject, is_object, parse, to_json
from batchwright.service.store import ids


@dataclass(frozen=True)
class StoredInstruction:
    """One instruction; `content` has its attributes except the id."""

    id: str
    created_at: int
    created_by: str
    content: JsonObject


def of_batch(connection: sqlite3.Connection, batch: int) -> list[StoredInstruction]:
    """The instructions of a batch, in order."""
    rows = connection.execute(
        "SELECT id, created_at, created_by, content FROM instruction WHERE batch = ? ORDER BY place", (batch,)
    )
    return [_stored(row) for row in rows]


def replace(connection: sqlite3.Connection, batch: int, instructions: Iterable[StoredInstruction]) -> None:
    """Replace the instructions of a batch."""
    connection.execute("DELETE FROM instruction WHERE batch = ?", (batch,))
    connection.executemany(
        "INSERT INTO instruction (id, batch, place, content, created_at, created_by)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (
            (
                instruction.id,
                batch,
                position,
                to_json(instruction.content),
                instruction.created_at,
                instruction.created_by,
            )
            for position, instruction in enumerate(instructions)
        ),
    )


def copy(connection: sqlite3.Connection, batch: int, into: int, *, created_by: str, now: int) -> None:
    """Copy the instructions of a batch to another, with new ids."""
    copies = [
        StoredInstruction(ids.new_id(), now, created_by, instruction.content)
        for instruction in of_batch(connection, batch)
    ]
    replace(connection, into, copies)


def _stored(row: sqlite3.Row) -> StoredInstruction:
    content = parse(row["content"], DEEPEST_WRAPPED)
    return StoredInstruction(
        row["id"], row["created_at"], row["created_by"], content if is_object(content) else {}
    )
