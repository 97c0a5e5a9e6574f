"""What participants answered: the records, and the address of the report (wire.md 7)."""

from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import TypeAlias

from starlette.responses import Response, StreamingResponse

from batchwright.base.database import Connection, Database
from batchwright.service import clock
from batchwright.service.clock import timestamp
from batchwright.service.http import lookups
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.pagination import PageParams, slice_of
from batchwright.service.http.responses import json_response
from batchwright.service.serializers.response import ResponseRecords
from batchwright.service.store import responses as stored_responses
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.responses import StoredResponse
from batchwright.service.streaming import unhurried

DOWNLOAD_LIFETIME = clock.HOUR
"""How long the address of a report or an archive is valid (specification, Limits; wire.md 14)."""


Writer: TypeAlias = Callable[[StoredResponse], str]
"""Writes the record of one answer as JSON text."""


def responses(call: ApiRequest) -> Response:
    """`GET /batches/{batch_id}/responses`: the newest first."""
    with call.parts.database.read() as connection:
        batch = lookups.batch_of(call, connection)
    return listing(call, batch, lambda connection: ResponseRecords(connection, batch.id).record)


def listing(call: ApiRequest, study: StoredBatch, writing: Callable[[Connection], Writer]) -> Response:
    """The list of all answers to a batch or collection, the newest first."""
    pieces = unhurried(_envelope(call.parts.database, study.number, slice_of(call), writing))
    return StreamingResponse(pieces, HTTPStatus.OK, media_type="application/json")


def report(call: ApiRequest) -> Response:
    """`GET /batches/{batch_id}/report/`: where the report can be fetched; it is written when it is."""
    with call.parts.database.read() as connection:
        batch = lookups.batch_of(call, connection)
    path = f"/storage/reports/{batch.id}/{batch.id}-report.csv"
    signed = call.parts.signer.sign("GET", path, DOWNLOAD_LIFETIME)
    return json_response(
        {
            "url": call.parts.address(signed),
            "expires_at": timestamp(signed.expires_at),
            "http_method": "GET",
        }
    )


def _envelope(
    database: Database, study: int, cut: PageParams, writing: Callable[[Connection], Writer]
) -> Iterator[str]:
    """The list envelope of wire.md 1.6, written while it is read."""
    with database.read() as connection:
        record = writing(connection)
        separator = '{"results": ['
        for response in stored_responses.records_of(connection, study, limit=cut.limit, offset=cut.offset):
            yield separator + record(response)
            separator = ", "
        count = stored_responses.count_of(connection, study)
        opening = separator if separator != ", " else ""
        yield f'{opening}], "meta": {{"count": {count}}}}}'
