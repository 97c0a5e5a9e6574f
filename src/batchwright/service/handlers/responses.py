"""Responses of participants: lists, the URL of the report, and exports (wire reference, sections 7 and 8)."""

from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import TypeAlias

from starlette.responses import Response, StreamingResponse

from batchwright.base.database import Connection, Database
from batchwright.base.i18n import _
from batchwright.base.json_values import Json
from batchwright.service import clock
from batchwright.service.clock import timestamp
from batchwright.service.http import lookups
from batchwright.service.http.app_state import AppState
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.pagination import PageParams, page_params
from batchwright.service.http.responses import json_response, not_found
from batchwright.service.serializers.response import ResponseRecords
from batchwright.service.store import exports, jobs
from batchwright.service.store import responses as stored_responses
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.exports import StoredExport
from batchwright.service.store.jobs import StoredJobKind
from batchwright.service.store.responses import StoredResponse
from batchwright.service.streaming import spooled
from batchwright.wire.exports import ExportStatus

DOWNLOAD_LIFETIME = clock.HOUR
"""How long the URL of a report or archive is valid, in milliseconds (specification, Limits)."""


RecordWriter: TypeAlias = Callable[[StoredResponse], str]
"""Returns one response as JSON text."""


def responses(request: ApiRequest) -> Response:
    """`GET /batches/{batch_id}/responses`: the responses to a batch, newest first."""
    with request.state.database.read() as connection:
        batch = lookups.batch_of(request, connection)
    return list_response(request, batch, lambda connection: ResponseRecords(connection, batch.id).record)


def list_response(
    request: ApiRequest, study: StoredBatch, record_writer: Callable[[Connection], RecordWriter]
) -> Response:
    """The list of all responses to a batch or collection, newest first, streamed."""
    pieces = spooled(_envelope(request.state.database, study.row_id, page_params(request), record_writer))
    return StreamingResponse(pieces, HTTPStatus.OK, media_type="application/json")


def report(request: ApiRequest) -> Response:
    """`GET /batches/{batch_id}/report/`: the URL of the report, which is written when it is downloaded."""
    with request.state.database.read() as connection:
        batch = lookups.batch_of(request, connection)
    path = f"/storage/reports/{batch.id}/{batch.id}-report.csv"
    signed = request.state.signer.sign("GET", path, DOWNLOAD_LIFETIME)
    return json_response(
        {
            "url": request.state.absolute_url(signed),
            "expires_at": timestamp(signed.expires_at),
            "http_method": "GET",
        }
    )


def _envelope(
    database: Database, study: int, params: PageParams, record_writer: Callable[[Connection], RecordWriter]
) -> Iterator[str]:
    """The list envelope (wire reference, section 1.6), written while the responses are read."""
    with database.read() as connection:
        record = record_writer(connection)
        separator = '{"results": ['
        for response in stored_responses.records_of(
            connection, study, limit=params.limit, offset=params.offset
        ):
            yield separator + record(response)
            separator = ", "
        count = stored_responses.count_of(connection, study)
        opening = separator if separator != ", " else ""
        yield f'{opening}], "meta": {{"count": {count}}}}}'


def start_export(request: ApiRequest) -> Response:
    """`POST /batches/{batch_id}/export`: starts an export, or returns the existing one."""
    return _start_or_return(request, lookups.batch_to_export)


def start_collection_export(request: ApiRequest) -> Response:
    """`POST /collections/{collection_id}/export`: starts an export, or returns the existing one."""
    return _start_or_return(request, lookups.collection_to_export)


def get_export(request: ApiRequest) -> Response:
    """`GET /batches/{batch_id}/export/{export_id}`: one export."""
    with request.state.database.read() as connection:
        batch = lookups.batch_of(request, connection, unknown=HTTPStatus.NOT_FOUND)
        export = _export_of(request, connection, batch)
    return _export_status(request.state, export)


def get_collection_export(request: ApiRequest) -> Response:
    """`GET /collections/{collection_id}/export/{export_id}`: one export."""
    with request.state.database.read() as connection:
        collection = lookups.collection_of(request, connection, unknown=HTTPStatus.NOT_FOUND)
        export = _export_of(request, connection, collection.study)
    return _export_status(request.state, export)


def _start_or_return(
    request: ApiRequest, find_study: Callable[[ApiRequest, Connection], StoredBatch]
) -> Response:
    """The newest export; if there is none or it failed, a new one."""
    with request.state.database.write(durable=True) as connection:
        study = find_study(request, connection)
        export = exports.newest(connection, study.row_id)
        if export is not None and _has_lost_archive(request.state, export):
            export = _fail_without_archive(request.state, connection, export)
        if export is None or export.status is ExportStatus.FAILED:
            export = exports.add(connection, study.row_id, request.state.clock())
            jobs.add(
                connection,
                StoredJobKind.EXPORT,
                lane=jobs.export_lane(export.row_id),
                subject=export.row_id,
                now=request.state.clock(),
            )
    request.state.wake_worker()
    complete = export.status is ExportStatus.COMPLETE
    return json_response(
        _export_record(request.state, export), HTTPStatus.OK if complete else HTTPStatus.ACCEPTED
    )


def _export_of(request: ApiRequest, connection: Connection, study: StoredBatch) -> StoredExport:
    """The export of a batch or collection with the id in the path."""
    export = exports.find(connection, request.path_params["export_id"])
    if export is None or export.batch != study.row_id:
        raise not_found(_("Export job not found."))
    return export


def _export_status(state: AppState, export: StoredExport) -> Response:
    """The status of an export; if it is complete, with a new download URL."""
    if _has_lost_archive(state, export):
        with state.database.write(durable=True) as connection:
            export = _fail_without_archive(state, connection, export)
    return json_response(_export_record(state, export))


def _has_lost_archive(state: AppState, export: StoredExport) -> bool:
    """Whether the archive of a complete export no longer exists."""
    return export.blob is not None and not state.blobs.exists(export.blob)


def _fail_without_archive(state: AppState, connection: Connection, export: StoredExport) -> StoredExport:
    """Mark an export as failed because its archive no longer exists; the next request starts another."""
    reason = _("The archive no longer exists in the data folder of the service. Request the export again.")
    exports.fail(connection, export.row_id, reason, state.clock())
    return exports.get(connection, export.row_id)


def _export_record(state: AppState, export: StoredExport) -> dict[str, Json]:
    record: dict[str, Json] = {"status": export.status, "export_id": export.id}
    if export.status is ExportStatus.COMPLETE:
        path = f"/storage/exports/{export.id}/{export.id}.zip"
        signed = state.signer.sign("GET", path, DOWNLOAD_LIFETIME)
        record |= {"url": state.absolute_url(signed), "expires_at": timestamp(signed.expires_at)}
    if export.reason is not None:
        record["reason"] = export.reason
    return record
