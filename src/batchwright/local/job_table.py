"""The table of jobs: monitored or ended, so that monitoring continues after the program was closed.

Rows record what was done, not which connections exist: a list of connections can be lost and entered again,
and a command may run beside the window. Operations of the program itself, such as sending a file, are jobs
with rows, too; after a crash they are marked as stopped. So the list of jobs is complete, and the SHA-256 of
a transfer is kept.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from batchwright.base.database import Database
from batchwright.base.json_values import JsonObject, to_json
from batchwright.base.text import without_lone_surrogates
from batchwright.local.connections import is_url
from batchwright.wire.timestamps import from_milliseconds, to_milliseconds

MAX_LISTED = 500
"""How many jobs are listed."""


@dataclass(frozen=True)
class JobRow:
    """A job, and the result of its latest poll."""

    row_id: int
    connection: str
    kind: str
    subject: JsonObject
    """What is needed to poll the job, mainly ids."""
    title: str
    """The text shown to the user."""
    started_at: datetime
    polled_at: datetime | None
    """Time of the latest poll, successful or not."""
    state: str | None
    """The status as the service names it; None before the first successful poll."""
    detail: JsonObject
    """Details from the latest successful poll."""
    poll_error: str | None
    """Error of the latest poll; None if it succeeded."""
    outcome: str | None
    """The outcome; None while the job is running."""
    ended_at: datetime | None
    is_monitored: bool = True
    """Whether it is monitored again after a restart."""

    @property
    def is_of_command(self) -> bool:
        """Whether it was started by a command without a window, which has a URL instead of a connection."""
        return is_url(self.connection)


class JobRows:
    """The jobs in the program's database; call it off the event loop."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, connection: str, kind: str, subject: JsonObject, title: str) -> JobRow:
        """Insert a new job, before its first poll."""
        with self._database.write() as rows:
            row = rows.execute(
                "INSERT INTO job (connection, kind, subject, title, started_at) "
                "VALUES (?, ?, ?, ?, ?) RETURNING *",
                (connection, kind, to_json(subject), without_lone_surrogates(title), _now()),
            ).fetchone()
        return _job(row)

    def record(self, row_id: int, state: str, detail: JsonObject, outcome: str | None) -> None:
        """Store the result of a poll; a job that has ended is not changed."""
        now = _now()
        with self._database.write() as rows:
            rows.execute(
                "UPDATE job SET looked_at = ?, state = ?, detail = ?, trouble = NULL, ending = ?, "
                "ended_at = ? WHERE number = ? AND ending IS NULL",
                (now, state, to_json(detail), outcome, None if outcome is None else now, row_id),
            )

    def record_failure(self, row_id: int, reason: str) -> None:
        """Store the error of a failed poll."""
        with self._database.write() as rows:
            rows.execute(
                "UPDATE job SET looked_at = ?, trouble = ? WHERE number = ? AND ending IS NULL",
                (_now(), without_lone_surrogates(reason), row_id),
            )

    def end_all(self, kinds: Iterable[str], outcome: str) -> None:
        """Mark all open jobs of some kinds as ended, except those of commands without a window.

        Such a command may be running beside the window; its jobs have a URL instead of a connection.
        """
        with self._database.write() as rows:
            rows.execute(_END_ALL, {"kinds": to_json(list(kinds)), "ending": outcome, "now": _now()})

    def resume(self, row_id: int) -> None:
        """Monitor a job again, also one that has ended or that is no longer monitored."""
        with self._database.write() as rows:
            rows.execute(
                "UPDATE job SET ending = NULL, ended_at = NULL, is_watched = 1, is_listed = 1 "
                "WHERE number = ?",
                (row_id,),
            )

    def stop_monitoring(self, row_id: int) -> None:
        """Stop monitoring a job, also after a restart."""
        with self._database.write() as rows:
            rows.execute("UPDATE job SET is_watched = 0 WHERE number = ?", (row_id,))

    def clear_ended(self, connections: Iterable[str]) -> None:
        """Remove jobs from the list that have ended, are not monitored, or have other connections.

        The rows are kept but not monitored any more, even if a connection is added again.
        """
        with self._database.write() as rows:
            rows.execute(_CLEAR_ENDED, (to_json(list(connections)),))

    def get(self, row_id: int) -> JobRow | None:
        """One job; None if there is none with this row ID."""
        with self._database.read() as rows:
            matches = rows.execute("SELECT * FROM job WHERE number = ?", (row_id,)).fetchone()
        return matches and _job(matches)

    def matching(self, connection: str, kind: str, subject: JsonObject) -> list[JobRow]:
        """All jobs of a kind with the same subject, oldest first."""
        with self._database.read() as rows:
            matches = rows.execute(
                "SELECT * FROM job WHERE connection = ? AND kind = ? AND subject = ? ORDER BY number",
                (connection, kind, to_json(subject)),
            ).fetchall()
        return [_job(row) for row in matches]

    def open(self, connection: str | None = None) -> list[JobRow]:
        """The jobs to be monitored, of one connection or all, oldest first."""
        with self._database.read() as rows:
            matches = rows.execute(
                "SELECT * FROM job WHERE ending IS NULL AND is_watched AND (? IS NULL OR connection = ?) "
                "ORDER BY number",
                (connection, connection),
            ).fetchall()
        return [_job(row) for row in matches]

    def ended_as(self, connection: str, outcome: str) -> list[JobRow]:
        """The monitored jobs of a connection that ended with this outcome, oldest first."""
        with self._database.read() as rows:
            matches = rows.execute(
                "SELECT * FROM job WHERE connection = ? AND ending = ? AND is_watched ORDER BY number",
                (connection, outcome),
            ).fetchall()
        return [_job(row) for row in matches]

    def latest(self, limit: int = MAX_LISTED) -> list[JobRow]:
        """The listed jobs of all kinds: first those being monitored, then the newest."""
        with self._database.read() as rows:
            matches = rows.execute(
                "SELECT * FROM job WHERE is_listed "
                "ORDER BY ending IS NULL AND is_watched DESC, number DESC LIMIT ?",
                (limit,),
            ).fetchall()
        return [_job(row) for row in matches]


_END_ALL = """
UPDATE job SET state = :ending, trouble = NULL, ending = :ending, ended_at = :now
WHERE ending IS NULL AND kind IN (SELECT value FROM json_each(:kinds)) AND NOT instr(connection, '://')
"""

_CLEAR_ENDED = """
UPDATE job SET is_listed = 0, is_watched = 0
WHERE ending IS NOT NULL OR NOT is_watched OR connection NOT IN (SELECT value FROM json_each(?))
"""


def _now() -> int:
    return to_milliseconds(datetime.now(UTC))


def _job(row: Mapping[str, Any]) -> JobRow:
    return JobRow(
        row_id=row["number"],
        connection=row["connection"],
        kind=row["kind"],
        subject=json.loads(row["subject"]),
        title=row["title"],
        started_at=from_milliseconds(row["started_at"]),
        polled_at=_optional_time(row["looked_at"]),
        state=row["state"],
        detail=json.loads(row["detail"] or "{}"),
        poll_error=row["trouble"],
        outcome=row["ending"],
        is_monitored=bool(row["is_watched"]),
        ended_at=_optional_time(row["ended_at"]),
    )


def _optional_time(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else from_milliseconds(milliseconds)
