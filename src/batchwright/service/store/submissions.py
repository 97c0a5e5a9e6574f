"""Submissions: assigning task groups to participants, and the progress of each participant.

A submission is one participant's pass through one task group (specification, Batches rule 5). It is *live* if
it is completed or was active within the `place_timeout` of its batch; live submissions fill a group. Times
are milliseconds since 1970.
"""

import secrets
import sqlite3
from dataclasses import dataclass
from enum import Enum

from batchwright.service.store import exports, participant_files
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.tasks import Task


@dataclass(frozen=True)
class Submission:
    """One participant's pass through one task group; `step` is the page reached, counted over all tasks."""

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
    def is_finished(self) -> bool:
        """Whether the last page was answered."""
        return self.completed_at is not None


class AssignmentRefusal(Enum):
    """Why no group is assigned: all groups are filled, or this participant has had all open ones."""

    FULL = "full"
    NOTHING_LEFT = "nothing-left"


@dataclass(frozen=True)
class GroupCount:
    """The submissions of one group, as counts for the local progress route."""

    group: int
    task_count: int
    completed: int
    in_progress: int
    """Live and unfinished."""
    unanswered: int
    """Those in progress without an answer."""


def find(connection: sqlite3.Connection, id: str) -> Submission | None:
    """The submission with an id, of any setup."""
    row = connection.execute(f"{_SELECT} WHERE id = ?", (id,)).fetchone()
    return Submission(*row) if row else None


def started_from(connection: sqlite3.Connection, batch: StoredBatch, page_load: str) -> Submission | None:
    """The submission to the latest setup that was started from this load of the start page."""
    row = connection.execute(
        f"{_SELECT} WHERE batch = ? AND setup = ? AND page_load = ?", (batch.row_id, batch.setup, page_load)
    ).fetchone()
    return Submission(*row) if row else None


def open_submission(
    connection: sqlite3.Connection, batch: StoredBatch, participant: str, now: int
) -> Submission | None:
    """The unfinished submission that a participant may continue, if there is one."""
    rows = connection.execute(
        f"{_SELECT} WHERE batch = ? AND setup = ? AND participant_id = ? AND completed_at IS NULL"
        " ORDER BY touched_at DESC",
        (batch.row_id, batch.setup, participant),
    )
    submissions = [Submission(*row) for row in rows]
    return next(
        (submission for submission in submissions if may_continue(connection, batch, submission, now)), None
    )


def may_continue(
    connection: sqlite3.Connection, batch: StoredBatch, submission: Submission, now: int
) -> bool:
    """Whether a submission still has its place in the group: it was active in time, or the place is free."""
    if submission.is_finished or submission.touched_at > now - batch.place_timeout:
        return True
    (assigned_places,) = connection.execute(
        "SELECT count(*) FROM submission WHERE batch = ? AND setup = ? AND task_group = ?"
        " AND (completed_at IS NOT NULL OR touched_at > ?)",
        (batch.row_id, batch.setup, submission.group, now - batch.place_timeout),
    ).fetchone()
    return bool(assigned_places < batch.annotators_per_task)


def assign_group(
    connection: sqlite3.Connection,
    batch: StoredBatch,
    participant: str,
    now: int,
    page_load: str | None = None,
) -> Submission | AssignmentRefusal:
    """Assign a group: the one that the participant has started, or the least filled one not had yet.

    A new submission records the load of the start page, for `started_from`. Call it in a write transaction,
    so that two participants never get the same place.
    """
    unfinished = open_submission(connection, batch, participant, now)
    if unfinished is not None:
        record_activity(connection, unfinished.id, now)
        return unfinished
    group = _untouched_group(connection, batch)
    if group is None:
        group = _least_filled_group(connection, batch, participant, now)
    if isinstance(group, AssignmentRefusal):
        return group
    id = secrets.token_hex(12)
    connection.execute(
        "INSERT INTO submission"
        " (id, batch, setup, task_group, participant_id, started_at, touched_at, page_load)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (id, batch.row_id, batch.setup, group, participant, now, now, page_load),
    )
    return Submission(id, batch.row_id, batch.setup, group, participant, 0, now, now, None)


def why_not_assignable(
    connection: sqlite3.Connection, batch: StoredBatch, participant: str, now: int
) -> AssignmentRefusal | None:
    """Why `assign_group` would assign no new group to this participant now; None if it would."""
    group = _untouched_group(connection, batch)
    if group is None:
        group = _least_filled_group(connection, batch, participant, now)
    return group if isinstance(group, AssignmentRefusal) else None


def record_activity(connection: sqlite3.Connection, id: str, now: int) -> None:
    """Record that a participant is active.

    Call it in the write transaction in which `may_continue` was true, so that two participants never get
    the same place.
    """
    connection.execute("UPDATE submission SET touched_at = ? WHERE id = ?", (now, id))


def advance(connection: sqlite3.Connection, id: str, step: int, now: int, *, completed: bool) -> None:
    """Record the page that a participant has reached, or that the submission is complete."""
    connection.execute(
        "UPDATE submission SET step = max(step, ?), touched_at = ?, completed_at = ?"
        " WHERE id = ? AND completed_at IS NULL",
        (step, now, now if completed else None, id),
    )


