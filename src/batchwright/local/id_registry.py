"""Registry of the ids of everything created or seen at a service, per connection.

A service lists batches and collections, but neither datasets nor test participants, and no imports and
exports by themselves: an id that is not stored is lost. So the ids in every response are stored before the
caller gets the response. If they cannot be stored, they wait for the next response, and the request does not
fail.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from batchwright.base.database import Connection, Database
from batchwright.base.json_values import Json
from batchwright.base.text import without_lone_surrogates
from batchwright.local.deleted_participants import deleted_since
from batchwright.wire.timestamps import from_milliseconds, to_milliseconds, write_timestamp


class RemoteKind(StrEnum):
    """Kinds of ids in the registry."""

    DATASET = "dataset"
    BATCH = "batch"
    COLLECTION = "collection"
    IMPORT = "import"
    EXPORT = "export"
    PARTICIPANT = "participant"
    """A test participant; its name is its e-mail address (wire reference, section 3.2)."""


@dataclass(frozen=True)
class RegisteredId:
    """A resource at a service: `parent_id` is the dataset of an import, or the batch of an export."""

    connection: str
    kind: RemoteKind
    id: str
    name: str = ""
    workspace_id: str | None = None
    parent_id: str | None = None
    was_made: bool = False
    """Whether this program created it, as opposed to having seen it only."""
    first_at: datetime | None = None
    """When it was first stored; set by the registry."""

    def as_json(self) -> dict[str, Json]:
        """The id as JSON, for an exported file."""
        first = None if self.first_at is None else write_timestamp(self.first_at)
        return {**vars(self), "first_at": first}


class IdRegistry:
    """The registry, in the program's database; call it off the event loop."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, *entries: RegisteredId) -> None:
        """Insert or update entries.

        `was_made` is never reset, and known values are not replaced with empty ones. A test participant who
        was deleted since is left out.

        Raises:
            StorageUnavailable: the disk is full, or another program locks the file; nothing was stored.
        """
        with self._database.write() as connection:
            connection.executemany(
                _UPSERT, (_row(entry) for entry in entries if not _is_deleted(connection, entry))
            )

    def all(self, connection: str, kind: RemoteKind | None = None) -> list[RegisteredId]:
        """The entries of a connection, of one kind or all kinds, newest first."""
        with self._database.read() as rows:
            result = rows.execute(
                f"{_SELECT} WHERE connection = ? AND (? IS NULL OR kind = ?) ORDER BY first_at DESC, id DESC",
                (connection, kind, kind),
            ).fetchall()
        return [_registered_id(row) for row in result]

    def exported(self) -> list[dict[str, Json]]:
        """The entries of all connections for a file; they contain no secrets."""
        with self._database.read() as rows:
            result = rows.execute(f"{_SELECT} ORDER BY connection, kind, first_at, id").fetchall()
        return [_registered_id(row).as_json() for row in result]


def remove_test_participant(connection: Connection, id: str) -> None:
    """Remove a test participant of any service, in a write transaction."""
    connection.execute("DELETE FROM known WHERE kind = ? AND id = ?", (RemoteKind.PARTICIPANT, id))


def _is_deleted(connection: Connection, entry: RegisteredId) -> bool:
    """Whether an entry is about a test participant who was deleted since the id was received."""
    if entry.kind is not RemoteKind.PARTICIPANT or entry.first_at is None:
        return False
    return bool(deleted_since(connection, (entry.id,), entry.first_at))


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


def _row(entry: RegisteredId) -> Mapping[str, object]:
    """The values to store; SQLite rejects lone surrogates, which a service may send."""
    texts = {
        name: without_lone_surrogates(value) for name, value in vars(entry).items() if isinstance(value, str)
    }
    return {**vars(entry), **texts, "first_at": to_milliseconds(entry.first_at or datetime.now(UTC))}


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
