"""Feedback files that were sent: what, when and where to (design.md 5, Feedback)."""

from dataclasses import dataclass
from datetime import UTC, datetime

from batchwright.local.database import Database
from batchwright.wire.timestamps import from_milliseconds, to_milliseconds


@dataclass(frozen=True)
class SentFile:
    """One file that has arrived; `size` in bytes."""

    name: str
    size: int
    connection: str
    workspace_id: str
    sent_at: datetime


class SentFiles:
    """The history of feedback files in the program's database; call it off the event loop."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, name: str, size: int, connection: str, workspace_id: str) -> SentFile:
        """Keep that a file has arrived just now."""
        sent = SentFile(name, size, connection, workspace_id, datetime.now(UTC))
        with self._database.write() as rows:
            rows.execute(
                "INSERT INTO sent_file (connection, workspace_id, name, size, sent_at) "
                "VALUES (?, ?, ?, ?, ?)",
                (connection, workspace_id, name, size, to_milliseconds(sent.sent_at)),
            )
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
