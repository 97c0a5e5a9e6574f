"""Feedback files that were sent, and those to be sent: what, when, where to (design.md 5, Feedback)."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from batchwright.base.database import Database
from batchwright.base.text import without_lone_surrogates
from batchwright.wire.timestamps import from_milliseconds, to_milliseconds


@dataclass(frozen=True)
class SentFile:
    """One file that has arrived; `size` in bytes."""

    name: str
    size: int
    connection: str
    workspace_id: str
    sent_at: datetime


@dataclass(frozen=True)
class QueuedFile:
    """One file that is to be sent to a connection; `size` in bytes."""

    row_id: int
    path: Path
    size: int
    connection: str


_RUN = uuid4().hex
"""Tells this run of the program from others."""


class SentFiles:
    """History and queue of feedback files in the program's database; call it off the event loop."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self, name: str, size: int, connection: str, workspace_id: str, row_id: int | None = None
    ) -> SentFile:
        """Store that a file has arrived just now, and that the one queued as `row_id` need not be sent."""
        name = without_lone_surrogates(name)
        sent = SentFile(name, size, connection, workspace_id, datetime.now(UTC))
        with self._database.write() as rows:
            rows.execute(
                "INSERT INTO sent_file (connection, workspace_id, name, size, sent_at) "
                "VALUES (?, ?, ?, ?, ?)",
                (
                    connection,
                    workspace_id,
                    name,
                    size,
                    to_milliseconds(sent.sent_at),
                ),
            )
            rows.execute(_DEQUEUE, (row_id,))
        return sent

    def latest(self, limit: int = 200) -> list[SentFile]:
        """The files sent, the latest first."""
        with self._database.read() as rows:
            found = rows.execute("SELECT * FROM sent_file ORDER BY number DESC LIMIT ?", (limit,)).fetchall()
        return [
            SentFile(
                row["name"],
                row["size"],
                row["connection"],
                row["workspace_id"],
                from_milliseconds(row["sent_at"]),
            )
            for row in found
        ]

    def enqueue(self, files: Iterable[tuple[str, Path, int]]) -> list[int]:
        """Store that files are to be sent by this run: connection, path and size; returns their row ids."""
        values = [(connection, os.fsencode(path.absolute()), size, _RUN) for connection, path, size in files]
        with self._database.write() as rows:
            return [rows.execute(_ENQUEUE, one).fetchone()["number"] for one in values]

    def dequeue(self, row_ids: Iterable[int]) -> None:
        """Forget files that are not to be sent any more."""
        with self._database.write() as rows:
            rows.executemany(_DEQUEUE, [(row_id,) for row_id in row_ids])

    def take_interrupted(self) -> list[QueuedFile]:
        """The files that another run was to send and did not; from now on they belong to this one."""
        with self._database.write() as rows:
            found = rows.execute(_INTERRUPTED, (_RUN,)).fetchall()
            rows.execute("UPDATE queued_file SET run = ?", (_RUN,))
        return [
            QueuedFile(row["number"], Path(os.fsdecode(row["path"])), row["size"], row["connection"])
            for row in found
        ]


# A path need not be valid Unicode, so it goes in and out as bytes.
_ENQUEUE = (
    "INSERT INTO queued_file (connection, path, size, run) VALUES (?, CAST(? AS TEXT), ?, ?) RETURNING number"
)
_INTERRUPTED = (
    "SELECT number, CAST(path AS BLOB) AS path, size, connection FROM queued_file"
    " WHERE run != ? ORDER BY number"
)
_DEQUEUE = "DELETE FROM queued_file WHERE number = ?"
