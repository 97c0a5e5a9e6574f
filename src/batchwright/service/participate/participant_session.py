"""A participant's submission: its state, the page it has reached, and the datapoint shown there."""

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
    """Whether a participant may continue a submission."""

    OPEN = auto()
    FINISHED = auto()
    REPLACED = auto()
    """The batch has been set up again since."""
    LAPSED = auto()
    """Inactive for too long, and another participant took the place."""


@dataclass(frozen=True)
class ParticipantSession:
    """A participant's submission with its batch and its sequence of pages."""

    batch: StoredBatch
    submission: Submission
    steps: PageSteps
    state: SubmissionState

    @property
    def reached_step(self) -> int:
        """The step that the participant has reached."""
        return min(self.submission.step, len(self.steps) - 1)

    def step(self, requested: str | None) -> PageStep:
        """The requested step if it has been reached; otherwise the one reached."""
        number = requested is not None and _STEP.fullmatch(requested)
        return self.steps[min(int(number[0]), self.reached_step) if number else self.reached_step]


@dataclass(frozen=True)
class TaskContent:
    """The values for the dataset fields of a page; empty on pages that do not belong to a task."""

    task_id: str | None = None
    record: Mapping[str, Json] | None = None
    schema: Schema | None = None


def find_session(
    connection: Connection, batch_id: str, submission_id: str, now: int
) -> ParticipantSession | None:
    """The session for the ids in a URL; None if they are unknown."""
    batch = batches.find_study(connection, batch_id)
    submission = submissions.find(connection, submission_id)
    if batch is None or submission is None or submission.batch != batch.row_id:
        return None
    steps = PageSteps(layout_of(batch.live_items), submissions.task_count(connection, submission))
    return ParticipantSession(batch, submission, steps, _state_of(connection, batch, submission, steps, now))


def task_of(connection: Connection, session: ParticipantSession, step: PageStep) -> Task | None:
    """The task of a step, if it has one; a collection has a single task."""
    if step.task is None:
        return None
    if session.batch.is_collection:
        return collections.ONLY_TASK
    return submissions.task_at(connection, session.submission, step.task)


def task_content(connection: Connection, session: ParticipantSession, task: Task | None) -> TaskContent:
    """The datapoint of a task as it was at the setup: a later schema does not change tasks.

    The task of a collection has no datapoint.
    """
    if task is None or session.batch.is_collection:
        return TaskContent()
    version = session.batch.live_version or 1
    return TaskContent(
        ids.task_id(session.batch.id, session.submission.setup, task.number),
        datasets.record_at_version(connection, task.dataset, task.position, version),
        datasets.schema_at(connection, task.dataset, version),
    )


def _state_of(
    connection: Connection, batch: StoredBatch, submission: Submission, steps: PageSteps, now: int
) -> SubmissionState:
    if submission.is_finished:
        return SubmissionState.FINISHED
    if submission.setup != batch.setup or not len(steps):
        return SubmissionState.REPLACED
    if not submissions.may_continue(connection, batch, submission, now):
        return SubmissionState.LAPSED
    return SubmissionState.OPEN
