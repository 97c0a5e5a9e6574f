"""History and queue of feedback files: what was sent, when, and to which connection."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import uuid4

from batchwright.base.database import Database
from batchwright.wire.timestamps import from_milliseconds, to_milliseconds


@dataclass(frozen=True)
class SentFile:
    """A feedback file that was sent; `name` is valid Unicode, `size` in bytes."""

    name: str
    size: int
    connection: str
    workspace_id: str
    sent_at: datetime


@dataclass(frozen=True)
class QueuedFile:
    """A feedback file waiting to be sent to a connection; `size` in bytes."""

    row_id: int
    path: Path
    size: int
    connection: str
    is_of_this_run: bool
    """Whether a window that is closed now has queued it, not an earlier run of the program."""


_RUN = uuid4().hex
"""Identifies this run of the program; the `run` of a queued file starts with it."""


class SentFiles:
    """History and queue of feedback files in the program's database; call it off the event loop."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, sent: SentFile, row_id: int | None = None) -> None:
        """Record that a file was sent, and remove it from the queue if it was queued as `row_id`."""
        with self._database.write() as rows:
            rows.execute(
                "INSERT INTO sent_file (connection, workspace_id, name, size, sent_at) "
                "VALUES (?, ?, ?, ?, ?)",
                (
                    sent.connection,
                    sent.workspace_id,
                    sent.name,
                    sent.size,
                    to_milliseconds(sent.sent_at),
                ),
            )
            rows.execute(_DEQUEUE, (row_id,))

    def latest(self) -> list[SentFile]:
        """All files sent, newest first."""
        with self._database.read() as rows:
            result = rows.execute("SELECT * FROM sent_file ORDER BY number DESC").fetchall()
        return [
            SentFile(
                row["name"],
                row["size"],
                row["connection"],
                row["workspace_id"],
                from_milliseconds(row["sent_at"]),
            )
            for row in result
        ]

    def enqueue(self, files: Iterable[tuple[str, Path, int]], window: str = "") -> list[int]:
        """Queue files for a window of this run, as connection, path and size; return their row IDs."""
        run = _RUN + window
        values = [(connection, os.fsencode(path.absolute()), size, run) for connection, path, size in files]
        with self._database.write() as rows:
            return [rows.execute(_ENQUEUE, row_values).fetchone()["number"] for row_values in values]

    def dequeue(self, row_ids: Iterable[int]) -> None:
        """Remove files from the queue."""
        with self._database.write() as rows:
            rows.executemany(_DEQUEUE, [(row_id,) for row_id in row_ids])

    def claim_interrupted(self, window: str = "", open_windows: Iterable[str] = ()) -> list[QueuedFile]:
        """Files that an earlier run or a window that is closed now queued and did not send; assign them to a
        window.

        Args:
            window: the window that gets them.
            open_windows: the windows of this run that are open.
        """
        runs = {_RUN + other for other in (window, *open_windows)}
        with self._database.write() as rows:
            result = [row for row in rows.execute(_QUEUED).fetchall() if row["run"] not in runs]
            rows.executemany(_ASSIGN, [(_RUN + window, row["number"]) for row in result])
        return [
            QueuedFile(
                row["number"],
                Path(os.fsdecode(row["path"])),
                row["size"],
                row["connection"],
                row["run"].startswith(_RUN),
            )
            for row in result
        ]


# A path need not be valid Unicode, so it goes in and out as bytes.
_ENQUEUE = (
    "INSERT INTO queued_file (connection, path, size, run) VALUES (?, CAST(? AS TEXT), ?, ?) RETURNING number"
)
_QUEUED = "SELECT number, CAST(path AS BLOB) AS path, size, connection, run FROM queued_file ORDER BY number"
_ASSIGN = "UPDATE queued_file SET run = ? WHERE number = ?"
_DEQUEUE = "DELETE FROM queued_file WHERE number = ?"