def release_unanswered(connection: sqlite3.Connection, batch: StoredBatch, now: int) -> int:
    """Make the places of submissions in progress without an answer free at once; how many there were.

    Their participants may continue as long as nobody else has taken the place.
    """
    return connection.execute(
        "UPDATE submission SET touched_at = 0"
        " WHERE batch = ? AND setup = ? AND completed_at IS NULL AND touched_at > ?"
        " AND NOT EXISTS (SELECT 1 FROM response WHERE submission = submission.id)",
        (batch.row_id, batch.setup, now - batch.place_timeout),
    ).rowcount


def progress(connection: sqlite3.Connection, batch: StoredBatch, now: int) -> list[GroupCount]:
    """Every group of the latest setup with its submissions by state, in order."""
    rows = connection.execute(
        "SELECT g.number, g.task_count, count(s.completed_at),"
        " count(*) FILTER (WHERE s.completed_at IS NULL AND s.touched_at > :since),"
        " count(*) FILTER (WHERE s.completed_at IS NULL AND s.touched_at > :since"
        " AND NOT EXISTS (SELECT 1 FROM response WHERE submission = s.id))"
        " FROM task_group g LEFT JOIN submission s"
        " ON s.batch = g.batch AND s.setup = g.setup AND s.task_group = g.number"
        " WHERE g.batch = :batch AND g.setup = :setup GROUP BY g.number ORDER BY g.number",
        {"since": now - batch.place_timeout, "batch": batch.row_id, "setup": batch.setup},
    )
    return [GroupCount(*row) for row in rows]


def task_count(connection: sqlite3.Connection, submission: Submission) -> int:
    """How many tasks the group of a submission has; 0 if a later setup has deleted it."""
    row = connection.execute(
        "SELECT task_count FROM task_group WHERE batch = ? AND setup = ? AND number = ?",
        (submission.batch, submission.setup, submission.group),
    ).fetchone()
    return int(row[0]) if row else 0


def task_at(connection: sqlite3.Connection, submission: Submission, position: int) -> Task:
    """The task at a position in a submission's group, counted from 0; it must exist.

    The tasks before it are counted in the index only, since a group may be large.
    """
    row = connection.execute(
        "SELECT number, task_group, dataset, position FROM task"
        " WHERE batch = :batch AND setup = :setup AND number ="
        " (SELECT number FROM task WHERE batch = :batch AND setup = :setup AND task_group = :group"
        " ORDER BY number LIMIT 1 OFFSET :position)",
        {
            "batch": submission.batch,
            "setup": submission.setup,
            "group": submission.group,
            "position": position,
        },
    ).fetchone()
    return Task(*row)


def delete_all(connection: sqlite3.Connection, batch: int, now: int) -> list[str]:
    """Delete all submissions, responses, files and archives of a batch; returns their blobs.

    Archives that are being written are written again.
    """
    blobs = [file.blob for file in participant_files.of_batch(connection, batch)]
    connection.execute(
        "DELETE FROM participant_file WHERE submission IN (SELECT id FROM submission WHERE batch = ?)",
        (batch,),
    )
    connection.execute("DELETE FROM response WHERE batch = ?", (batch,))
    connection.execute("DELETE FROM submission WHERE batch = ?", (batch,))
    return blobs + exports.delete_of_batch(connection, batch, now)


def _untouched_group(connection: sqlite3.Connection, batch: StoredBatch) -> int | AssignmentRefusal | None:
    """The group after the last one that is assigned: groups are assigned in the order of their numbers.

    A group before it is free again if all who had it were deleted; `_least_filled_group` finds that one.
    """
    (highest,) = connection.execute(
        "SELECT max(task_group) FROM submission WHERE batch = ? AND setup = ?", (batch.row_id, batch.setup)
    ).fetchone()
    row = connection.execute(
        "SELECT number FROM task_group WHERE batch = ? AND setup = ? AND number > ? ORDER BY number LIMIT 1",
        (batch.row_id, batch.setup, -1 if highest is None else highest),
    ).fetchone()
    return row[0] if row else None


def _least_filled_group(
    connection: sqlite3.Connection, batch: StoredBatch, participant: str, now: int
) -> int | AssignmentRefusal:
    """The least filled group that is not full, among those that this participant has not had."""
    rows = connection.execute(
        "SELECT g.number,"
        " count(*) FILTER (WHERE s.completed_at IS NOT NULL OR s.touched_at > ?) AS filled,"
        " count(*) FILTER (WHERE s.participant_id = ?) AS had"
        " FROM task_group g LEFT JOIN submission s"
        " ON s.batch = g.batch AND s.setup = g.setup AND s.task_group = g.number"
        " WHERE g.batch = ? AND g.setup = ?"
        " GROUP BY g.number HAVING filled < ? ORDER BY had, filled, g.number LIMIT 1",
        (now - batch.place_timeout, participant, batch.row_id, batch.setup, batch.annotators_per_task),
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
