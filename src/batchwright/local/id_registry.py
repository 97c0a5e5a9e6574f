"""The register: what was made or seen, datasets and test participants above all (design.md D16).

A service lists batches and collections, but neither datasets nor test participants, and imports and exports
not by themselves: an id not kept is lost for ever. So each is kept, per connection, from the moment the
answer arrives.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from batchwright.base.database import Database
from batchwright.base.json_values import Json
from batchwright.base.text import without_lone_surrogates
from batchwright.wire.timestamps import from_milliseconds, to_milliseconds, write_timestamp


class RemoteKind(StrEnum):
    """What the register knows."""

    DATASET = "dataset"
    BATCH = "batch"
    COLLECTION = "collection"
    IMPORT = "import"
    EXPORT = "export"
    PARTICIPANT = "participant"
    """One made for tests, under its address (wire.md 3.2)."""


@dataclass(frozen=True)
class RegisteredId:
    """One thing at a service: `parent_id` is the dataset of an import, the batch of an export."""

    connection: str
    kind: RemoteKind
    id: str
    name: str = ""
    workspace_id: str | None = None
    parent_id: str | None = None
    was_made: bool = False
    """Whether this program made it, or only saw it."""
    first_at: datetime | None = None
    """When it was first kept; set by the register."""

    def as_json(self) -> dict[str, Json]:
        """For a file that people keep or send."""
        first = None if self.first_at is None else write_timestamp(self.first_at)
        return {**vars(self), "first_at": first}


class IdRegistry:
    """What is known, kept in the program's database; call it off the event loop."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, *things: RegisteredId) -> None:
        """Keep things, or what is newly known about them; that one was made here is not forgotten.

        Raises:
            CannotKeep: the disk is full, or another program holds the file; nothing was kept.
        """
        with self._database.write() as connection:
            connection.executemany(_UPSERT, map(_row, things))

    def find(self, connection: str, kind: RemoteKind, id: str) -> RegisteredId | None:
        """One thing; None when it is not known."""
        with self._database.read() as rows:
            found = rows.execute(
                f"{_SELECT} WHERE connection = ? AND kind = ? AND id = ?",
                (connection, kind, without_lone_surrogates(id)),
            ).fetchone()
        return found and _registered_id(found)

    def all(self, connection: str, kind: RemoteKind | None = None) -> list[RegisteredId]:
        """Everything of a connection, of one kind or of all, the newest first."""
        with self._database.read() as rows:
            found = rows.execute(
                f"{_SELECT} WHERE connection = ? AND (? IS NULL OR kind = ?) ORDER BY first_at DESC, id DESC",
                (connection, kind, kind),
            ).fetchall()
        return [_registered_id(row) for row in found]

    def exported(self) -> list[dict[str, Json]]:
        """Everything of every connection, for a file that people keep or send; no secret is among it."""
        with self._database.read() as rows:
            found = rows.execute(f"{_SELECT} ORDER BY connection, kind, first_at, id").fetchall()
        return [_registered_id(row).as_json() for row in found]


_SELECT = "SELECT connection, kind, id, name, workspace_id, parent_id, was_made, first_at FROM known"

_UPSERT = """
INSERT INTO known (connection, kind, id, name, workspace_id, parent_id, was_made, first_at)
VALUES (:connection, :kind, :id, :name, :workspace_id, :parent_id, :was_made, :first_at)
ON CONFLICT DO UPDATE SET
    name = coalesce(nullif(excluded.name, ''), name),
    workspace_id = coalesce(excluded.workspace_id, workspace_id),
    parent_id = coalesce(excluded.parent_id, parent_id),
    was_made = max(excluded.was_made, was_made)
"""


def _row(known: RegisteredId) -> Mapping[str, object]:
    """What is stored; SQLite takes no half characters, which a service may send."""
    texts = {
        name: without_lone_surrogates(value) for name, value in vars(known).items() if isinstance(value, str)
    }
    return {**vars(known), **texts, "first_at": to_milliseconds(known.first_at or datetime.now(UTC))}


def _registered_id(row: Mapping[str, Any]) -> RegisteredId:
    return RegisteredId(
        connection=row["connection"],
        kind=RemoteKind(row["kind"]),
        id=row["id"],
        name=row["name"],
        workspace_id=row["workspace_id"],
        parent_id=row["parent_id"],
        was_made=bool(row["was_made"]),
        first_at=from_milliseconds(row["first_at"]),
    )
