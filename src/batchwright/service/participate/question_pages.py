"""A participant's own pages: shown at the step reached or an earlier one, checked and kept when sent."""

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
    task_content,
    task_of,
    visit,
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

_TOUCH_EVERY = 5 * MINUTE


async def get_page(request: Request) -> Response:
    """GET `/participate/{batch_id}/{submission_id}`: the page reached, or `?step=` an earlier one."""
    return await run_in_threadpool(
        _show,
        app_state(request),
        request.path_params["batch_id"],
        request.path_params["submission_id"],
        request.query_params.get("step"),
    )


async def post_page(request: Request) -> Response:
    """POST of a page: checked, stored durably, on to the next; 422 with the page when something is wrong."""
    parts = app_state(request)
    batch_id, submission_id = request.path_params["batch_id"], request.path_params["submission_id"]
    if not await run_in_threadpool(_is_known, parts, batch_id, submission_id):
        return unknown_page(Addresses(parts.base_url))
    arrivals = UploadedFiles(
        lambda fields: _posted_page(parts, batch_id, submission_id, fields),
        UploadTarget(
            parts.blobs, parts.database, submission_id, f"responses/{batch_id.lower()}/{submission_id}"
        ),
    )
    try:
        posted = await read_form(request, arrivals.door)
        return await run_in_threadpool(_receive, parts, batch_id, submission_id, posted, arrivals.stored)
    except InvalidForm as fault:
        return unreadable_page(Addresses(parts.base_url), fault)
    finally:
        arrivals.discard()


def _is_known(parts: AppState, batch_id: str, submission_id: str) -> bool:
    """Whether there is such a submission; otherwise nothing that is sent is read."""
    with parts.database.read() as connection:
        return visit(connection, batch_id, submission_id, parts.clock()) is not None


def _posted_page(parts: AppState, batch_id: str, submission_id: str, fields: Mapping[str, list[str]]) -> Page:
    """The page that a form with files belongs to; the forms of our pages name their step first.

    Where nobody may post it is one that asks for no file, so that none is kept.
    """
    with parts.database.read() as connection:
        found = visit(connection, batch_id, submission_id, parts.clock())
    if found is None or found.standing is not SubmissionState.OPEN:
        return Page("", {})
    return found.step(next(iter(fields.get("step", ())), None)).page


def _show(parts: AppState, batch_id: str, submission_id: str, asked: str | None) -> Response:
    addresses = Addresses(parts.base_url)
    now = parts.clock()
    with parts.database.read() as connection:
        found = visit(connection, batch_id, submission_id, now)
        if found is None:
            return unknown_page(addresses)
        if found.standing is not SubmissionState.OPEN:
            refusal = submissions.why_not_assignable(
                connection, found.batch, found.submission.participant_id, now
            )
            return _standing_page(addresses, found, another=is_open(found.batch) and refusal is None)
        step = found.step(asked)
        task = task_of(connection, found, step)
        seen = task_content(connection, found, task)
        answers = {} if task is None else responses.answers_to(connection, found.submission.id, task.number)
    if found.submission.touched_at <= now - _TOUCH_EVERY:
        with parts.database.write() as connection:
            submissions.record_activity(connection, found.submission.id, now)
    return _page(addresses, found, step, seen, prefilled_page(step.page, answers))


def _receive(
    parts: AppState, batch_id: str, submission_id: str, posted: FormData, arrived: list[StoredFile]
) -> Response:
    """Judge a page and keep what it brings, in one transaction: nothing can change between the two.

    Files that are stored leave `arrived`: what stays there is discarded.
    """
    addresses, now = Addresses(parts.base_url), parts.clock()
    with parts.database.write(durable=True) as connection:
        found = visit(connection, batch_id, submission_id, now)
        if found is None:
            return unknown_page(addresses)
        if found.standing is not SubmissionState.OPEN:
            return redirect_303(addresses.submission(found.batch.id, submission_id))
        step = found.step(posted.first("step") or None)
        if posted.first("step") != str(step.number):
            return redirect_303(addresses.submission(found.batch.id, submission_id))
        task = task_of(connection, found, step)
        before = participant_files.find(connection, submission_id, retained_file_keys(posted))
        judged = validate_page(step.page, posted, before)
        participant_files.add(connection, arrived)
        unnamed = _keep(connection, found, step, task, judged.answers, now) if judged.taken else []
    arrived.clear()
    for blob in unnamed:
        parts.blobs.remove(blob)
    if not judged.taken:
        with parts.database.read() as connection:
            seen = task_content(connection, found, task)
        return _page(addresses, found, step, seen, judged.filling)
    next_step = step.number + 1
    is_behind = next_step < found.submission.step
    return redirect_303(addresses.submission(found.batch.id, submission_id, next_step if is_behind else None))


def _keep(
    connection: Connection,
    found: ParticipantSession,
    step: PageStep,
    task: Task | None,
    answers: Sequence[NewResponse],
    now: int,
) -> list[str]:
    """Store the answers of a page; the blobs that nothing names any more once the last page is answered."""
    last = step.number + 1 == len(found.steps)
    if task is not None:
        responses.store(connection, found.submission.id, task.number, answers, now)
    submissions.advance(connection, found.submission.id, step.number + 1, now, completed=last)
    return participant_files.delete_unreferenced(connection, found.submission.id) if last else []


def _page(
    addresses: Addresses, found: ParticipantSession, step: PageStep, seen: TaskContent, filling: PageValues
) -> Response:
    record = seen.record
    here = found.submission.id
    last = step.number + 1 == len(found.steps)
    return question_page(
        addresses,
        QuestionPage(
            name=str(found.batch.task_details.get("task_name", "")) or found.batch.name,
            progress=found.steps.progress(step),
            screen=page_view(step.page, record or {}, seen.schema, filling),
            data=PageData(
                here,
                seen.task_id,
                None if record is None else record_digest(record),
                step.number,
                len(found.steps),
                step.page_number,
                instructions_json(step.page),
            ),
            action=addresses.submission(found.batch.id, here),
            button=_("Finish") if last else _("Next page"),
            back=addresses.submission(found.batch.id, here, step.number - 1) if step.number else None,
        ),
    )


def _standing_page(addresses: Addresses, found: ParticipantSession, *, another: bool) -> Response:
    start = addresses.study(found.batch.id, found.batch.participation_key, found.submission.participant_id)
    match found.standing:
        case SubmissionState.FINISHED:
            return finished_page(addresses, start if another else None)
        case SubmissionState.REPLACED:
            return replaced_page(addresses, start)
        case _:
            return timed_out_page(addresses, start)
