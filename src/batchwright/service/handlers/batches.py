"""Batches (specification, Batches; wire.md 5)."""

from http import HTTPStatus

from starlette.responses import Response

from batchwright.base.database import Connection
from batchwright.base.json_values import Json
from batchwright.layout.rules import Fields
from batchwright.service import layout_intake
from batchwright.service.http import lookups
from batchwright.service.http.body_preparation import Ahead
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.pagination import slice_of
from batchwright.service.http.responses import json_response
from batchwright.service.serializers.batch import attached, full_record, layout_json, short_record
from batchwright.service.store import batches, instructions
from batchwright.service.store.batches import BatchItems, BatchUpdateValues, StoredBatch
from batchwright.service.store.datasets import StoredDataset
from batchwright.wire.base import to_payload
from batchwright.wire.batches import BatchCreate, BatchDuplicate, BatchUpdate
from batchwright.wire.pagination import list_envelope


def create(call: ApiRequest) -> Response:
    """`POST /batches`."""
    asked = call.read(BatchCreate)
    workspace_id = lookups.require_workspace(call, asked.workspace_id)
    taken_in = Ahead(layout_intake.validate_and_assign_ids)

    def state(connection: Connection) -> StoredDataset | None:
        if asked.dataset_id is None:
            return None
        return lookups.dataset_to_attach(connection, asked.dataset_id, workspace_id)

    with call.parts.database.read() as connection:
        dataset = state(connection)
    taken_in(asked.batch_items, layout_intake.fields_of(dataset), None)
    with call.parts.database.write(durable=True) as connection:
        dataset = state(connection)
        batch = batches.add(
            connection,
            workspace_id=workspace_id,
            name=asked.name,
            created_by=call.account.id,
            now=call.parts.clock(),
            task_details=to_payload(asked.task_details),
            dataset=dataset.number if dataset else None,
            batch_items=taken_in(asked.batch_items, layout_intake.fields_of(dataset), None),
            auto_sync_enabled=asked.auto_sync_enabled,
        )
        record = short_record(batch, dataset)
    if asked.has("batch_items"):
        record["batch_items"] = layout_json(batch)
    return json_response(record, HTTPStatus.CREATED)


def list_all(call: ApiRequest) -> Response:
    """`GET /batches?workspace_id=`: the newest first."""
    workspace_id = lookups.require_workspace(call, call.required("workspace_id"))
    cut = slice_of(call)
    with call.parts.database.read() as connection:
        found = batches.of_workspace(connection, workspace_id, limit=cut.limit, offset=cut.offset)
        records = [full_record(connection, batch) for batch in found]
        return json_response(list_envelope(records, batches.count_in(connection, workspace_id)))


def get(call: ApiRequest) -> Response:
    """`GET /batches/{batch_id}`."""
    with call.parts.database.read() as connection:
        return json_response(full_record(connection, lookups.batch_of(call, connection)))


def update(call: ApiRequest) -> Response:
    """`PATCH /batches/{batch_id}`: what is left out stays.

    The layout is checked whenever it or a dataset comes (wire.md 15). A legacy batch that gets a
    layout has no instructions beside it any more; null, which it has already, takes none away.
    """
    asked = call.read(BatchUpdate)

    def state(connection: Connection) -> tuple[StoredBatch, StoredDataset | None]:
        batch = lookups.batch_of(call, connection)
        if asked.dataset_id is None:
            return batch, attached(connection, batch)
        return batch, lookups.dataset_to_attach(connection, asked.dataset_id, batch.workspace_id)

    def items_after(before: BatchItems, fields: Fields) -> BatchItems:
        if asked.has("batch_items"):
            return layout_intake.validate_and_assign_ids(asked.batch_items, fields, before)
        if asked.dataset_id is not None:
            layout_intake.check_stored(before, fields)
        return before

    items_ahead = Ahead(items_after)
    with call.parts.database.read() as connection:
        batch, dataset = state(connection)
    items_ahead(batch.batch_items, layout_intake.fields_of(dataset))
    with call.parts.database.write(durable=True) as connection:
        batch, dataset = state(connection)
        items = items_ahead(batch.batch_items, layout_intake.fields_of(dataset))
        change = BatchUpdateValues(
            name=asked.name,
            task_details=None if asked.task_details is None else to_payload(asked.task_details),
            dataset=dataset.number if dataset else None,
            auto_sync_enabled=asked.auto_sync_enabled,
            layout=asked.has("batch_items"),
            batch_items=items,
        )
        if items is not None:
            instructions.replace(connection, batch.number, ())
        return json_response(full_record(connection, batches.update(connection, batch.number, change)))


def duplicate(call: ApiRequest) -> Response:
    """`POST /batches/{batch_id}/duplicate`: a fresh batch of the same make (wire.md 5.4 and 15).

    Its layout has ids of its own; nothing is checked again, and auto-sync is not taken along.
    """
    asked = call.read(BatchDuplicate) if call.body.strip() else BatchDuplicate()
    with_new_ids = Ahead(layout_intake.with_new_ids)
    with call.parts.database.read() as connection:
        batch = lookups.batch_of(call, connection)
    with_new_ids(batch.batch_items)
    with call.parts.database.write(durable=True) as connection:
        batch = lookups.batch_of(call, connection)
        dataset = None if asked.upload_new_dataset else attached(connection, batch)
        copy = batches.add(
            connection,
            workspace_id=batch.workspace_id,
            name=f"{batch.name} (Copy)" if asked.name is None else asked.name,
            created_by=call.account.id,
            now=call.parts.clock(),
            task_details=batch.task_details,
            dataset=dataset.number if dataset else None,
            batch_items=with_new_ids(batch.batch_items),
            auto_sync_enabled=None,
            tasks_per_group=batch.tasks_per_group,
        )
        instructions.copy(
            connection, batch.number, copy.number, created_by=call.account.id, now=call.parts.clock()
        )
        copy = batches.get(connection, copy.number)
        record = short_record(copy, dataset) | {"batch_items": layout_json(copy)}
    return json_response(record, HTTPStatus.CREATED)


def status(call: ApiRequest) -> Response:
    """`GET /batches/{batch_id}/status`; with `ERROR` comes the reason."""
    with call.parts.database.read() as connection:
        batch = lookups.batch_of(call, connection)
    state: dict[str, Json] = {"status": batch.status}
    return json_response(state if batch.fault is None else state | {"reason": batch.fault})
