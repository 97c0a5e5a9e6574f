"""Jobs on disk: what is watched or was, so that closing the laptop loses nothing (design.md D8)."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from batchwright.base.database import Database
from batchwright.base.json_values import JsonObject, to_json
from batchwright.base.text import without_lone_surrogates
from batchwright.wire.timestamps import from_milliseconds, to_milliseconds


@dataclass(frozen=True)
class JobRow:
    """One job: what it is, and what the latest looks at it told."""

    number: int
    connection: str
    kind: str
    subject: JsonObject
    """What a look at the job needs: ids above all."""
    title: str
    """What people know it by."""
    started_at: datetime
    looked_at: datetime | None
    """The latest look, whether it succeeded or not."""
    state: str | None
    """The service's own word; None before the first sight."""
    detail: JsonObject
    """What the latest sight told."""
    trouble: str | None
    """Why the latest look failed; None when it did not."""
    ending: str | None
    """How it has ended; None while there is something to wait for."""
    ended_at: datetime | None
    is_watched: bool = True
    """Whether it is looked at again after a restart."""

    @property
    def is_of_command(self) -> bool:
        """Whether a command without a window began it, which knows an address and no connection."""
        return "://" in self.connection


class JobRows:
    """The jobs in the program's database; call it off the event loop."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, connection: str, kind: str, subject: JsonObject, title: str) -> JobRow:
        """Keep a new job, before anybody looks at it."""
        with self._database.write() as rows:
            added = rows.execute(
                "INSERT INTO job (connection, kind, subject, title, started_at) "
                "VALUES (?, ?, ?, ?, ?) RETURNING *",
                (connection, kind, to_json(subject), without_lone_surrogates(title), _now()),
            ).fetchone()
        return _job(added)

    def record(self, number: int, state: str, detail: JsonObject, ending: str | None) -> None:
        """Keep what a look told; what has ended once stays as it ended."""
        now = _now()
        with self._database.write() as rows:
            rows.execute(
                "UPDATE job SET looked_at = ?, state = ?, detail = ?, trouble = NULL, ending = ?, "
                "ended_at = ? WHERE number = ? AND ending IS NULL",
                (now, state, to_json(detail), ending, None if ending is None else now, number),
            )

    def record_failure(self, number: int, reason: str) -> None:
        """Keep why a look failed."""
        with self._database.write() as rows:
            rows.execute(
                "UPDATE job SET looked_at = ?, trouble = ? WHERE number = ? AND ending IS NULL",
                (_now(), without_lone_surrogates(reason), number),
            )

    def end_all(self, kinds: Iterable[str], ending: str) -> None:
        """Have every job of some kinds ended that is still open, but those of commands without a window.

        Such a command may be running beside the window; its jobs are at an address, and not at a connection.
        """
        with self._database.write() as rows:
            rows.execute(_END_ALL, {"kinds": to_json(list(kinds)), "ending": ending, "now": _now()})

    def resume(self, number: int) -> None:
        """Have a job watched, also one that has ended or that nobody was to look at any more."""
        with self._database.write() as rows:
            rows.execute(
                "UPDATE job SET ending = NULL, ended_at = NULL, is_watched = 1, is_listed = 1 "
                "WHERE number = ?",
                (number,),
            )

    def stop_watching(self, number: int) -> None:
        """Look at a job no more, not even after a restart."""
        with self._database.write() as rows:
            rows.execute("UPDATE job SET is_watched = 0 WHERE number = ?", (number,))

    def clear_ended(self, connections: Iterable[str]) -> None:
        """Take off the list what has ended, and what nobody looks at who has these connections alone.

        The rows are kept, and looked at no more, not even when a connection comes back.
        """
        with self._database.write() as rows:
            rows.execute(_CLEAR_ENDED, (to_json(list(connections)),))

    def find(self, number: int) -> JobRow | None:
        """One job; None when there is none of that number."""
        with self._database.read() as rows:
            found = rows.execute("SELECT * FROM job WHERE number = ?", (number,)).fetchone()
        return found and _job(found)

    def matching(self, connection: str, kind: str, subject: JsonObject) -> list[JobRow]:
        """All jobs of a kind about the same thing, in the order they were begun."""
        with self._database.read() as rows:
            found = rows.execute(
                "SELECT * FROM job WHERE connection = ? AND kind = ? AND subject = ? ORDER BY number",
                (connection, kind, to_json(subject)),
            ).fetchall()
        return [_job(row) for row in found]

    def open(self, connection: str | None = None) -> list[JobRow]:
        """The jobs to look at, of one connection or of all, in the order they were begun."""
        with self._database.read() as rows:
            found = rows.execute(
                "SELECT * FROM job WHERE ending IS NULL AND is_watched AND (? IS NULL OR connection = ?) "
                "ORDER BY number",
                (connection, connection),
            ).fetchall()
        return [_job(row) for row in found]

    def latest(self, limit: int = 500) -> list[JobRow]:
        """The listed jobs of every kind, first those to look at, then the newest."""
        with self._database.read() as rows:
            found = rows.execute(
                "SELECT * FROM job WHERE is_listed "
                "ORDER BY ending IS NULL AND is_watched DESC, number DESC LIMIT ?",
                (limit,),
            ).fetchall()
        return [_job(row) for row in found]


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
    moments = {name: _moment(row[name]) for name in ("looked_at", "ended_at")}
    return JobRow(
        number=row["number"],
        connection=row["connection"],
        kind=row["kind"],
        subject=json.loads(row["subject"]),
        title=row["title"],
        started_at=from_milliseconds(row["started_at"]),
        state=row["state"],
        detail=json.loads(row["detail"] or "{}"),
        trouble=row["trouble"],
        ending=row["ending"],
        is_watched=bool(row["is_watched"]),
        **moments,
    )


def _moment(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else from_milliseconds(milliseconds)
