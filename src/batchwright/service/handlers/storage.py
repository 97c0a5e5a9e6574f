"""Uploads and downloads at pre-signed URLs, and the URL for feedback files (wire reference, section 11).

Import and feedback files are uploaded, reports and archives are downloaded. Responses are those of file
storage: 200 without a body, or an error as XML.
"""

import filecmp
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from typing import BinaryIO

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from batchwright.base.i18n import _
from batchwright.base.local_formats import joined
from batchwright.service import clock, enqueue
from batchwright.service.blobs import CHUNK_SIZE, BlobKind, Blobs, BlobWriter, UnfinishedFile
from batchwright.service.clock import timestamp
from batchwright.service.http import lookups
from batchwright.service.http.app_state import AppState, app_state
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.generated_files import GeneratedFileResponse, OpenedFileResponse
from batchwright.service.http.responses import bad_request, empty_response, forbidden, json_response
from batchwright.service.http.upload_filenames import url_quoted, validated_filename
from batchwright.service.orphan_files import delete_unless_referenced
from batchwright.service.serializers.response import report_lines
from batchwright.service.signing import AccessDenied
from batchwright.service.store import batches, exports, feedback, imports
from batchwright.wire.feedback import EXTENSIONS, MAX_BYTES, is_feedback_file
from batchwright.wire.imports import ImportStatus


