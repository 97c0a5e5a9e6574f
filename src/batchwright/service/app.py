"""The ASGI application: the routes, the middleware, and the response to each exception."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import ExceptionHandler

from batchwright.base.durable_files import is_disk_full
from batchwright.base.i18n import _
from batchwright.service.handlers.storage import StorageError
from batchwright.service.http.app_state import AppState, app_state
from batchwright.service.http.middleware import (
    SAFE_HEADERS,
    AnswerHeaders,
    HostHeaderMiddleware,
    TrailingSlashMiddleware,
    sunset_headers,
)
from batchwright.service.http.responses import (
    HttpError,
    InvalidLayout,
    disk_full_message,
    error_response,
    layout_error_response,
    xml_error,
)
from batchwright.service.http.unread_bodies import UnreadBodies
from batchwright.service.participate.addresses import Addresses
from batchwright.service.participate.status_pages import disk_full_page, fault_page
from batchwright.service.routes import ROUTES
from batchwright.service.signing import AccessDenied


def build(parts: AppState, host_names: frozenset[str]) -> Starlette:
    """The application; `host_names` are the names, besides numeric ones, that it may be called by."""
    app = Starlette(
        routes=ROUTES,
        middleware=[
            Middleware(UnreadBodies),
            Middleware(AnswerHeaders),
            Middleware(HostHeaderMiddleware, names=host_names),
            Middleware(TrailingSlashMiddleware),
        ],
        exception_handlers=_ERRORS,
    )
    app.router.redirect_slashes = False
    app.state.parts = parts
    return app


def _refused(_request: Request, error: Any) -> Response:
    refused: HttpError = error
    return error_response(refused.status, refused.detail)


def _layout_refused(_request: Request, error: Any) -> Response:
    return layout_error_response(error)


def _access_denied(_request: Request, error: Any) -> Response:
    return xml_error(HTTPStatus.FORBIDDEN, "AccessDenied", str(error))


def _storage_refused(_request: Request, error: Any) -> Response:
    refused: StorageError = error
    return xml_error(refused.status, refused.code, str(refused))


def _unrouted(request: Request, error: Any) -> Response:
    """404 for an unknown path; 405 for a known one, with the methods that it has."""
    status = HTTPStatus(error.status_code)
    if status is not HTTPStatus.METHOD_NOT_ALLOWED:
        return error_response(status, _("There is nothing at this address."))
    methods = _methods_at(request.scope)
    return error_response(
        status, _("This address takes {methods}.").format(methods=methods), {"Allow": methods}
    )


def _methods_at(scope: Any) -> str:
    routes = [route for route in ROUTES if route.matches(scope)[0] is not Match.NONE]
    return ", ".join(sorted({method for route in routes for method in route.methods or ()}))


def _gone(_request: Request, _error: Any) -> Response:
    """Nobody is left to read this: the client went away while sending."""
    return error_response(HTTPStatus.BAD_REQUEST, _("The request ended too early."))


def _disk_full(request: Request, error: Any) -> Response:
    """507 when the disk is full; any other fault of the system is ours."""
    if not is_disk_full(error):
        raise error
    return _worded(
        request, HTTPStatus.INSUFFICIENT_STORAGE, "InsufficientStorage", disk_full_message(), disk_full_page
    )


def _our_fault(request: Request, _error: Any) -> Response:
    """Says so to the client, outside of all middleware; Starlette raises the error again, for the log.

    The server then closes the connection, which the client must know before it sends more.
    """
    sentence = _("Internal error; see the service log.")
    answer = _worded(request, HTTPStatus.INTERNAL_SERVER_ERROR, "InternalError", sentence, fault_page)
    answer.headers.update({**SAFE_HEADERS, "Connection": "close"})
    return answer


def _worded(
    request: Request, status: HTTPStatus, code: str, sentence: str, page: Callable[[Addresses], Response]
) -> Response:
    """A failure as storage, a participant's page or the API tells of it, wherever the request went."""
    path = request.url.path
    if path.startswith("/storage/"):
        return xml_error(status, code, sentence)
    if path.startswith("/participate/"):
        return page(Addresses(app_state(request).base_url))
    return error_response(status, sentence, sunset_headers(path))


_ERRORS: Mapping[Any, ExceptionHandler] = {
    HttpError: _refused,
    InvalidLayout: _layout_refused,
    AccessDenied: _access_denied,
    StorageError: _storage_refused,
    HTTPException: _unrouted,
    ClientDisconnect: _gone,
    OSError: _disk_full,
    Exception: _our_fault,
}
