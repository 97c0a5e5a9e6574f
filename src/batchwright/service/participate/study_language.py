"""The language of participant pages: that of their study, whatever language the service runs in."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import TypeAlias

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from batchwright.base.i18n import use_language
from batchwright.service.http.app_state import AppState, app_state
from batchwright.service.store import batches

Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]


def in_study_language(endpoint: Endpoint) -> Endpoint:
    """An endpoint that responds in the language of the study in its path, with errors too.

    Each request is a task of its own, so that the language holds until its response. It is always set: a
    later request of a connection may begin with the context of an earlier one.
    """

    @wraps(endpoint)
    async def respond(request: Request) -> Response:
        use_language(await run_in_threadpool(_language, app_state(request), request.path_params["batch_id"]))
        return await endpoint(request)

    return respond


def _language(state: AppState, batch_id: str) -> str | None:
    with state.database.read() as connection:
        return batches.language_of(connection, batch_id)
