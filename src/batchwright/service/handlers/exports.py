"""Exports of batches and collections (specification, Batches rule 9; wire.md 8)."""

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


def start(call: ApiRequest) -> Response:
    """`POST /batches/{batch_id}/export`."""
    return _start(call, lookups.batch_to_export)


def start_of_collection(call: ApiRequest) -> Response:
    """`POST /collections/{collection_id}/export`."""
    return _start(call, lookups.collection_to_export)


def get(call: ApiRequest) -> Response:
    """`GET /batches/{batch_id}/export/{export_id}`."""
    with call.parts.database.read() as connection:
        batch = lookups.batch_of(call, connection, unknown=HTTPStatus.NOT_FOUND)
        return _status(call, connection, batch)


def get_of_collection(call: ApiRequest) -> Response:
    """`GET /collections/{collection_id}/export/{export_id}`."""
    with call.parts.database.read() as connection:
        collection = lookups.collection_of(call, connection, unknown=HTTPStatus.NOT_FOUND)
        return _status(call, connection, collection.study)


def _start(call: ApiRequest, find: Callable[[ApiRequest, Connection], StoredBatch]) -> Response:
    """The export there is, unless there is none or it failed: then a new one is started."""
    with call.parts.database.write(durable=True) as connection:
        study = find(call, connection)
        export = exports.newest(connection, study.number)
        if export is None or export.status is ExportStatus.FAILED:
            export = exports.add(connection, study.number, call.parts.clock())
            jobs.add(
                connection,
                StoredJobKind.EXPORT,
                lane=jobs.export_lane(export.number),
                subject=export.number,
                now=call.parts.clock(),
            )
    call.parts.wake_worker()
    complete = export.status is ExportStatus.COMPLETE
    return json_response(_record(call.parts, export), HTTPStatus.OK if complete else HTTPStatus.ACCEPTED)


def _status(call: ApiRequest, connection: Connection, study: StoredBatch) -> Response:
    """How an export of a batch or collection stands; a fresh address each time it is complete."""
    export = exports.find(connection, call.path["export_id"])
    if export is None or export.batch != study.number:
        raise not_found(_("Export job not found."))
    return json_response(_record(call.parts, export))


def _record(parts: AppState, export: StoredExport) -> dict[str, Json]:
    record: dict[str, Json] = {"status": export.status, "export_id": export.id}
    if export.status is ExportStatus.COMPLETE:
        path = f"/storage/exports/{export.id}/{export.id}.zip"
        signed = parts.signer.sign("GET", path, DOWNLOAD_LIFETIME)
        record |= {"url": parts.address(signed), "expires_at": timestamp(signed.expires_at)}
    if export.fault is not None:
        record["reason"] = export.fault
    return record
