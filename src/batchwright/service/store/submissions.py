"""Who answers which task group: handing groups out, and how far each participant has come.

A submission is one participant's way through one task group (specification, Batches rule 5). It is
*live* when it was completed or touched within `LAPSE`; a group is filled by its live submissions.
Times are milliseconds since 1970.
"""

import secrets
import sqlite3
from dataclasses import dataclass
from enum import Enum

from batchwright.service.store import participant_files
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.tasks import Task
from batchwright.wire.exports import ExportStatus

LAPSE = 60 * 60 * 1000
"""How long a submission may lie untouched before its group is free for somebody else."""


@dataclass(frozen=True)
class Submission:
    """One participant's way through one task group; `step` is the page reached, over the whole group."""

    id: str
    batch: int
    setup: int
    group: int
    participant_id: str
    step: int
    started_at: int
    touched_at: int
    completed_at: int | None

    @property
    def finished(self) -> bool:
        """Whether the last page was answered."""
        return self.completed_at is not None


class AssignmentRefusal(Enum):
    """Why nobody gets a group: every group has its people, or this person has had all that are open."""

    FULL = "full"
    NOTHING_LEFT = "nothing-left"


@dataclass(frozen=True)
class GroupCount:
    """How far the people of one group are; the fields of the local progress route."""

    group: int
    task_count: int
    completed: int
    in_progress: int


def find(connection: sqlite3.Connection, id: str) -> Submission | None:
    """The submission of that id, whatever its setup."""
    row = connection.execute(f"{_SELECT} WHERE id = ?", (id,)).fetchone()
    return Submission(*row) if row else None


def open_submission(
    connection: sqlite3.Connection, batch: StoredBatch, participant: str, now: int
) -> Submission | None:
    """The unfinished submission of a participant that may still be gone on with, if there is one."""
    rows = connection.execute(
        f"{_SELECT} WHERE batch = ? AND setup = ? AND participant_id = ? AND completed_at IS NULL"
        " ORDER BY touched_at DESC",
        (batch.number, batch.setup, participant),
    )
    submissions = [Submission(*row) for row in rows]
    return next((one for one in submissions if may_continue(connection, batch, one, now)), None)


def may_continue(
    connection: sqlite3.Connection, batch: StoredBatch, submission: Submission, now: int
) -> bool:
    """Whether a submission still has its group: it was touched in time, or nobody else took its place."""
    if submission.finished or submission.touched_at > now - LAPSE:
        return True
    (others,) = connection.execute(
        "SELECT count(*) FROM submission WHERE batch = ? AND setup = ? AND task_group = ?"
        " AND (completed_at IS NOT NULL OR touched_at > ?)",
        (batch.number, batch.setup, submission.group, now - LAPSE),
    ).fetchone()
    return bool(others < batch.annotators_per_task)


def assign_group(
    connection: sqlite3.Connection, batch: StoredBatch, participant: str, now: int
) -> Submission | AssignmentRefusal:
    """Give a participant a group: the one begun before, else the least filled one not had yet.

    Call it inside one write transaction: two people never take the same place (design 6).
    """
    begun = open_submission(connection, batch, participant, now)
    if begun is not None:
        record_activity(connection, begun.id, now)
        return begun
    group = _untouched_group(connection, batch)
    if group is None:
        group = _least_filled_group(connection, batch, participant, now)
    if isinstance(group, AssignmentRefusal):
        return group
    id = secrets.token_hex(12)
    connection.execute(
        "INSERT INTO submission (id, batch, setup, task_group, participant_id, started_at, touched_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (id, batch.number, batch.setup, group, participant, now, now),
    )
    return Submission(id, batch.number, batch.setup, group, participant, 0, now, now, None)


def why_not_assignable(
    connection: sqlite3.Connection, batch: StoredBatch, participant: str, now: int
) -> AssignmentRefusal | None:
    """Why `assign_group` would refuse this participant a new group now; None when it would not."""
    group = _untouched_group(connection, batch)
    if group is None:
        group = _least_filled_group(connection, batch, participant, now)
    return group if isinstance(group, AssignmentRefusal) else None


def record_activity(connection: sqlite3.Connection, id: str, now: int) -> None:
    """Note that a participant is still there."""
    connection.execute("UPDATE submission SET touched_at = ? WHERE id = ?", (now, id))


def advance(connection: sqlite3.Connection, id: str, step: int, now: int, *, completed: bool) -> None:
    """Note that a participant has reached a page, or is done; nobody is ever put back."""
    connection.execute(
        "UPDATE submission SET step = max(step, ?), touched_at = ?, completed_at = ?"
        " WHERE id = ? AND completed_at IS NULL",
        (step, now, now if completed else None, id),
    )


