"""The responses of participants: stored page by page, read by task, by submission, or newest first.

One response is the answer of one participant to one instruction of one task (wire reference, section 7.1).
Responses are listed at once, whether or not their submission is finished. `batch` is the row id of a batch.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from batchwright.base import json_values
from batchwright.base.json_values import Json
from batchwright.service.store import ids


@dataclass(frozen=True)
class NewResponse:
    """A response from a posted page; `answer` is the array of the wire reference, section 7.1."""

    instruction_id: str
    type: str
    answer: Json


class StoredResponse(NamedTuple):
    """A stored response.

    `task` and `group` are the numbers of the task and its group in their setup; `dataset` and `position`
    identify its datapoint, and are None if a later setup has deleted the task.
    """

    id: str
    created_at: int
    participant_id: str
    submission_id: str
    setup: int
    task: int
    group: int
    dataset: int | None
    position: int | None
    instruction_id: str
    type: str
    written_answer: str
    """The answer as JSON text."""

    @property
    def answer(self) -> Json:
        """The answer, an array (wire reference, section 7.1)."""
        return json_values.parse(self.written_answer)


def store(
    connection: sqlite3.Connection,
    submission: str,
    task: int,
    answers: Sequence[NewResponse],
    now: int,
) -> None:
    """Store the answers of one page; an answer replaces an earlier one to the same instruction.

    The response keeps its id and creation time then. Posting the same page again has no effect.
    """
    connection.executemany(
        "INSERT INTO response (id, batch, setup, submission, task, instruction_id, type, answer, created_at)"
        " SELECT ?, batch, setup, id, ?, ?, ?, ?, ? FROM submission WHERE id = ?"
        " ON CONFLICT (submission, task, instruction_id) DO UPDATE"
        " SET type = excluded.type, answer = excluded.answer"
        " WHERE answer <> excluded.answer",
        [
            (
                ids.new_id(),
                task,
                answer.instruction_id,
                answer.type,
                json_values.to_json(answer.answer),
                now,
                submission,
            )
            for answer in answers
        ],
    )


def answers_to(connection: sqlite3.Connection, submission: str, task: int) -> dict[str, Json]:
    """The answers of a participant to one task, by instruction id."""
    rows = connection.execute(
        "SELECT instruction_id, answer FROM response WHERE submission = ? AND task = ?", (submission, task)
    )
    return {instruction: json_values.parse(answer) for instruction, answer in rows}


def count_of(connection: sqlite3.Connection, batch: int) -> int:
    """How many responses a batch has."""
    (count,) = connection.execute("SELECT count(*) FROM response WHERE batch = ?", (batch,)).fetchone()
    return int(count)


def records_of(
    connection: sqlite3.Connection, batch: int, *, limit: int = -1, offset: int = 0
) -> Iterator[StoredResponse]:
    """The responses to a batch, newest first; a limit of -1 means all."""
    return _read(
        connection,
        f"{_SELECT} WHERE r.batch = ? ORDER BY r.number DESC LIMIT ? OFFSET ?",
        (batch, limit, offset),
    )


def by_task(connection: sqlite3.Connection, batch: int, setup: int) -> Iterator[StoredResponse]:
    """The responses of one setup in the order of its tasks; those of one task, oldest first."""
    return _read(
        connection,
        f"{_SELECT} WHERE r.batch = ? AND r.setup = ? ORDER BY r.task, r.number",
        (batch, setup),
    )


def most_annotators(connection: sqlite3.Connection, batch: int, setup: int) -> int:
    """The largest number of participants who answered the same task of a setup."""
    (most,) = connection.execute(
        "SELECT coalesce(max(people), 0) FROM (SELECT count(DISTINCT submission) AS people FROM response"
        " WHERE batch = ? AND setup = ? GROUP BY task)",
        (batch, setup),
    ).fetchone()
    return int(most)


def instructions_of(connection: sqlite3.Connection, batch: int, setup: int) -> list[tuple[str, str]]:
    """The ids and types of the instructions that were answered in a setup."""
    return connection.execute(
        "SELECT DISTINCT instruction_id, type FROM response WHERE batch = ? AND setup = ?"
        " ORDER BY instruction_id",
        (batch, setup),
    ).fetchall()


def by_submission(connection: sqlite3.Connection, batch: int) -> Iterator[StoredResponse]:
    """The responses to a batch by submission, in the order in which the submissions started.

    The join starts from the submissions, which is faster than looking one up for each response.
    """
    return _read(
        connection,
        f"{_COLUMNS} FROM submission s CROSS JOIN response r ON r.submission = s.id {_WITH_TASK}"
        " WHERE s.batch = ? ORDER BY s.started_at, s.id, r.number",
        (batch,),
    )


def _read(connection: sqlite3.Connection, query: str, values: tuple[int, ...]) -> Iterator[StoredResponse]:
    return map(StoredResponse._make, connection.execute(query, values))


_COLUMNS = (
    "SELECT r.id, r.created_at, s.participant_id, r.submission AS submission_id, r.setup, r.task,"
    " s.task_group, t.dataset, t.position, r.instruction_id, r.type, r.answer AS written_answer"
)
_WITH_TASK = "LEFT JOIN task t ON t.batch = r.batch AND t.setup = r.setup AND t.number = r.task"
_SELECT = f"{_COLUMNS} FROM response r JOIN submission s ON s.id = r.submission {_WITH_TASK}"
