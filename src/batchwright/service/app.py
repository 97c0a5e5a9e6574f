"""The service's routes, its errors, and the application made of them (specification, Endpoints)."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import ExceptionHandler

from batchwright.base.durable_files import is_disk_full
from batchwright.base.i18n import _
from batchwright.service.handlers import (
    account,
    batches,
    collections,
    datapoints,
    dataset_schemas,
    datasets,
    exports,
    feedback,
    instructions,
    local,
    participants,
    setups,
    storage,
    syncs,
)
from batchwright.service.handlers import responses as handlers_responses
from batchwright.service.handlers import tasks as handlers_tasks
from batchwright.service.handlers.storage import StorageError
from batchwright.service.http import openapi
from batchwright.service.http.app_state import AppState, app_state
from batchwright.service.http.endpoint import Handler, endpoint, name_of
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
from batchwright.service.participate import PARTICIPATE_ROUTES
from batchwright.service.participate.addresses import Addresses
from batchwright.service.participate.status_pages import disk_full_page, fault_page
from batchwright.service.signing import AccessDenied


def _route(method: str, path: str, handler: Handler) -> Route:
    return Route(path, endpoint(handler), methods=[method], name=name_of(handler))


def _creating_get(path: str, handler: Handler) -> Route:
    """A GET that creates something. HEAD, which every other GET has beside it, must not: it is a 405."""
    route = _route("GET", path, handler)
    route.methods = {"GET"}
    return route


_DATA = "/api/v1/data-collection"
_DATASET = f"{_DATA}/datasets/{{dataset_id}}"
_BATCH = f"{_DATA}/batches/{{batch_id}}"
_COLLECTION = f"{_DATA}/collections/{{collection_id}}"
_LOCAL = "/local/v1"

API_ROUTES = [
    _route("GET", "/api/v1/users/me", account.me),
    _route("POST", "/api/v1/researchers/participants", participants.create),
    _route("POST", f"{_DATA}/datasets", datasets.create),
    _route("GET", _DATASET, datasets.get),
    _route("PATCH", _DATASET, dataset_schemas.update),
    _route("GET", f"{_DATASET}/schema-migrations/{{job_id}}", dataset_schemas.get_migration),
    _route("GET", f"{_DATASET}/status", datasets.status),
    _creating_get(f"{_DATASET}/upload-url/{{filename:path}}", datasets.upload_url),
    _route("GET", f"{_DATASET}/imports/{{import_id}}", datasets.get_import),
    _route("POST", f"{_DATASET}/datapoints", datapoints.append),
    _route("GET", f"{_DATA}/batches", batches.list_all),
    _route("POST", f"{_DATA}/batches", batches.create),
    _route("GET", _BATCH, batches.get),
    _route("PATCH", _BATCH, batches.update),
    _route("GET", f"{_BATCH}/status", batches.status),
    _route("POST", f"{_BATCH}/duplicate", batches.duplicate),
    _route("POST", f"{_BATCH}/setup", setups.set_up),
    _route("POST", f"{_BATCH}/sync", syncs.start),
    _route("GET", f"{_BATCH}/syncs/{{sync_id}}", syncs.get),
    _route("GET", f"{_BATCH}/tasks", handlers_tasks.tasks),
    _route("GET", f"{_BATCH}/task-groups", handlers_tasks.task_groups),
    _route("GET", f"{_BATCH}/instructions", instructions.list_all),
    _route("POST", f"{_BATCH}/instructions", instructions.create),
    _route("PUT", f"{_BATCH}/instructions", instructions.replace),
    _route("GET", f"{_BATCH}/responses", handlers_responses.responses),
    _route("GET", f"{_BATCH}/report", handlers_responses.report),
    _route("POST", f"{_BATCH}/export", exports.start),
    _route("GET", f"{_BATCH}/export/{{export_id}}", exports.get),
    _route("GET", f"{_DATA}/collections", collections.list_all),
    _route("POST", f"{_DATA}/collections", collections.create),
    _route("GET", _COLLECTION, collections.get),
    _route("PUT", _COLLECTION, collections.replace),
    _route("GET", f"{_COLLECTION}/responses", collections.responses),
    _route("POST", f"{_COLLECTION}/export", exports.start_of_collection),
    _route("GET", f"{_COLLECTION}/export/{{export_id}}", exports.get_of_collection),
    _creating_get("/api/v1/submissions/signals/upload-url/{filename:path}", feedback.upload_url),
]

LOCAL_ROUTES = [
    _route("GET", f"{_LOCAL}/batches/{{batch_id}}/participation", local.participation),
    _route("PUT", f"{_LOCAL}/batches/{{batch_id}}/annotators-per-task", local.annotators_per_task),
    _route("PUT", f"{_LOCAL}/batches/{{batch_id}}/shuffle-seed", local.shuffle_seed),
    _route("GET", f"{_LOCAL}/batches/{{batch_id}}/progress", local.progress),
    _route("POST", f"{_LOCAL}/batches/{{batch_id}}/reset", local.reset),
    _route(
        "GET",
        f"{_LOCAL}/collections/{{collection_id}}/participation",
        local.participation_in_collection,
    ),
    _route("POST", f"{_LOCAL}/collections/{{collection_id}}/reset", local.reset_collection),
    _route("POST", f"{_LOCAL}/previews", local.preview),
]

STORAGE_ROUTES = [
    Route("/storage/imports/{import_id}/{filename}", storage.put_import, methods=["PUT"]),
    Route("/storage/feedback/{number:int}/{filename}", storage.put_feedback, methods=["PUT"]),
    Route("/storage/reports/{batch_id}/{filename}", storage.get_report, methods=["GET"]),
    Route("/storage/exports/{export_id}/{filename}", storage.get_export, methods=["GET"]),
]

OPENAPI_ROUTES = [
    Route("/openapi.json", openapi.openapi_endpoint([*API_ROUTES, *LOCAL_ROUTES]), methods=["GET"])
]

ROUTES = [*PARTICIPATE_ROUTES, *API_ROUTES, *LOCAL_ROUTES, *STORAGE_ROUTES, *OPENAPI_ROUTES]
"""Every route; the first that matches answers, so those asked for most come first."""


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
    sentence = _("The service has a fault; its log says more.")
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
