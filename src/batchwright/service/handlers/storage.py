"""What pre-signed addresses lead to: uploads taken in, reports and archives given out (design.md 6).

Answers and refusals are those of file storage: a bare 200, or XML.
"""

import filecmp
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse

from batchwright.service import enqueue
from batchwright.service.blobs import PIECE, BlobKind, Blobs, BlobWriter
from batchwright.service.http.app_state import AppState, app_state
from batchwright.service.http.responses import empty_response
from batchwright.service.orphan_files import delete_unless_referenced
from batchwright.service.report_csv import report_lines
from batchwright.service.signing import AccessDenied
from batchwright.service.store import batches, exports, feedback, imports
from batchwright.service.streaming import unhurried
from batchwright.wire.feedback import LARGEST
from batchwright.wire.imports import ImportStatus


class StorageError(Exception):
    """A request to storage is refused, in storage's own words."""

    def __init__(self, status: HTTPStatus, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


async def put_import(request: Request) -> Response:
    """Take in the file of an import; once this has answered, nothing can lose it."""
    parts = app_state(request)
    _check_upload(request, parts)
    async with _receiving(parts.blobs, BlobKind.UPLOAD) as incoming:
        await _receive(request, incoming)
        name = await run_in_threadpool(incoming.keep)
    await run_in_threadpool(_accept_import, parts, request.path_params["import_id"], name)
    return empty_response(HTTPStatus.OK)


async def put_feedback(request: Request) -> Response:
    """Take in a feedback file; a second one to the same address takes the place of the first."""
    parts = app_state(request)
    if _check_upload(request, parts) > LARGEST:
        raise StorageError(HTTPStatus.BAD_REQUEST, "EntityTooLarge", "The file is larger than 5 GB")
    async with _receiving(parts.blobs, BlobKind.FEEDBACK) as incoming:
        await _receive(request, incoming)
        name = await run_in_threadpool(incoming.keep)
    await run_in_threadpool(_accept_feedback, parts, request.path_params["number"], name, incoming.size)
    return empty_response(HTTPStatus.OK)


async def get_report(request: Request) -> Response:
    """The report as it is at this moment."""
    parts = app_state(request)
    _check_signature(request, parts)
    batch = await run_in_threadpool(_batch, parts, request.path_params["batch_id"])
    return StreamingResponse(
        unhurried(report_lines(parts.database, batch)),
        headers=_as_file(request.path_params["filename"]),
        media_type="text/csv",
    )


async def get_export(request: Request) -> Response:
    """The archive of a complete export."""
    parts = app_state(request)
    _check_signature(request, parts)
    blob = await run_in_threadpool(_archive, parts, request.path_params["export_id"])
    return FileResponse(
        parts.blobs.path(blob),
        headers=_as_file(request.path_params["filename"]),
        media_type="application/zip",
    )


def _check_upload(request: Request, parts: AppState) -> int:
    """Refuse an upload that file storage would refuse; how many bytes it will have."""
    _check_signature(request, parts)
    length = request.headers.get("content-length")
    if length is None or "transfer-encoding" in request.headers:
        raise StorageError(
            HTTPStatus.LENGTH_REQUIRED, "MissingContentLength", "The Content-Length header is needed"
        )
    return int(length)


def _check_signature(request: Request, parts: AppState) -> None:
    """Refuse a request that its address does not allow."""
    if "authorization" in request.headers:
        raise StorageError(
            HTTPStatus.BAD_REQUEST,
            "InvalidArgument",
            "Only one authorization is allowed: the address carries its own, so leave out the header",
        )
    parts.signer.check(request.method, request.scope["raw_path"], request.scope["query_string"])


@asynccontextmanager
async def _receiving(blobs: Blobs, kind: BlobKind) -> AsyncIterator[BlobWriter]:
    incoming = await run_in_threadpool(blobs.receive, kind)
    try:
        yield incoming
    finally:
        await run_in_threadpool(incoming.discard)


async def _receive(request: Request, incoming: BlobWriter) -> None:
    """Write the body to the disk, in large pieces and off the event loop (facts.md 9)."""
    piece = bytearray()
    async for part in request.stream():
        piece += part
        if len(piece) >= PIECE:
            await run_in_threadpool(incoming.write, piece)
            piece = bytearray()
    await run_in_threadpool(incoming.write, piece)


def _accept_import(parts: AppState, import_id: str, blob: str) -> None:
    """Note the file and hand it to the worker; the same file sent once more changes nothing."""
    with (
        delete_unless_referenced(parts.database, parts.blobs, BlobKind.UPLOAD, blob),
        parts.database.write(durable=True) as connection,
    ):
        job = imports.find(connection, import_id)
        if job is None:
            raise _no_such_key()
        if job.status is ImportStatus.UNINITIALISED:
            enqueue.enqueue_import(connection, job, blob, parts.clock())
    parts.wake_worker()
    if job.blob is not None:
        _compare_with_first(parts.blobs, job.blob, blob)


def _compare_with_first(blobs: Blobs, first: str, second: str) -> None:
    """Drop a file that came to a used address; only a repetition of the first is a success."""
    same = filecmp.cmp(blobs.path(first), blobs.path(second), shallow=False)
    blobs.remove(second)
    if not same:
        raise AccessDenied("Another file was uploaded to this address before")


def _accept_feedback(parts: AppState, number: int, blob: str, size: int) -> None:
    with (
        delete_unless_referenced(parts.database, parts.blobs, BlobKind.FEEDBACK, blob),
        parts.database.write(durable=True) as connection,
    ):
        file = feedback.find(connection, number)
        if file is None:
            raise _no_such_key()
        feedback.mark_uploaded(connection, number, blob, size, parts.clock())
    if file.blob is not None:
        parts.blobs.remove(file.blob)


def _batch(parts: AppState, batch_id: str) -> batches.StoredBatch:
    with parts.database.read() as connection:
        batch = batches.find(connection, batch_id)
    if batch is None:
        raise _no_such_key()
    return batch


def _archive(parts: AppState, export_id: str) -> str:
    with parts.database.read() as connection:
        export = exports.find(connection, export_id)
    if export is None or export.blob is None:
        raise _no_such_key()
    return export.blob


def _no_such_key() -> StorageError:
    return StorageError(HTTPStatus.NOT_FOUND, "NoSuchKey", "The file does not exist")


def _as_file(filename: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{filename}"', "X-Content-Type-Options": "nosniff"}
