"""Batches and the deprecated instructions of batches without a layout (wire reference, sections 5 and 9)."""

from collections.abc import Iterator, Sequence
from http import HTTPStatus

from starlette.responses import Response

from batchwright.base.database import Connection
from batchwright.base.i18n import _
from batchwright.base.json_values import Json
from batchwright.base.limits import MAX_ITEMS
from batchwright.layout.rules import Fields
from batchwright.service import legacy_instructions
from batchwright.service.handlers import layout_intake
from batchwright.service.http import lookups
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.pagination import page_params
from batchwright.service.http.precomputed import Precomputed
from batchwright.service.http.responses import HttpError, bad_request, json_response
from batchwright.service.serializers.batch import attached, full_record, layout_json, short_record
from batchwright.service.serializers.instruction import record, records_of
from batchwright.service.store import batches, instructions
from batchwright.service.store.batches import BatchItems, BatchUpdateValues, StoredBatch
from batchwright.service.store.datasets import StoredDataset
from batchwright.service.store.ids import new_id
from batchwright.service.store.instructions import StoredInstruction
from batchwright.wire.base import to_payload
from batchwright.wire.batches import BatchCreate, BatchDuplicate, BatchUpdate
from batchwright.wire.instructions import InstructionEntry, InstructionsAdd, InstructionsWrite
from batchwright.wire.pagination import list_envelope


def create(request: ApiRequest) -> Response:
    """`POST /batches`: creates a batch."""
    body = request.parse_body(BatchCreate)
    workspace_id = lookups.require_workspace(request, body.workspace_id)
    validate = Precomputed(layout_intake.validate_and_assign_ids)

    def state(connection: Connection) -> StoredDataset | None:
        if body.dataset_id is None:
            return None
        return lookups.dataset_to_attach(connection, body.dataset_id, workspace_id)

    with request.state.database.read() as connection:
        dataset = state(connection)
    validate(body.batch_items, layout_intake.fields_of(dataset), None)
    with request.state.database.write(durable=True) as connection:
        dataset = state(connection)
        batch = batches.add(
            connection,
            workspace_id=workspace_id,
            name=body.name,
            created_by=request.account.id,
            now=request.state.clock(),
            task_details=to_payload(body.task_details),
            dataset=dataset.row_id if dataset else None,
            batch_items=validate(body.batch_items, layout_intake.fields_of(dataset), None),
            auto_sync_enabled=bool(body.auto_sync_enabled),
        )
        record = short_record(batch, dataset)
    if body.has("batch_items"):
        record["batch_items"] = layout_json(batch)
    return json_response(record, HTTPStatus.CREATED)


def list_all(request: ApiRequest) -> Response:
    """`GET /batches?workspace_id=`: the batches of a workspace, newest first."""
    workspace_id = lookups.require_workspace(request, request.require_query("workspace_id"))
    params = page_params(request)
    with request.state.database.read() as connection:
        stored = batches.of_workspace(connection, workspace_id, limit=params.limit, offset=params.offset)
        records = [full_record(connection, batch) for batch in stored]
        return json_response(list_envelope(records, batches.count_in(connection, workspace_id)))


def get(request: ApiRequest) -> Response:
    """`GET /batches/{batch_id}`: one batch."""
    with request.state.database.read() as connection:
        return json_response(full_record(connection, lookups.batch_of(request, connection)))


def update(request: ApiRequest) -> Response:
    """`PATCH /batches/{batch_id}`: changes a batch; absent attributes keep their values.

    The layout is checked when the request sets it or the dataset (wire reference, section 15). A legacy
    batch that gets a layout loses its separate instructions; `batch_items: null` leaves them.
    """
    body = request.parse_body(BatchUpdate)

    def state(connection: Connection) -> tuple[StoredBatch, StoredDataset | None]:
        batch = lookups.batch_of(request, connection)
        if body.dataset_id is None:
            return batch, attached(connection, batch)
        return batch, lookups.dataset_to_attach(connection, body.dataset_id, batch.workspace_id)

    def items_after(before: BatchItems, fields: Fields) -> BatchItems:
        if body.has("batch_items"):
            return layout_intake.validate_and_assign_ids(body.batch_items, fields, before)
        if body.dataset_id is not None:
            layout_intake.check_stored(before, fields)
        return before

    validate = Precomputed(items_after)
    with request.state.database.read() as connection:
        batch, dataset = state(connection)
    validate(batch.batch_items, layout_intake.fields_of(dataset))
    with request.state.database.write(durable=True) as connection:
        batch, dataset = state(connection)
        batches.record_use(connection, batch.row_id, request.state.clock())
        items = validate(batch.batch_items, layout_intake.fields_of(dataset))
        change = BatchUpdateValues(
            name=body.name,
            task_details=None if body.task_details is None else to_payload(body.task_details),
            dataset=dataset.row_id if dataset else None,
            auto_sync_enabled=body.auto_sync_enabled,
            sets_layout=body.has("batch_items"),
            batch_items=items,
        )
        if items is not None:
            instructions.replace(connection, batch.row_id, ())
        return json_response(full_record(connection, batches.update(connection, batch.row_id, change)))


