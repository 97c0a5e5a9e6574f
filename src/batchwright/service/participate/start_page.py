"""The link that participants open: what the study is about, and the button that hands out a group."""

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
from batchwright.service.store.submissions import AssignmentRefusal
from batchwright.wire.batches import BatchStatus

COOKIE = "batchwright_participant"
"""Who a browser's person is, when the link does not say: 24 hex digits of ours."""

_COOKIE_SECONDS = 180 * 24 * 3600
_PARTICIPANT = re.compile(r"[0-9a-f]{24}")


@dataclass(frozen=True)
class _Participant:
    """Who opens a link: the id in the link, else the browser's own from before, else nobody yet."""

    given: str
    remembered: str

    @property
    def id(self) -> str:
        return self.given or self.remembered


async def get_start_page(request: Request) -> Response:
    """GET `/participate/{batch_id}?key=`: task details and the start button."""
    caller = _caller(request, request.query_params.get("participant", ""))
    if caller is None:
        return unknown_page(Addresses(app_state(request).base_url))
    key = request.query_params.get("key", "")
    return await run_in_threadpool(_study, app_state(request), request.path_params["batch_id"], key, caller)


async def start(request: Request) -> Response:
    """POST `/participate/{batch_id}/start`: hand out a group, or go back to the one begun before."""
    addresses = Addresses(app_state(request).base_url)
    try:
        posted = await read_form(request, no_files)
    except InvalidForm as fault:
        return unreadable_page(addresses, fault)
    caller = _caller(request, posted.first("participant"))
    if caller is None:
        return unknown_page(addresses)
    return await run_in_threadpool(
        _start, app_state(request), request.path_params["batch_id"], posted.first("key"), caller
    )


def _study(parts: AppState, batch_id: str, key: str, caller: _Participant) -> Response:
    addresses = Addresses(parts.base_url)
    with parts.database.read() as connection:
        batch = _admitted(parts, connection, batch_id, key, caller)
        if isinstance(batch, Response):
            return batch
        begun = (
            submissions.open_submission(connection, batch, caller.id, parts.clock()) if caller.id else None
        )
    details = batch.task_details
    return start_page(
        addresses,
        name=str(details.get("task_name", "")) or batch.name,
        introduction=sanitized_html(str(details.get("task_introduction", "")), "html"),
        steps=sanitized_html(str(details.get("task_steps", "")), "html"),
        action=addresses.start(batch.id),
        key=key,
        participant=caller.given,
        button=_("Continue") if begun else _("Start"),
        note=_("You have begun already. Your answers are still there.")
        if begun
        else _("Each page is kept when you send it. You can come back to it until you finish."),
    )


def _start(parts: AppState, batch_id: str, key: str, caller: _Participant) -> Response:
    addresses = Addresses(parts.base_url)
    with parts.database.write() as connection:
        batch = _admitted(parts, connection, batch_id, key, caller)
        if isinstance(batch, Response):
            return batch
        participant = caller.id or secrets.token_hex(12)
        submission = submissions.assign_group(connection, batch, participant, parts.clock())
    if isinstance(submission, AssignmentRefusal):
        return no_group_page(addresses, submission)
    answer = redirect_303(addresses.submission(batch.id, submission.id))
    if not caller.given:
        answer.set_cookie(
            COOKIE,
            participant,
            max_age=_COOKIE_SECONDS,
            path=addresses.root,
            secure=parts.base_url.startswith("https:"),
            httponly=True,
            samesite="lax",
        )
    return answer


def is_open(batch: StoredBatch) -> bool:
    """Whether groups can be handed out: the batch is set up, with a layout."""
    return batch.status is BatchStatus.READY and batch.live_items is not None


def _admitted(
    parts: AppState, connection: Connection, batch_id: str, key: str, caller: _Participant
) -> StoredBatch | Response:
    """The study, or the page that says why nobody starts; a wrong key tells nothing about what there is."""
    addresses = Addresses(parts.base_url)
    batch = batches.find_study(connection, batch_id)
    if batch is None or not secrets.compare_digest(batch.participation_key.encode(), key.encode()):
        return unknown_page(addresses)
    if not is_open(batch):
        return not_ready_page(addresses)
    if not _is_eligible(parts.accounts, connection, caller.id, batch):
        return not_eligible_page(addresses)
    return batch


def _caller(request: Request, given: str) -> _Participant | None:
    """Who asks; None when the link names somebody by what is no participant id."""
    if given and not _PARTICIPANT.fullmatch(given):
        return None
    remembered = request.cookies.get(COOKIE, "")
    return _Participant(given, remembered if _PARTICIPANT.fullmatch(remembered) else "")


def _is_eligible(accounts: Accounts, connection: Connection, participant_id: str, study: StoredBatch) -> bool:
    """Whether somebody may take part in a study (specification, Test participant 2).

    Test participants may in their researcher's workspaces that have the feature; others may anywhere.
    """
    participant = participants.find(connection, participant_id)
    if participant is None:
        return True
    researcher = accounts.with_id(participant.researcher)
    return researcher is not None and study.workspace_id in accounts.workspaces_with(
        researcher, Feature.TEST_PARTICIPANTS
    )
