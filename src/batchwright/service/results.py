"""What participants answered: the records, and the address of the report (wire.md 7)."""

from collections.abc import Iterator
from http import HTTPStatus

from starlette.responses import Response, StreamingResponse

from batchwright.records.json_values import render
from batchwright.service import clock, lookups
from batchwright.service.access import Call
from batchwright.service.answering import json_answer
from batchwright.service.clock import timestamp
from batchwright.service.response_records import ResponseRecords
from batchwright.service.slices import Slice, slice_of
from batchwright.service.store import responses as stored_responses
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.database import Database
from batchwright.service.streaming import in_pieces

DOWNLOAD_LIFETIME = clock.HOUR
"""How long the address of a report or an archive is valid (specification, Limits; wire.md 14)."""


def responses(call: Call) -> Response:
    """`GET /batches/{batch_id}/responses`: the newest first."""
    cut = slice_of(call)
    with call.parts.database.read() as connection:
        batch = lookups.batch_of(call, connection)
    pieces = in_pieces(_envelope(call.parts.database, batch, cut))
    return StreamingResponse(pieces, HTTPStatus.OK, media_type="application/json")


def report(call: Call) -> Response:
    """`GET /batches/{batch_id}/report/`: where the report can be fetched; it is written when it is."""
    with call.parts.database.read() as connection:
        batch = lookups.batch_of(call, connection)
    path = f"/storage/reports/{batch.id}/{batch.id}-report.csv"
    signed = call.parts.signer.sign("GET", path, DOWNLOAD_LIFETIME)
    return json_answer(
        {
            "url": call.parts.address(signed),
            "expires_at": timestamp(signed.expires_at),
            "http_method": "GET",
        }
    )


def _envelope(database: Database, batch: StoredBatch, cut: Slice) -> Iterator[str]:
    """The list envelope of wire.md 1.6, written while it is read."""
    with database.read() as connection:
        records = ResponseRecords(connection, batch.id)
        found = stored_responses.records_of(connection, batch.number, limit=cut.limit, offset=cut.offset)
        separator = '{"results": ['
        for response in found:
            yield separator + render(records.record(response))
            separator = ", "
        count = stored_responses.count_of(connection, batch.number)
        opening = separator if separator != ", " else ""
        yield f'{opening}], "meta": {{"count": {count}}}}}'
