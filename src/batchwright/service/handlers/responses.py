"""The responses of participants, and the URL of the report (wire reference, section 7)."""

from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import TypeAlias

from starlette.responses import Response, StreamingResponse

from batchwright.base.database import Connection, Database
from batchwright.service import clock
from batchwright.service.clock import timestamp
from batchwright.service.http import lookups
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.pagination import PageParams, page_params
from batchwright.service.http.responses import json_response
from batchwright.service.serializers.response import ResponseRecords
from batchwright.service.store import responses as stored_responses
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.responses import StoredResponse
from batchwright.service.streaming import spooled

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
