"""The deprecated instructions of batches without a layout (wire reference, section 9)."""

from collections.abc import Iterator, Sequence
from http import HTTPStatus

from starlette.responses import Response

from batchwright.base.database import Connection
from batchwright.base.i18n import _
from batchwright.base.limits import MOST_ITEMS
from batchwright.service import legacy_instructions
from batchwright.service.http import lookups
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.pagination import page_params
from batchwright.service.http.responses import HttpError, bad_request, json_response
from batchwright.service.serializers.instruction import record, records_of
from batchwright.service.store import instructions
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.ids import new_id
from batchwright.service.store.instructions import StoredInstruction
from batchwright.wire.instructions import InstructionEntry, InstructionsAdd, InstructionsWrite
from batchwright.wire.pagination import list_envelope


def list_all(request: ApiRequest) -> Response:
    """`GET /batches/{batch_id}/instructions`: the instructions of a batch, or those of its layout."""
    params = page_params(request)
    with request.state.database.read() as connection:
        records = records_of(connection, lookups.batch_of(request, connection))
    return json_response(list_envelope(params.slice(records), len(records)))


def create(request: ApiRequest) -> Response:
    """`POST /batches/{batch_id}/instructions`: adds instructions, and returns the new ones."""
    body = _parse_entries(request, InstructionsAdd)
    with request.state.database.write(durable=True) as connection:
        batch = _legacy_batch(request, connection)
        before = instructions.of_batch(connection, batch.row_id)
        _require_count(len(before) + len(body))
        added = [_new(request, entry) for entry in body]
        instructions.replace(connection, batch.row_id, [*before, *added])
    return _response(batch, added, HTTPStatus.CREATED)


def replace(request: ApiRequest) -> Response:
    """`PUT /batches/{batch_id}/instructions`: replaces all instructions; one with an id keeps it."""
    body = _parse_entries(request, InstructionsWrite)
    with request.state.database.write(durable=True) as connection:
        batch = _legacy_batch(request, connection)
        stored = instructions.of_batch(connection, batch.row_id)
        before = {instruction.id: instruction for instruction in stored}
        _reject(legacy_instructions.invalid_ids(body, before))
        updated = [
            _new(request, entry) if entry.id is None else _updated(before[entry.id.lower()], entry)
            for entry in body
        ]
        instructions.replace(connection, batch.row_id, updated)
    return _response(batch, updated, HTTPStatus.OK)


def _legacy_batch(request: ApiRequest, connection: Connection) -> StoredBatch:
    """The batch in the path, which must not have a layout.

    Raises:
        HttpError: unknown (400), or it has a layout (422; specification, Instructions).
    """
    batch = lookups.batch_of(request, connection)
    if batch.batch_items is not None:
        message = _("This batch has a layout: change its instructions by updating `batch_items`.")
        raise HttpError(HTTPStatus.UNPROCESSABLE_ENTITY, message)
    return batch


def _parse_entries(request: ApiRequest, model: type[InstructionsWrite]) -> Sequence[InstructionEntry]:
    """The entries of a request, validated before the write transaction.

    Raises:
        HttpError: the batch has a layout (422), or the entries are not valid (400).
    """
    with request.state.database.read() as connection:
        _legacy_batch(request, connection)
    body = request.parse_body(model).instructions
    _require_count(len(body))
    _reject(legacy_instructions.validate_entries(body))
    return body


def _require_count(count: int) -> None:
    """Reject more instructions than a layout may have items, since a setup puts them on one page."""
    if count > MOST_ITEMS:
        message = _("A batch has at most {most} instructions.").format(most=MOST_ITEMS)
        raise bad_request({"instructions": [message]})


def _reject(messages: Iterator[str]) -> None:
    listed = list(messages)
    if listed:
        raise bad_request({"instructions": listed})


def _new(request: ApiRequest, entry: InstructionEntry) -> StoredInstruction:
    return StoredInstruction(new_id(), request.state.clock(), request.account.id, entry.item)


def _updated(before: StoredInstruction, entry: InstructionEntry) -> StoredInstruction:
    return StoredInstruction(before.id, before.created_at, before.created_by, entry.item)


def _response(batch: StoredBatch, written: Sequence[StoredInstruction], status: HTTPStatus) -> Response:
    """A bare array, not the envelope of lists (wire reference, section 9)."""
    return json_response([record(batch, instruction) for instruction in written], status)
