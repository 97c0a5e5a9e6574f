"""The deprecated instructions of batches without a layout (specification, Instructions; wire.md 9)."""

from collections.abc import Iterator, Sequence
from http import HTTPStatus

from starlette.responses import Response

from batchwright.base.database import Connection
from batchwright.base.i18n import _
from batchwright.base.limits import MOST_ITEMS
from batchwright.service import legacy_instructions
from batchwright.service.http import lookups
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.pagination import slice_of
from batchwright.service.http.responses import HttpError, bad_request, json_response
from batchwright.service.serializers.instruction import record, records_of
from batchwright.service.store import instructions
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.ids import new_id
from batchwright.service.store.instructions import StoredInstruction
from batchwright.wire.instructions import InstructionEntry, InstructionsAdd, InstructionsWrite
from batchwright.wire.pagination import list_envelope


def list_all(call: ApiRequest) -> Response:
    """`GET /batches/{batch_id}/instructions`; a batch with a layout lists those of the layout."""
    cut = slice_of(call)
    with call.parts.database.read() as connection:
        found = records_of(connection, lookups.batch_of(call, connection))
    return json_response(list_envelope(cut.of(found), len(found)))


def create(call: ApiRequest) -> Response:
    """`POST /batches/{batch_id}/instructions`: adds to those there are; answers with the new ones."""
    asked = _asked(call, InstructionsAdd)
    with call.parts.database.write(durable=True) as connection:
        batch = _legacy_batch(call, connection)
        before = instructions.of_batch(connection, batch.number)
        _insist_on_count(len(before) + len(asked))
        added = [_new(call, entry) for entry in asked]
        instructions.replace(connection, batch.number, [*before, *added])
    return _answer(batch, added, HTTPStatus.CREATED)


def replace(call: ApiRequest) -> Response:
    """`PUT /batches/{batch_id}/instructions`: these and no others; what comes with its id stays that one."""
    asked = _asked(call, InstructionsWrite)
    with call.parts.database.write(durable=True) as connection:
        batch = _legacy_batch(call, connection)
        before = {one.id: one for one in instructions.of_batch(connection, batch.number)}
        _refuse(legacy_instructions.wrong_ids(asked, before))
        wanted = [
            _new(call, entry) if entry.id is None else _kept(before[entry.id.lower()], entry)
            for entry in asked
        ]
        instructions.replace(connection, batch.number, wanted)
    return _answer(batch, wanted, HTTPStatus.OK)


def _legacy_batch(call: ApiRequest, connection: Connection) -> StoredBatch:
    """The batch in the path, which may have no layout.

    Raises:
        HttpError: unknown (400), or it has a layout (422; specification, Instructions).
    """
    batch = lookups.batch_of(call, connection)
    if batch.batch_items is not None:
        sentence = _("This batch has a layout: change its instructions by an update of `batch_items`.")
        raise HttpError(HTTPStatus.UNPROCESSABLE_ENTITY, sentence)
    return batch


def _asked(call: ApiRequest, model: type[InstructionsWrite]) -> Sequence[InstructionEntry]:
    """The entries of a request; judged before other writers have to wait.

    Raises:
        HttpError: the batch takes none, or they are not as they should be (400, 422).
    """
    with call.parts.database.read() as connection:
        _legacy_batch(call, connection)
    asked = call.read(model).instructions
    _insist_on_count(len(asked))
    _refuse(legacy_instructions.validate_entries(asked))
    return asked


def _insist_on_count(count: int) -> None:
    """Refuse more instructions than a layout may have items: setup makes one page of them."""
    if count > MOST_ITEMS:
        sentence = _("A batch has at most {most} instructions.").format(most=MOST_ITEMS)
        raise bad_request({"instructions": [sentence]})


def _refuse(sentences: Iterator[str]) -> None:
    found = list(sentences)
    if found:
        raise bad_request({"instructions": found})


def _new(call: ApiRequest, entry: InstructionEntry) -> StoredInstruction:
    return StoredInstruction(new_id(), call.parts.clock(), call.account.id, entry.said)


def _kept(before: StoredInstruction, entry: InstructionEntry) -> StoredInstruction:
    return StoredInstruction(before.id, before.created_at, before.created_by, entry.said)


def _answer(batch: StoredBatch, written: Sequence[StoredInstruction], status: HTTPStatus) -> Response:
    """A bare array, not the envelope of lists (wire.md 9)."""
    return json_response([record(batch, one) for one in written], status)
