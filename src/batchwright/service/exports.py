"""Exports of batches (specification, Batches rule 9; wire.md 8)."""

from http import HTTPStatus

from starlette.responses import Response

from batchwright.records.json_values import Json
from batchwright.service import lookups
from batchwright.service.access import Call
from batchwright.service.answering import forbidden, json_answer, not_found
from batchwright.service.clock import timestamp
from batchwright.service.parts import Parts
from batchwright.service.results import DOWNLOAD_LIFETIME
from batchwright.service.store import batches, exports, jobs
from batchwright.service.store.exports import StoredExport
from batchwright.service.store.jobs import JobKind
from batchwright.wire.exports import ExportStatus
from batchwright.words import _


def start(call: Call) -> Response:
    """`POST /batches/{batch_id}/export`: the export there is, unless there is none or it failed."""
    with call.parts.database.write(durable=True) as connection:
        batch = batches.find(connection, call.path["batch_id"])
        if batch is None:
            raise not_found(_("Batch not found."))
        if not call.account.may_use(batch.workspace_id):
            raise forbidden()
        export = exports.newest(connection, batch.number)
        if export is None or export.status is ExportStatus.FAILED:
            export = exports.add(connection, batch.number, call.parts.clock())
            jobs.add(
                connection,
                JobKind.EXPORT,
                lane=jobs.export_lane(export.number),
                subject=export.number,
                now=call.parts.clock(),
            )
    call.parts.wake_worker()
    complete = export.status is ExportStatus.COMPLETE
    return json_answer(_record(call.parts, export), HTTPStatus.OK if complete else HTTPStatus.ACCEPTED)


def get(call: Call) -> Response:
    """`GET /batches/{batch_id}/export/{export_id}`: a fresh address each time it is complete."""
    with call.parts.database.read() as connection:
        batch = lookups.batch_of(call, connection, unknown=HTTPStatus.NOT_FOUND)
        export = exports.find(connection, call.path["export_id"])
    if export is None or export.batch != batch.number:
        raise not_found(_("Export job not found."))
    return json_answer(_record(call.parts, export))


def _record(parts: Parts, export: StoredExport) -> dict[str, Json]:
    record: dict[str, Json] = {"status": export.status, "export_id": export.id}
    if export.status is ExportStatus.COMPLETE:
        path = f"/storage/exports/{export.id}/{export.id}.zip"
        signed = parts.signer.sign("GET", path, DOWNLOAD_LIFETIME)
        record |= {"url": parts.address(signed), "expires_at": timestamp(signed.expires_at)}
    return record
