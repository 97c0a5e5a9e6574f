"""Syncing a batch with its dataset (specification, Batches rules 6 and 7; wire.md 5.5)."""

from http import HTTPStatus

from starlette.responses import Response

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject
from batchwright.service import enqueue
from batchwright.service.clock import timestamp
from batchwright.service.http import lookups
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.responses import bad_request, json_response, not_found
from batchwright.service.store import datasets, syncs
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.syncs import StoredSync
from batchwright.wire.batches import BatchStatus
from batchwright.wire.syncs import SyncStatus


def start(call: ApiRequest) -> Response:
    """`POST /batches/{batch_id}/sync`: the worker makes tasks for what came since."""
    with call.parts.database.write(durable=True) as connection:
        batch = lookups.batch_of(call, connection)
        dataset = _dataset(batch)
        sync = enqueue.enqueue_sync(connection, batch=batch.number, dataset=dataset, now=call.parts.clock())
        record = _record(sync, batch.id, datasets.get(connection, sync.dataset).id)
    call.parts.wake_worker()
    return json_response(record, HTTPStatus.ACCEPTED)


def get(call: ApiRequest) -> Response:
    """`GET /batches/{batch_id}/syncs/{sync_id}`."""
    with call.parts.database.read() as connection:
        batch = lookups.batch_of(call, connection, HTTPStatus.NOT_FOUND)
        sync = syncs.find(connection, call.path["sync_id"])
        if sync is None or sync.batch != batch.number:
            raise not_found(_("Sync job not found."))
        return json_response(_record(sync, batch.id, datasets.get(connection, sync.dataset).id))


def _dataset(batch: StoredBatch) -> int:
    """The dataset to sync with.

    Raises:
        HttpError: the batch is not ready, or has no dataset (400; Batches rule 7).
    """
    if batch.status is not BatchStatus.READY:
        raise bad_request(_("The batch is not ready; set it up before it is synced."))
    if batch.dataset is None:
        raise bad_request(_("The batch has no dataset to sync with."))
    return batch.dataset


def _record(sync: StoredSync, batch_id: str, dataset_id: str) -> JsonObject:
    """The record of wire.md 5.5: which counts there are depends on the status."""
    record: dict[str, Json] = {
        "sync_id": sync.id,
        "batch_id": batch_id,
        "dataset_id": dataset_id,
        "status": sync.status,
        "created_at": timestamp(sync.created_at),
        "updated_at": timestamp(sync.updated_at),
    }
    if sync.status is SyncStatus.COMPLETE:
        record |= {
            "tasks_created": sync.tasks_created,
            "datapoints_processed": sync.tasks_created,
            "groups_created": sync.groups_created,
            "groups_expanded": sync.groups_expanded,
        }
    if sync.status is SyncStatus.FAILED:
        record["reason"] = sync.reason
    return record
