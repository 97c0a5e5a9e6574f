"""Where a participant stands in a task group, and what the page there shows."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto

from batchwright.base.database import Connection
from batchwright.base.json_values import Json
from batchwright.layout.pages.navigation import PageStep, PageSteps
from batchwright.schema.model import Schema
from batchwright.service.store import batches, collections, datasets, ids, submissions
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.submissions import Submission
from batchwright.service.store.tasks import Task
from batchwright.service.stored_layouts import layout_of

_STEP = re.compile(r"[0-9]{1,9}")


class SubmissionState(Enum):
    """Whether a participant may go on."""

    OPEN = auto()
    FINISHED = auto()
    REPLACED = auto()
    """The batch was set up anew since."""
    LAPSED = auto()
    """Too long away, and somebody else took the place."""


@dataclass(frozen=True)
class ParticipantSession:
    """A participant's submission with its batch and its way through the pages."""

    batch: StoredBatch
    submission: Submission
    steps: PageSteps
    standing: SubmissionState

    @property
    def reached(self) -> int:
        """The step that the participant has come to."""
        return min(self.submission.step, len(self.steps) - 1)

    def step(self, asked: str | None) -> PageStep:
        """The step asked for, if it has been reached; else the one reached."""
        known = asked is not None and _STEP.fullmatch(asked)
        return self.steps[min(int(known[0]), self.reached) if known else self.reached]


@dataclass(frozen=True)
class TaskContent:
    """What fills the dataset fields of a page; on pages that belong to no task, nothing does."""

    task_id: str | None = None
    record: Mapping[str, Json] | None = None
    schema: Schema | None = None


def visit(connection: Connection, batch_id: str, submission_id: str, now: int) -> ParticipantSession | None:
    """A participant's visit, by the ids in its address; None when they name nothing."""
    batch = batches.find_study(connection, batch_id)
    submission = submissions.find(connection, submission_id)
    if batch is None or submission is None or submission.batch != batch.number:
        return None
    steps = PageSteps(layout_of(batch.live_items), submissions.task_count(connection, submission))
    return ParticipantSession(batch, submission, steps, _standing(connection, batch, submission, steps, now))


def task_of(connection: Connection, visit: ParticipantSession, step: PageStep) -> Task | None:
    """The task that a step belongs to, if it belongs to one; a collection has a single one."""
    if step.task is None:
        return None
    if visit.batch.is_collection:
        return collections.ONLY_TASK
    return submissions.task_at(connection, visit.submission, step.task)


def task_content(connection: Connection, visit: ParticipantSession, task: Task | None) -> TaskContent:
    """The datapoint of a task, as it was at the setup: a later schema changes no task (wire.md 15).

    The task of a collection has no datapoint.
    """
    if task is None or visit.batch.is_collection:
        return TaskContent()
    version = visit.batch.live_version or 1
    return TaskContent(
        ids.task_id(visit.batch.id, visit.submission.setup, task.number),
        datasets.record_at_version(connection, task.dataset, task.position, version),
        datasets.schema_at(connection, task.dataset, version),
    )


def _standing(
    connection: Connection, batch: StoredBatch, submission: Submission, steps: PageSteps, now: int
) -> SubmissionState:
    if submission.finished:
        return SubmissionState.FINISHED
    if submission.setup != batch.setup or not len(steps):
        return SubmissionState.REPLACED
    if not submissions.may_continue(connection, batch, submission, now):
        return SubmissionState.LAPSED
    return SubmissionState.OPEN