def progress(connection: sqlite3.Connection, batch: int, setup: int, now: int) -> list[GroupCount]:
    """Every group of a setup with its completed and its live unfinished submissions, in order."""
    rows = connection.execute(
        "SELECT g.number, g.task_count,"
        " count(s.completed_at), count(*) FILTER (WHERE s.completed_at IS NULL AND s.touched_at > ?)"
        " FROM task_group g LEFT JOIN submission s"
        " ON s.batch = g.batch AND s.setup = g.setup AND s.task_group = g.number"
        " WHERE g.batch = ? AND g.setup = ? GROUP BY g.number ORDER BY g.number",
        (now - LAPSE, batch, setup),
    )
    return [GroupCount(*row) for row in rows]


def task_count(connection: sqlite3.Connection, submission: Submission) -> int:
    """How many tasks the group of a submission has; 0 when a later setup has swept it away."""
    row = connection.execute(
        "SELECT task_count FROM task_group WHERE batch = ? AND setup = ? AND number = ?",
        (submission.batch, submission.setup, submission.group),
    ).fetchone()
    return int(row[0]) if row else 0


def task_at(connection: sqlite3.Connection, submission: Submission, place: int) -> Task:
    """The task at a place of a submission's group, counted from 0; it is known to be there.

    Those before it are counted in the index alone: a group may be large.
    """
    row = connection.execute(
        "SELECT number, task_group, dataset, position FROM task"
        " WHERE batch = ?1 AND setup = ?2 AND number ="
        " (SELECT number FROM task WHERE batch = ?1 AND setup = ?2 AND task_group = ?3"
        " ORDER BY number LIMIT 1 OFFSET ?4)",
        (submission.batch, submission.setup, submission.group, place),
    ).fetchone()
    return Task(*row)


def delete_all(connection: sqlite3.Connection, batch: int) -> list[str]:
    """Delete all submissions, answers, files and finished exports of a batch; the names of their blobs."""
    blobs = [file.blob for file in participant_files.of_batch(connection, batch)]
    archives = connection.execute("SELECT blob FROM export WHERE batch = ? AND blob IS NOT NULL", (batch,))
    blobs += [blob for (blob,) in archives]
    connection.execute(
        "DELETE FROM participant_file WHERE submission IN (SELECT id FROM submission WHERE batch = ?)",
        (batch,),
    )
    connection.execute("DELETE FROM response WHERE batch = ?", (batch,))
    connection.execute("DELETE FROM submission WHERE batch = ?", (batch,))
    connection.execute("DELETE FROM export WHERE batch = ? AND status <> ?", (batch, ExportStatus.GENERATING))
    return blobs


def _untouched_group(connection: sqlite3.Connection, batch: StoredBatch) -> int | AssignmentRefusal | None:
    """The first group that was never handed out: groups are handed out in the order of their numbers."""
    (highest,) = connection.execute(
        "SELECT max(task_group) FROM submission WHERE batch = ? AND setup = ?", (batch.number, batch.setup)
    ).fetchone()
    row = connection.execute(
        "SELECT number FROM task_group WHERE batch = ? AND setup = ? AND number > ? ORDER BY number LIMIT 1",
        (batch.number, batch.setup, -1 if highest is None else highest),
    ).fetchone()
    return row[0] if row else None


def _least_filled_group(
    connection: sqlite3.Connection, batch: StoredBatch, participant: str, now: int
) -> int | AssignmentRefusal:
    """The least filled group with room, among those this participant never had."""
    rows = connection.execute(
        "SELECT task_group, count(*) FILTER (WHERE completed_at IS NOT NULL OR touched_at > ?) AS filled,"
        " count(*) FILTER (WHERE participant_id = ?) AS had"
        " FROM submission WHERE batch = ? AND setup = ?"
        " GROUP BY task_group HAVING filled < ? ORDER BY had, filled, task_group LIMIT 1",
        (now - LAPSE, participant, batch.number, batch.setup, batch.annotators_per_task),
    )
    row = rows.fetchone()
    if row is None:
        return AssignmentRefusal.FULL
    group, _filled, had = row
    return AssignmentRefusal.NOTHING_LEFT if had else int(group)


_SELECT = (
    "SELECT id, batch, setup, task_group, participant_id, step, started_at, touched_at, completed_at"
    " FROM submission"
)