class StorageError(Exception):
    """A rejected request to storage, with the error code of file storage."""

    def __init__(self, status: HTTPStatus, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


async def put_import(request: Request) -> Response:
    """Receive the file of an import; it is on the disk before the response is sent."""
    state = app_state(request)
    _check_upload(request, state)
    async with _receiving(state.blobs, BlobKind.UPLOAD) as writer:
        await _receive(request, writer)
        name = await run_in_threadpool(writer.store)
    await run_in_threadpool(_accept_import, state, request.path_params["import_id"], name)
    return empty_response(HTTPStatus.OK)


async def put_feedback(request: Request) -> Response:
    """Receive a feedback file; a second upload to the same URL replaces the first."""
    state = app_state(request)
    if _check_upload(request, state) > MAX_BYTES:
        raise StorageError(HTTPStatus.BAD_REQUEST, "EntityTooLarge", "The file is larger than 5 GB")
    async with _receiving(state.blobs, BlobKind.FEEDBACK) as writer:
        await _receive(request, writer)
        name = await run_in_threadpool(writer.store)
    await run_in_threadpool(_accept_feedback, state, request.path_params["number"], name, writer.size)
    return empty_response(HTTPStatus.OK)


async def get_report(request: Request) -> Response:
    """The current report."""
    state = app_state(request)
    _check_signature(request, state)
    batch = await run_in_threadpool(_batch, state, request.path_params["batch_id"])
    return await GeneratedFileResponse.of(
        request,
        state.blobs,
        report_lines(state.database, batch),
        _attachment_headers(request.path_params["filename"]),
        "text/csv",
    )


async def get_export(request: Request) -> Response:
    """The archive of a complete export."""
    state = app_state(request)
    _check_signature(request, state)
    archive = await run_in_threadpool(_open_archive, state, request.path_params["export_id"])
    headers = _attachment_headers(request.path_params["filename"])
    return OpenedFileResponse(archive, headers, "application/zip")


async def get_backup(request: Request) -> Response:
    """A backup that was written on request."""
    state = app_state(request)
    _check_signature(request, state)
    file = await run_in_threadpool(_open_backup, state, request.path_params["backup_id"])
    return OpenedFileResponse(file, _attachment_headers(request.path_params["filename"]), "application/zip")


async def put_backup(request: Request) -> Response:
    """Receive a backup that is to be restored."""
    state = app_state(request)
    _check_upload(request, state)
    received = await run_in_threadpool(state.blobs.unfinished)
    try:
        await _receive(request, received)
        await run_in_threadpool(_take_backup, state, received, request.path_params["backup_id"])
    finally:
        await run_in_threadpool(received.discard)
    return empty_response(HTTPStatus.OK)


def _take_backup(state: AppState, received: UnfinishedFile, id: str) -> None:
    """Make a file that was received a backup, once none is being written or restored."""
    with state.deleting:
        state.backups.take(received, id)


def _open_backup(state: AppState, id: str) -> BinaryIO:
    try:
        return state.backups.path(id).open("rb")
    except FileNotFoundError:
        raise _no_such_key() from None


def _check_upload(request: Request, state: AppState) -> int:
    """Reject an upload that file storage would reject; returns its length in bytes."""
    _check_signature(request, state)
    length = request.headers.get("content-length")
    if length is None or "transfer-encoding" in request.headers:
        raise StorageError(
            HTTPStatus.LENGTH_REQUIRED, "MissingContentLength", "The Content-Length header is needed"
        )
    return int(length)


def _check_signature(request: Request, state: AppState) -> None:
    """Reject a request that its URL does not allow."""
    if "authorization" in request.headers:
        raise StorageError(
            HTTPStatus.BAD_REQUEST,
            "InvalidArgument",
            "Only one authorization is allowed: the address carries its own, so leave out the header",
        )
    state.signer.check(request.method, request.scope["raw_path"], request.scope["query_string"])


@asynccontextmanager
async def _receiving(blobs: Blobs, kind: BlobKind) -> AsyncIterator[BlobWriter]:
    writer = await run_in_threadpool(blobs.receive, kind)
    try:
        yield writer
    finally:
        await run_in_threadpool(writer.discard)


async def _receive(request: Request, writer: UnfinishedFile) -> None:
    """Write the body to the disk, in large chunks and outside the event loop."""
    piece = bytearray()
    async for piece_received in request.stream():
        piece += piece_received
        if len(piece) >= CHUNK_SIZE:
            await run_in_threadpool(writer.write, piece)
            piece = bytearray()
    await run_in_threadpool(writer.write, piece)


def _accept_import(state: AppState, import_id: str, blob: str) -> None:
    """Record the file and enqueue its import; sending the same file again has no effect."""
    with (
        delete_unless_referenced(state.database, state.blobs, BlobKind.UPLOAD, blob),
        state.database.write(durable=True) as connection,
    ):
        job = imports.find(connection, import_id)
        if job is None:
            raise _no_such_key()
        if job.status is ImportStatus.UNINITIALISED:
            enqueue.enqueue_import(connection, job, blob, state.clock())
    state.wake_worker()
    if job.blob is not None:
        _compare_with_first(state.blobs, job.blob, blob)


def _compare_with_first(blobs: Blobs, first: str, second: str) -> None:
    """Delete a file that was sent to a used URL; it is an error unless it equals the first one.

    If the first one no longer exists, that cannot be known.
    """
    same = False
    with suppress(FileNotFoundError):
        same = filecmp.cmp(blobs.path(first), blobs.path(second), shallow=False)
    blobs.remove(second)
    if not same:
        raise AccessDenied("Another file was uploaded to this address before")


def _accept_feedback(state: AppState, row_id: int, blob: str, size: int) -> None:
    with (
        delete_unless_referenced(state.database, state.blobs, BlobKind.FEEDBACK, blob),
        state.database.write(durable=True) as connection,
    ):
        file = feedback.find(connection, row_id)
        if file is None:
            raise _no_such_key()
        feedback.mark_uploaded(connection, row_id, blob, size, state.clock())
    if file.blob is not None:
        state.blobs.remove(file.blob)


def _batch(state: AppState, batch_id: str) -> batches.StoredBatch:
    with state.database.read() as connection:
        batch = batches.find(connection, batch_id)
    if batch is None:
        raise _no_such_key()
    return batch


def _open_archive(state: AppState, export_id: str) -> BinaryIO:
    with state.database.read() as connection:
        export = exports.find(connection, export_id)
    if export is None or export.blob is None:
        raise _no_such_key()
    try:
        return state.blobs.open(export.blob)
    except FileNotFoundError:
        raise _no_such_key() from None


def _no_such_key() -> StorageError:
    return StorageError(HTTPStatus.NOT_FOUND, "NoSuchKey", "The file does not exist")


def _attachment_headers(filename: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{filename}"', "X-Content-Type-Options": "nosniff"}


FEEDBACK_UPLOAD_LIFETIME = 20 * clock.MINUTE
"""How long an upload URL is valid, in milliseconds (specification, Limits)."""


def feedback_upload_url(request: ApiRequest) -> Response:
    """`GET /submissions/signals/upload-url/{filename}?workspace_id=`: a URL to upload a feedback file to."""
    workspace_id = lookups.require_workspace(request, _feedback_workspace(request))
    filename = validated_filename(request.path_params["filename"])
    if not is_feedback_file(filename):
        raise bad_request(
            _("Feedback files must be of the types {types}; “{name}” is not.").format(
                types=joined(EXTENSIONS), name=filename
            )
        )
    with request.state.database.write(durable=True) as connection:
        file = feedback.add(connection, workspace_id, filename, request.state.clock())
    path = f"/storage/feedback/{file.row_id}/{url_quoted(filename)}"
    signed = request.state.signer.sign("PUT", path, FEEDBACK_UPLOAD_LIFETIME)
    return json_response(
        {
            "upload_url": request.state.absolute_url(signed),
            "http_method": "PUT",
            "expires_at": timestamp(signed.expires_at),
        },
        HTTPStatus.CREATED,
    )


def _feedback_workspace(request: ApiRequest) -> str:
    """The workspace of the request, by default the first one of the account.

    Raises:
        HttpError: the parameter is empty (400), or the account has no workspace (403).
    """
    if "workspace_id" in request.query:
        return request.require_query("workspace_id")
    if not request.account.workspaces:
        raise forbidden()
    return request.account.workspaces[0]
