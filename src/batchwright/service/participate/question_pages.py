"""The pages of a submission: shown at the step reached or an earlier one, validated and stored when posted.

A session is a participant's submission: its state, the page it has reached, and the datapoint shown there.
A page is validated and stored in one transaction, after its whole form has arrived: nothing can change in
between, and a stored answer costs less than with two transactions.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from batchwright.base.database import Connection
from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject, is_array, is_object
from batchwright.layout.model import Page
from batchwright.layout.pages.navigation import PageStep, PageSteps
from batchwright.layout.pages.page import PageValues, instructions_json, page_view
from batchwright.schema.item_sets import letters_of
from batchwright.schema.model import Field, Schema
from batchwright.service.clock import MINUTE
from batchwright.service.http.app_state import AppState, app_state
from batchwright.service.participate.addresses import Addresses
from batchwright.service.participate.answer_forms import prefilled_page, retained_file_keys, validate_page
from batchwright.service.participate.file_uploads import UploadedFiles, UploadTarget
from batchwright.service.participate.form_data import read_form
from batchwright.service.participate.multipart import FormData, InvalidForm
from batchwright.service.participate.pages import (
    PageData,
    QuestionPage,
    question_page,
    record_digest,
    redirect_303,
)
from batchwright.service.participate.start_page import is_open
from batchwright.service.participate.status_pages import (
    finished_page,
    replaced_page,
    timed_out_page,
    unknown_page,
    unreadable_page,
)
from batchwright.service.store import (
    batches,
    collections,
    datasets,
    ids,
    participant_files,
    responses,
    submissions,
)
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.participant_files import StoredFile
from batchwright.service.store.responses import NewResponse
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
    def current_step(self) -> int:
        """The step that the participant has reached."""
        return min(self.submission.step, len(self.steps) - 1)

    def step(self, requested: str | None) -> PageStep:
        """The requested step if it has been reached; otherwise the one reached."""
        number = requested is not None and _STEP.fullmatch(requested)
        return self.steps[min(int(number[0]), self.current_step) if number else self.current_step]


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


_ACTIVITY_INTERVAL_MS = 5 * MINUTE
"""How often reading a page is recorded, or a quarter of the place timeout if that is shorter."""


async def get_page(request: Request) -> Response:
    """GET `/participate/{batch_id}/{submission_id}`: the page reached, or an earlier one with `?step=`."""
    return await run_in_threadpool(
        _show,
        app_state(request),
        request.path_params["batch_id"],
        request.path_params["submission_id"],
        request.query_params.get("step"),
    )


async def post_page(request: Request) -> Response:
    """POST of a page: stores the answers and redirects to the next page, or shows the errors (422)."""
    state = app_state(request)
    batch_id, submission_id = request.path_params["batch_id"], request.path_params["submission_id"]
    if not await run_in_threadpool(_exists, state, batch_id, submission_id):
        return unknown_page(Addresses(state.base_url))
    uploads = UploadedFiles(
        lambda fields: _posted_page(state, batch_id, submission_id, fields),
        UploadTarget(
            state.blobs, state.database, submission_id, f"responses/{batch_id.lower()}/{submission_id}"
        ),
    )
    try:
        form = await read_form(request, uploads.receiver_for)
        return await run_in_threadpool(_receive, state, batch_id, submission_id, form, uploads.stored)
    except InvalidForm as error:
        return unreadable_page(Addresses(state.base_url), error)
    finally:
        uploads.discard()


def _exists(state: AppState, batch_id: str, submission_id: str) -> bool:
    """Whether the submission exists; otherwise the form is not read."""
    with state.database.read() as connection:
        return find_session(connection, batch_id, submission_id, state.clock()) is not None


def _posted_page(state: AppState, batch_id: str, submission_id: str, fields: Mapping[str, list[str]]) -> Page:
    """The page that a form with files belongs to; its step is the first field.

    If the submission is not open, an empty page, so that no file is stored.
    """
    with state.database.read() as connection:
        session = find_session(connection, batch_id, submission_id, state.clock())
    if session is None or session.state is not SubmissionState.OPEN:
        return Page("", {})
    return session.step(next(iter(fields.get("step", ())), None)).page


def _show(state: AppState, batch_id: str, submission_id: str, requested_step: str | None) -> Response:
    addresses = Addresses(state.base_url)
    now = state.clock()
    with state.database.read() as connection:
        session = find_session(connection, batch_id, submission_id, now)
        if session is None:
            return unknown_page(addresses)
        if session.state is not SubmissionState.OPEN:
            return _status_page(connection, addresses, session, now)
        step = session.step(requested_step)
        task = task_of(connection, session, step)
        content = task_content(connection, session, task)
        answers = {} if task is None else responses.answers_to(connection, session.submission.id, task.number)
    interval = min(_ACTIVITY_INTERVAL_MS, session.batch.place_timeout // 4)
    is_due = session.submission.touched_at <= now - interval
    if is_due and not _record_reading(state, batch_id, submission_id, now):
        return redirect_303(addresses.submission(session.batch.id, submission_id))
    return _page(addresses, session, step, content, prefilled_page(step.page, answers))


def _record_reading(state: AppState, batch_id: str, submission_id: str, now: int) -> bool:
    """Record that a page is read; False if the submission is not open any more.

    Another participant may have taken the place since the submission was read.
    """
    with state.database.write() as connection:
        session = find_session(connection, batch_id, submission_id, now)
        if session is None or session.state is not SubmissionState.OPEN:
            return False
        submissions.record_activity(connection, submission_id, now)
    return True


def _receive(
    state: AppState, batch_id: str, submission_id: str, form: FormData, uploaded: list[StoredFile]
) -> Response:
    """Validate a page and store its answers and files in one transaction.

    Recorded files are removed from `uploaded`; the caller discards what remains there.

    Raises:
        InvalidForm: an answer that is otherwise valid has a file that was not stored.
    """
    addresses, now = Addresses(state.base_url), state.clock()
    with state.database.write(durable=True) as connection:
        session = find_session(connection, batch_id, submission_id, now)
        if session is None:
            return unknown_page(addresses)
        if session.state is not SubmissionState.OPEN:
            if _is_stored(connection, session, form):
                return redirect_303(addresses.submission(session.batch.id, submission_id))
            return _status_page(connection, addresses, session, now, is_rejected=True)
        step = session.step(form.first("step") or None)
        # A sync that adds tasks to the group moves the closing pages to later steps.
        if (form.first("step"), form.first("page")) != (str(step.number), str(step.page_number)):
            return redirect_303(addresses.submission(session.batch.id, submission_id))
        task = task_of(connection, session, step)
        before = participant_files.find(connection, submission_id, retained_file_keys(form))
        validated = validate_page(step.page, form, before)
        if validated.is_valid and validated.lacks_files:
            raise InvalidForm
        participant_files.add(connection, uploaded)
        unreferenced = []
        if validated.is_valid:
            unreferenced = _store_answers(connection, session, step, task, validated.answers, now)
        else:
            submissions.record_activity(connection, submission_id, now)
    uploaded.clear()
    for blob in unreferenced:
        state.blobs.remove(blob)
    if not validated.is_valid:
        with state.database.read() as connection:
            content = task_content(connection, session, task)
        return _page(addresses, session, step, content, validated.values)
    return redirect_303(addresses.submission(session.batch.id, submission_id, step.number + 1))


def _is_stored(connection: Connection, session: ParticipantSession, form: FormData) -> bool:
    """Whether the answers of a posted page are stored already, as after a second click on the last page.

    Files are compared without their keys, since those of a closed submission are not stored again.
    """
    if session.submission.setup != session.batch.setup or not len(session.steps):
        return False
    step = session.step(form.first("step") or None)
    task = task_of(connection, session, step)
    if task is None:
        return True
    stored = responses.answers_to(connection, session.submission.id, task.number)
    before = participant_files.find(connection, session.submission.id, retained_file_keys(form))
    return all(
        _without_keys(answer.answer) == _without_keys(stored.get(answer.instruction_id))
        for answer in validate_page(step.page, form, before).answers
    )


def _without_keys(answer: Json) -> list[JsonObject]:
    entries = answer if is_array(answer) else ()
    return [
        {name: value for name, value in entry.items() if name != "file_key"}
        for entry in entries
        if is_object(entry)
    ]


def _store_answers(
    connection: Connection,
    session: ParticipantSession,
    step: PageStep,
    task: Task | None,
    answers: Sequence[NewResponse],
    now: int,
) -> list[str]:
    """Store the answers of a page; after the last page, returns the blobs of files no answer refers to."""
    last = step.number + 1 == len(session.steps)
    if task is not None:
        responses.store(connection, session.submission.id, task.number, answers, now)
    submissions.advance(connection, session.submission.id, step.number + 1, now, completed=last)
    return participant_files.delete_unreferenced(connection, session.submission.id) if last else []


def _page(
    addresses: Addresses,
    session: ParticipantSession,
    step: PageStep,
    content: TaskContent,
    values: PageValues,
) -> Response:
    record = content.record
    submission_id = session.submission.id
    last = step.number + 1 == len(session.steps)
    return question_page(
        addresses,
        QuestionPage(
            name=str(session.batch.task_details.get("task_name", "")) or session.batch.name,
            progress=session.steps.progress(step),
            view=page_view(step.page, record or {}, content.schema, values),
            data=PageData(
                submission_id,
                content.task_id,
                None if record is None else record_digest(record),
                step.number,
                len(session.steps),
                step.page_number,
                instructions_json(step.page),
                None if record is None else record_digest(_visible(record, content.schema)),
                len(letters_of(record or {})),
            ),
            action=addresses.submission(session.batch.id, submission_id),
            button=_("Finish") if last else _("Next page"),
            back=addresses.submission(session.batch.id, submission_id, step.number - 1)
            if step.number
            else None,
        ),
    )


def _visible(record: Mapping[str, Json], schema: Schema | None) -> Mapping[str, Json]:
    """The values that a page may show: all but metadata and the task group."""
    if schema is None:
        return record
    return {key: value for key, value in record.items() if _is_visible(schema.fields.get(key))}


def _is_visible(field: Field | None) -> bool:
    return field is not None and field.type.referable


def _status_page(
    connection: Connection,
    addresses: Addresses,
    session: ParticipantSession,
    now: int,
    *,
    is_rejected: bool = False,
) -> Response:
    """Why a submission is closed; `is_rejected`: a page was posted that is not stored any more."""
    batch, participant = session.batch, session.submission.participant_id
    start = addresses.study(batch.id, batch.participation_key, participant)
    match session.state:
        case SubmissionState.FINISHED:
            reason = submissions.why_not_assignable(connection, batch, participant, now)
            another = start if is_open(batch) and reason is None else None
            return finished_page(addresses, another, is_rejected=is_rejected)
        case SubmissionState.REPLACED:
            return replaced_page(addresses, start, is_rejected=is_rejected)
        case _:
            return timed_out_page(addresses, start, is_rejected=is_rejected)
