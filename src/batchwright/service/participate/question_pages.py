"""The pages of a submission: shown at the step reached or an earlier one, validated and stored when posted.

A page is validated and stored in one transaction, after its whole form has arrived: nothing can change in
between, and a stored answer costs less than with two transactions.
"""

from collections.abc import Mapping, Sequence

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from batchwright.base.database import Connection
from batchwright.base.i18n import _
from batchwright.layout.model import Page
from batchwright.layout.pages.navigation import PageStep
from batchwright.layout.pages.page import PageValues, instructions_json, page_view
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
from batchwright.service.participate.participant_session import (
    ParticipantSession,
    SubmissionState,
    TaskContent,
    find_session,
    task_content,
    task_of,
)
from batchwright.service.participate.start_page import is_open
from batchwright.service.participate.status_pages import (
    finished_page,
    replaced_page,
    timed_out_page,
    unknown_page,
    unreadable_page,
)
from batchwright.service.store import participant_files, responses, submissions
from batchwright.service.store.participant_files import StoredFile
from batchwright.service.store.responses import NewResponse
from batchwright.service.store.tasks import Task

_ACTIVITY_INTERVAL_MS = 5 * MINUTE


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
            refusal = submissions.why_not_assignable(
                connection, session.batch, session.submission.participant_id, now
            )
            return _status_page(addresses, session, another=is_open(session.batch) and refusal is None)
        step = session.step(requested_step)
        task = task_of(connection, session, step)
        content = task_content(connection, session, task)
        answers = {} if task is None else responses.answers_to(connection, session.submission.id, task.number)
    if session.submission.touched_at <= now - _ACTIVITY_INTERVAL_MS:
        with state.database.write() as connection:
            submissions.record_activity(connection, session.submission.id, now)
    return _page(addresses, session, step, content, prefilled_page(step.page, answers))


def _receive(
    state: AppState, batch_id: str, submission_id: str, form: FormData, uploaded: list[StoredFile]
) -> Response:
    """Validate a page and store its answers and files in one transaction.

    Recorded files are removed from `uploaded`; the caller discards what remains there.
    """
    addresses, now = Addresses(state.base_url), state.clock()
    with state.database.write(durable=True) as connection:
        session = find_session(connection, batch_id, submission_id, now)
        if session is None:
            return unknown_page(addresses)
        if session.state is not SubmissionState.OPEN:
            return redirect_303(addresses.submission(session.batch.id, submission_id))
        step = session.step(form.first("step") or None)
        if form.first("step") != str(step.number):
            return redirect_303(addresses.submission(session.batch.id, submission_id))
        task = task_of(connection, session, step)
        before = participant_files.find(connection, submission_id, retained_file_keys(form))
        validated = validate_page(step.page, form, before)
        participant_files.add(connection, uploaded)
        unreferenced = (
            _store_answers(connection, session, step, task, validated.answers, now)
            if validated.is_valid
            else []
        )
    uploaded.clear()
    for blob in unreferenced:
        state.blobs.remove(blob)
    if not validated.is_valid:
        with state.database.read() as connection:
            content = task_content(connection, session, task)
        return _page(addresses, session, step, content, validated.values)
    next_step = step.number + 1
    is_behind = next_step < session.submission.step
    return redirect_303(
        addresses.submission(session.batch.id, submission_id, next_step if is_behind else None)
    )


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
            ),
            action=addresses.submission(session.batch.id, submission_id),
            button=_("Finish") if last else _("Next page"),
            back=addresses.submission(session.batch.id, submission_id, step.number - 1)
            if step.number
            else None,
        ),
    )


def _status_page(addresses: Addresses, session: ParticipantSession, *, another: bool) -> Response:
    start = addresses.study(
        session.batch.id, session.batch.participation_key, session.submission.participant_id
    )
    match session.state:
        case SubmissionState.FINISHED:
            return finished_page(addresses, start if another else None)
        case SubmissionState.REPLACED:
            return replaced_page(addresses, start)
        case _:
            return timed_out_page(addresses, start)
