"""The start page of a study: task details, and the button that assigns a task group."""

import re
import secrets
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from batchwright.base.database import Connection
from batchwright.base.i18n import _
from batchwright.layout.rich_text import sanitized_html
from batchwright.service.auth import Accounts, Feature
from batchwright.service.http.app_state import AppState, app_state
from batchwright.service.participate.addresses import Addresses
from batchwright.service.participate.form_data import no_files, read_form
from batchwright.service.participate.multipart import InvalidForm
from batchwright.service.participate.pages import redirect_303, start_page
from batchwright.service.participate.status_pages import (
    no_group_page,
    not_eligible_page,
    not_ready_page,
    unknown_page,
    unreadable_page,
)
from batchwright.service.store import batches, participants, submissions
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.submissions import AssignmentRefusal, Submission
from batchwright.wire.batches import BatchStatus

COOKIE = "batchwright_participant"
"""The participant id of a browser if the link has none: 24 hex digits."""

_COOKIE_SECONDS = 180 * 24 * 3600
_PARTICIPANT = re.compile(r"[0-9a-f]{24}")
_PAGE_LOAD = re.compile(r"[0-9a-f]{24}")


@dataclass(frozen=True)
class _Participant:
    """Who opens a link, by the id in the link or else in the cookie; both may be empty."""

    id_in_link: str
    id_in_cookie: str

    @property
    def id(self) -> str:
        return self.id_in_link or self.id_in_cookie


async def get_start_page(request: Request) -> Response:
    """GET `/participate/{batch_id}?key=`: the start page."""
    participant = _participant_of(request, request.query_params.get("participant", ""))
    if participant is None:
        return unknown_page(Addresses(app_state(request).base_url))
    key = request.query_params.get("key", "")
    return await run_in_threadpool(
        _get_start_page, app_state(request), request.path_params["batch_id"], key, participant
    )


async def start(request: Request) -> Response:
    """POST `/participate/{batch_id}/start`: assigns a group, or continues the one already started.

    Requests from the same load of the start page, such as those of a double click, get the same submission,
    also when the browser has no participant id yet.
    """
    addresses = Addresses(app_state(request).base_url)
    try:
        form = await read_form(request, no_files)
    except InvalidForm as error:
        return unreadable_page(addresses, error)
    participant = _participant_of(request, form.first("participant"))
    if participant is None:
        return unknown_page(addresses)
    page_load = form.first("load") if _PAGE_LOAD.fullmatch(form.first("load")) else None
    return await run_in_threadpool(
        _start, app_state(request), request.path_params["batch_id"], form.first("key"), participant, page_load
    )


def _get_start_page(state: AppState, batch_id: str, key: str, participant: _Participant) -> Response:
    addresses = Addresses(state.base_url)
    with state.database.read() as connection:
        batch = _admit(state, connection, batch_id, key, participant)
        if isinstance(batch, Response):
            return batch
        submission = (
            submissions.open_submission(connection, batch, participant.id, state.clock())
            if participant.id
            else None
        )
    details = batch.task_details
    return start_page(
        addresses,
        name=str(details.get("task_name", "")) or batch.name,
        introduction=sanitized_html(str(details.get("task_introduction", "")), "html"),
        steps=sanitized_html(str(details.get("task_steps", "")), "html"),
        action=addresses.start(batch.id),
        key=key,
        participant=participant.id_in_link,
        page_load=secrets.token_hex(12),
        button=_("Continue") if submission else _("Start"),
        note=_("You have already started. Your answers are saved.")
        if submission
        else _("Each page is saved when you send it. You can return to it until you finish."),
    )


def _start(state: AppState, batch_id: str, key: str, caller: _Participant, page_load: str | None) -> Response:
    addresses = Addresses(state.base_url)
    with state.database.write() as connection:
        batch = _admit(state, connection, batch_id, key, caller)
        if isinstance(batch, Response):
            return batch
        earlier = None if page_load is None else submissions.started_from(connection, batch, page_load)
        participant = caller.id or (earlier.participant_id if earlier else secrets.token_hex(12))
        submission: Submission | AssignmentRefusal
        if earlier is not None and earlier.participant_id == participant:
            submission = earlier
        else:
            submission = submissions.assign_group(connection, batch, participant, state.clock(), page_load)
    if isinstance(submission, AssignmentRefusal):
        return no_group_page(addresses, submission)
    answer = redirect_303(addresses.submission(batch.id, submission.id, submission.step))
    if not caller.id_in_link:
        answer.set_cookie(
            COOKIE,
            participant,
            max_age=_COOKIE_SECONDS,
            path=addresses.root,
            secure=state.base_url.startswith("https:"),
            httponly=True,
            samesite="lax",
        )
    return answer


def is_open(batch: StoredBatch) -> bool:
    """Whether groups can be assigned: the batch is set up and has a layout."""
    return batch.status is BatchStatus.READY and batch.live_items is not None


def _admit(
    state: AppState, connection: Connection, batch_id: str, key: str, participant: _Participant
) -> StoredBatch | Response:
    """The study, or the page that says why it cannot be started; a wrong key is like an unknown id."""
    addresses = Addresses(state.base_url)
    batch = batches.find_study(connection, batch_id)
    if batch is None or not secrets.compare_digest(batch.participation_key.encode(), key.encode()):
        return unknown_page(addresses)
    if not is_open(batch):
        return not_ready_page(addresses, is_processing=batch.status is BatchStatus.PROCESSING)
    if not _is_eligible(state.accounts, connection, participant.id, batch):
        return not_eligible_page(addresses)
    return batch


def _participant_of(request: Request, id_in_link: str) -> _Participant | None:
    """The participant of a request; None if the link contains an invalid participant id."""
    if id_in_link and not _PARTICIPANT.fullmatch(id_in_link):
        return None
    id_in_cookie = request.cookies.get(COOKIE, "")
    return _Participant(id_in_link, id_in_cookie if _PARTICIPANT.fullmatch(id_in_cookie) else "")


def _is_eligible(accounts: Accounts, connection: Connection, participant_id: str, study: StoredBatch) -> bool:
    """Whether a participant may take part in a study (specification, Test participant 2).

    Test participants may do so only in those workspaces of their researcher that have the feature.
    """
    participant = participants.find(connection, participant_id)
    if participant is None:
        return True
    researcher = accounts.with_id(participant.researcher)
    return researcher is not None and study.workspace_id in accounts.workspaces_with(
        researcher, Feature.TEST_PARTICIPANTS
    )
