"""Exports of batches and collections (specification, Batches rule 9; wire reference, section 8)."""

from collections.abc import Callable
from http import HTTPStatus

from starlette.responses import Response

from batchwright.base.database import Connection
from batchwright.base.i18n import _
from batchwright.base.json_values import Json
from batchwright.service.clock import timestamp
from batchwright.service.handlers.responses import DOWNLOAD_LIFETIME
from batchwright.service.http import lookups
from batchwright.service.http.app_state import AppState
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.responses import json_response, not_found
from batchwright.service.store import exports, jobs
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.exports import StoredExport
from batchwright.service.store.jobs import StoredJobKind
from batchwright.wire.exports import ExportStatus


def start(request: ApiRequest) -> Response:
    """`POST /batches/{batch_id}/export`: starts an export, or returns the existing one."""
    return _start(request, lookups.batch_to_export)


def start_of_collection(request: ApiRequest) -> Response:
    """`POST /collections/{collection_id}/export`: starts an export, or returns the existing one."""
    return _start(request, lookups.collection_to_export)


def get(request: ApiRequest) -> Response:
    """`GET /batches/{batch_id}/export/{export_id}`: one export."""
    with request.state.database.read() as connection:
        batch = lookups.batch_of(request, connection, unknown=HTTPStatus.NOT_FOUND)
        return _status(request, connection, batch)


def get_of_collection(request: ApiRequest) -> Response:
    """`GET /collections/{collection_id}/export/{export_id}`: one export."""
    with request.state.database.read() as connection:
        collection = lookups.collection_of(request, connection, unknown=HTTPStatus.NOT_FOUND)
        return _status(request, connection, collection.study)


def _start(request: ApiRequest, find_study: Callable[[ApiRequest, Connection], StoredBatch]) -> Response:
    """The newest export; if there is none or it failed, a new one."""
    with request.state.database.write(durable=True) as connection:
        study = find_study(request, connection)
        export = exports.newest(connection, study.row_id)
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
    return json_response(_record(request.state, export), HTTPStatus.OK if complete else HTTPStatus.ACCEPTED)


def _status(request: ApiRequest, connection: Connection, study: StoredBatch) -> Response:
    """The status of an export of a batch or collection; if it is complete, with a new download URL."""
    export = exports.find(connection, request.path_params["export_id"])
    if export is None or export.batch != study.row_id:
        raise not_found(_("Export job not found."))
    return json_response(_record(request.state, export))


def _record(state: AppState, export: StoredExport) -> dict[str, Json]:
    record: dict[str, Json] = {"status": export.status, "export_id": export.id}
    if export.status is ExportStatus.COMPLETE:
        path = f"/storage/exports/{export.id}/{export.id}.zip"
        signed = state.signer.sign("GET", path, DOWNLOAD_LIFETIME)
        record |= {"url": state.absolute_url(signed), "expires_at": timestamp(signed.expires_at)}
    if export.reason is not None:
        record["reason"] = export.reason
    return record
