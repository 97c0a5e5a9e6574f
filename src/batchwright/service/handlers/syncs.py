"""Syncing a batch with its dataset (specification, Batches rules 6 and 7; wire reference, section 5.5)."""

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


def start(request: ApiRequest) -> Response:
    """`POST /batches/{batch_id}/sync`: enqueues a sync, which creates tasks for new datapoints."""
    with request.state.database.write(durable=True) as connection:
        batch = lookups.batch_of(request, connection)
        dataset = _dataset(batch)
        sync = enqueue.enqueue_sync(
            connection, batch=batch.row_id, dataset=dataset, now=request.state.clock()
        )
        record = _record(sync, batch.id, datasets.get(connection, sync.dataset).id)
    request.state.wake_worker()
    return json_response(record, HTTPStatus.ACCEPTED)


def get(request: ApiRequest) -> Response:
    """`GET /batches/{batch_id}/syncs/{sync_id}`: one sync."""
    with request.state.database.read() as connection:
        batch = lookups.batch_of(request, connection, HTTPStatus.NOT_FOUND)
        sync = syncs.find(connection, request.path_params["sync_id"])
        if sync is None or sync.batch != batch.row_id:
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
    """The body for a sync (wire reference, section 5.5); its counts depend on the status."""
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
