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

from batchwright.base.files.durable_files import is_disk_full
from batchwright.base.i18n import _
from batchwright.service.handlers.storage import StorageError
from batchwright.service.http.app_state import AppState, app_state
from batchwright.service.http.middleware import (
    SAFE_HEADERS,
    HostHeaderMiddleware,
    RequestHeadersMiddleware,
    ResponseHeadersMiddleware,
    TrailingSlashMiddleware,
    UnreadBodyMiddleware,
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
from batchwright.service.participate.addresses import Addresses
from batchwright.service.participate.status_pages import disk_full_page, error_page
from batchwright.service.server.routes import ROUTES
from batchwright.service.signing import AccessDenied


def build(state: AppState, host_names: frozenset[str]) -> Starlette:
    """Create the application; `host_names` are the accepted host names besides numeric addresses."""
    app = Starlette(
        routes=ROUTES,
        middleware=[
            Middleware(UnreadBodyMiddleware),
            Middleware(ResponseHeadersMiddleware),
            Middleware(HostHeaderMiddleware, names=host_names),
            Middleware(RequestHeadersMiddleware),
            Middleware(TrailingSlashMiddleware),
        ],
        exception_handlers=_EXCEPTION_HANDLERS,
    )
    app.router.redirect_slashes = False
    app.state.service = state
    return app


def _http_error(_request: Request, error: Any) -> Response:
    http_error: HttpError = error
    return error_response(http_error.status, http_error.detail)


def _invalid_layout(_request: Request, error: Any) -> Response:
    return layout_error_response(error)


def _access_denied(_request: Request, error: Any) -> Response:
    return xml_error(HTTPStatus.FORBIDDEN, "AccessDenied", str(error))


def _storage_error(_request: Request, error: Any) -> Response:
    storage_error: StorageError = error
    return xml_error(storage_error.status, storage_error.code, str(storage_error))


def _not_found_or_method(request: Request, error: Any) -> Response:
    """404 for an unknown path; 405 for a known one, with the allowed methods."""
    status = HTTPStatus(error.status_code)
    if status is not HTTPStatus.METHOD_NOT_ALLOWED:
        return error_response(status, _("No resource has this URL."))
    methods = _methods_at(request.scope)
    return error_response(
        status, _("This URL only accepts {methods}.").format(methods=methods), {"Allow": methods}
    )


def _methods_at(scope: Any) -> str:
    routes = [route for route in ROUTES if route.matches(scope)[0] is not Match.NONE]
    return ", ".join(sorted({method for route in routes for method in route.methods or ()}))


def _client_disconnected(_request: Request, _error: Any) -> Response:
    """The client closed the connection while sending, so no one reads this response."""
    return error_response(HTTPStatus.BAD_REQUEST, _("The request ended too early."))


def _disk_full(request: Request, error: Any) -> Response:
    """507 when the disk is full; any other system error is raised again."""
    if not is_disk_full(error):
        raise error
    return _error_for_path(
        request, HTTPStatus.INSUFFICIENT_STORAGE, "InsufficientStorage", disk_full_message(), disk_full_page
    )


def _internal_error(request: Request, _error: Any) -> Response:
    """500 without details; Starlette raises the error again, so that it is logged.

    This runs outside all middleware, and the server closes the connection afterwards: headers are set here.
    """
    message = _("Internal error; see the service log.")
    response = _error_for_path(
        request, HTTPStatus.INTERNAL_SERVER_ERROR, "InternalError", message, error_page
    )
    response.headers.update({**SAFE_HEADERS, "Connection": "close"})
    return response


def _error_for_path(
    request: Request, status: HTTPStatus, code: str, message: str, page: Callable[[Addresses], Response]
) -> Response:
    """An error in the format of the path: XML for storage, a page for participants, JSON for the API."""
    path = request.url.path
    if path.startswith("/storage/"):
        return xml_error(status, code, message)
    if path.startswith("/participate/"):
        return page(Addresses(app_state(request).base_url))
    return error_response(status, message, sunset_headers(path))


_EXCEPTION_HANDLERS: Mapping[Any, ExceptionHandler] = {
    HttpError: _http_error,
    InvalidLayout: _invalid_layout,
    AccessDenied: _access_denied,
    StorageError: _storage_error,
    HTTPException: _not_found_or_method,
    ClientDisconnect: _client_disconnected,
    OSError: _disk_full,
    Exception: _internal_error,
}