def duplicate(request: ApiRequest) -> Response:
    """`POST /batches/{batch_id}/duplicate`: copies a batch (wire reference, sections 5.4 and 15).

    The copy of the layout gets new ids and is not checked again; auto-sync is not copied.
    """
    body = request.parse_body(BatchDuplicate) if request.body.strip() else BatchDuplicate()
    with_new_ids = Precomputed(layout_intake.with_new_ids)
    with request.state.database.read() as connection:
        batch = lookups.batch_of(request, connection)
    with_new_ids(batch.batch_items)
    with request.state.database.write(durable=True) as connection:
        batch = lookups.batch_of(request, connection)
        dataset = None if body.upload_new_dataset else attached(connection, batch)
        copy = batches.add(
            connection,
            workspace_id=batch.workspace_id,
            name=f"{batch.name} (Copy)" if body.name is None else body.name,
            created_by=request.account.id,
            now=request.state.clock(),
            task_details=batch.task_details,
            dataset=dataset.row_id if dataset else None,
            batch_items=with_new_ids(batch.batch_items),
            tasks_per_group=batch.tasks_per_group,
        )
        instructions.copy(
            connection, batch.row_id, copy.row_id, created_by=request.account.id, now=request.state.clock()
        )
        copy = batches.get(connection, copy.row_id)
        record = short_record(copy, dataset) | {"batch_items": layout_json(copy)}
    return json_response(record, HTTPStatus.CREATED)


def status(request: ApiRequest) -> Response:
    """`GET /batches/{batch_id}/status`: the status, with the reason of an `ERROR`."""
    with request.state.database.read() as connection:
        batch = lookups.batch_of(request, connection)
    state: dict[str, Json] = {"status": batch.status}
    return json_response(state if batch.reason is None else state | {"reason": batch.reason})


def list_instructions(request: ApiRequest) -> Response:
    """`GET /batches/{batch_id}/instructions`: the instructions of a batch, or those of its layout."""
    params = page_params(request)
    with request.state.database.read() as connection:
        records = records_of(connection, lookups.batch_of(request, connection))
    return json_response(list_envelope(params.slice(records), len(records)))


def add_instructions(request: ApiRequest) -> Response:
    """`POST /batches/{batch_id}/instructions`: adds instructions, and returns the new ones."""
    body = _parse_entries(request, InstructionsAdd)
    with request.state.database.write(durable=True) as connection:
        batch = _legacy_batch(request, connection)
        before = instructions.of_batch(connection, batch.row_id)
        _require_instruction_count(len(before) + len(body))
        added = [_new_instruction(request, entry) for entry in body]
        instructions.replace(connection, batch.row_id, [*before, *added])
        batches.record_use(connection, batch.row_id, request.state.clock())
    return _instructions_response(batch, added, HTTPStatus.CREATED)


def replace_instructions(request: ApiRequest) -> Response:
    """`PUT /batches/{batch_id}/instructions`: replaces all instructions; one with an id keeps it."""
    body = _parse_entries(request, InstructionsWrite)
    with request.state.database.write(durable=True) as connection:
        batch = _legacy_batch(request, connection)
        stored = instructions.of_batch(connection, batch.row_id)
        before = {instruction.id: instruction for instruction in stored}
        _reject_instructions(legacy_instructions.invalid_ids(body, before))
        updated = [
            _new_instruction(request, entry)
            if entry.id is None
            else _updated_instruction(before[entry.id.lower()], entry)
            for entry in body
        ]
        instructions.replace(connection, batch.row_id, updated)
        batches.record_use(connection, batch.row_id, request.state.clock())
    return _instructions_response(batch, updated, HTTPStatus.OK)


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
    _require_instruction_count(len(body))
    _reject_instructions(legacy_instructions.validate_entries(body))
    return body


def _require_instruction_count(count: int) -> None:
    """Reject more instructions than a layout may have items, since a setup puts them on one page."""
    if count > MAX_ITEMS:
        message = _("A batch has at most {most} instructions.").format(most=MAX_ITEMS)
        raise bad_request({"instructions": [message]})


def _reject_instructions(messages: Iterator[str]) -> None:
    all_messages = list(messages)
    if all_messages:
        raise bad_request({"instructions": all_messages})


def _new_instruction(request: ApiRequest, entry: InstructionEntry) -> StoredInstruction:
    return StoredInstruction(new_id(), request.state.clock(), request.account.id, entry.item)


def _updated_instruction(before: StoredInstruction, entry: InstructionEntry) -> StoredInstruction:
    return StoredInstruction(before.id, before.created_at, before.created_by, entry.item)


def _instructions_response(
    batch: StoredBatch, written: Sequence[StoredInstruction], status: HTTPStatus
) -> Response:
    """A bare array, not the envelope of lists (wire reference, section 9)."""
    return json_response([record(batch, instruction) for instruction in written], status)
