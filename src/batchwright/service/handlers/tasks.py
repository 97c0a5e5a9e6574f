"""The tasks of a batch: setups, syncs with the dataset, and the lists of tasks and groups.

See specification, Batches rules 4 to 7, and the wire reference, sections 5.4, 5.5 and 12.
"""

import secrets
from collections.abc import Callable, Iterator
from http import HTTPStatus

from starlette.responses import Response, StreamingResponse

from batchwright.base.database import Connection
from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject, to_json
from batchwright.layout.rules import Fields
from batchwright.service import enqueue, legacy_instructions
from batchwright.service.clock import timestamp
from batchwright.service.handlers import layout_intake
from batchwright.service.http import lookups
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.precomputed import Precomputed
from batchwright.service.http.responses import (
    InvalidLayout,
    bad_request,
    empty_response,
    json_response,
    not_found,
)
from batchwright.service.store import batches, datasets, imports, jobs, syncs
from batchwright.service.store.batches import BatchItems, StoredBatch
from batchwright.service.store.datasets import StoredDataset
from batchwright.service.store.ids import group_id, task_id
from batchwright.service.store.jobs import StoredJobKind
from batchwright.service.store.syncs import StoredSync
from batchwright.service.streaming import in_chunks
from batchwright.wire.batches import BatchSetup, BatchStatus
from batchwright.wire.datasets import DatasetStatus
from batchwright.wire.syncs import SyncStatus


def set_up(request: ApiRequest) -> Response:
    """`POST /batches/{batch_id}/setup`: enqueues a setup, which creates the tasks.

    It is possible in any status: of several setups of a batch, the last accepted one wins (wire reference,
    section 5.3).
    """
    body = request.parse_body(BatchSetup) if request.body.strip() else BatchSetup()
    tasks_per_group = request.require_count("tasks_per_group", body.tasks_per_group)
    check_layout = Precomputed(_check_layout)
    with request.state.database.read() as connection:
        batch = lookups.batch_of(request, connection)
        dataset = _dataset_to_set_up(connection, batch, body)
    check_layout(batch.batch_items, layout_intake.fields_of(dataset))
    with request.state.database.write(durable=True) as connection:
        batch = lookups.batch_to_change(request, connection)
        dataset = _dataset_to_set_up(connection, batch, body)
        check_layout(batch.batch_items, layout_intake.fields_of(dataset))
        batches.start_setup(connection, batch.row_id, dataset.row_id, tasks_per_group)
        jobs.add_in_place(
            connection,
            StoredJobKind.SETUP,
            lane=jobs.batch_lane(batch.row_id),
            subject=batch.row_id,
            now=request.state.clock(),
            detail={
                "dataset": dataset.row_id,
                "datapoints": dataset.datapoint_count,
                "schema_version": dataset.schema_version,
                "tasks_per_group": tasks_per_group,
                "batch_items": legacy_instructions.participant_layout(connection, batch, dataset.schema),
                "shuffle_seed": secrets.randbits(32) if batch.shuffle_seed is None else batch.shuffle_seed,
            },
        )
    request.state.wake_worker()
    return empty_response(HTTPStatus.ACCEPTED)


def _dataset_to_set_up(connection: Connection, batch: StoredBatch, body: BatchSetup) -> StoredDataset:
    """The dataset to create tasks from: the one in the request, or the attached one."""
    if body.dataset_id is not None:
        dataset = lookups.dataset_to_attach(connection, body.dataset_id, batch.workspace_id)
    elif batch.dataset is not None:
        dataset = datasets.get(connection, batch.dataset)
    else:
        raise bad_request(_("The batch has no dataset; attach one, or send its id in the request."))
    _require_data(connection, dataset)
    return dataset


def _require_data(connection: Connection, dataset: StoredDataset) -> None:
    """Reject a dataset that has no data yet (Batches rule 4)."""
    if dataset.status not in (None, DatasetStatus.READY):
        raise bad_request(
            _("The dataset is {status}; a batch can be set up once it is READY.").format(
                status=dataset.status
            )
        )
    if dataset.is_v4 and not imports.any_complete(connection, dataset.row_id):
        raise bad_request(
            _("The dataset has no complete import; a batch can be set up once one import is complete.")
        )


def _check_layout(items: BatchItems, fields: Fields) -> None:
    try:
        layout_intake.check_stored(items, fields)
    except InvalidLayout as error:
        messages = [layout_intake.describe_problem(problem) for problem in error.problems]
        raise bad_request({"batch_items": messages}) from None


def tasks(request: ApiRequest) -> Response:
    """`GET /batches/{batch_id}/tasks`: the task ids of the latest setup and its syncs, in order."""
    batch = _batch(request)
    return _id_list_response(task_id, batch, batch.total_task_count)


def task_groups(request: ApiRequest) -> Response:
    """`GET /batches/{batch_id}/task-groups`: the group ids of the latest setup and its syncs, in order."""
    batch = _batch(request)
    return _id_list_response(group_id, batch, batch.total_task_groups)


def _batch(request: ApiRequest) -> StoredBatch:
    with request.state.database.read() as connection:
        return lookups.batch_of(request, connection)


def _id_list_response(id_of: Callable[[str, int, int], str], batch: StoredBatch, count: int) -> Response:
    """A bare array of ids, streamed: there may be a million, each derived from its number."""
    ids = (id_of(batch.id, batch.setup, number) for number in range(count))
    return StreamingResponse(in_chunks(_json_array(ids)), media_type="application/json")


def _json_array(texts: Iterator[str]) -> Iterator[str]:
    separator = "["
    for text in texts:
        yield separator + to_json(text)
        separator = ", "
    yield "[]" if separator == "[" else "]"


def start_sync(request: ApiRequest) -> Response:
    """`POST /batches/{batch_id}/sync`: enqueues a sync, which creates tasks for new datapoints."""
    with request.state.database.write(durable=True) as connection:
        batch = lookups.batch_of(request, connection)
        dataset = _dataset_to_sync(batch)
        sync = enqueue.enqueue_sync(
            connection, batch=batch.row_id, dataset=dataset, now=request.state.clock()
        )
        record = _sync_record(sync, batch.id, datasets.get(connection, sync.dataset).id)
    request.state.wake_worker()
    return json_response(record, HTTPStatus.ACCEPTED)


def get_sync(request: ApiRequest) -> Response:
    """`GET /batches/{batch_id}/syncs/{sync_id}`: one sync."""
    with request.state.database.read() as connection:
        batch = lookups.batch_of(request, connection, HTTPStatus.NOT_FOUND)
        sync = syncs.find(connection, request.path_params["sync_id"])
        if sync is None or sync.batch != batch.row_id:
            raise not_found(_("Sync job not found."))
        return json_response(_sync_record(sync, batch.id, datasets.get(connection, sync.dataset).id))


def _dataset_to_sync(batch: StoredBatch) -> int:
    """The dataset to sync with.

    Raises:
        HttpError: the batch is not ready, or has no dataset (400; Batches rule 7).
    """
    if batch.status is not BatchStatus.READY:
        raise bad_request(_("The batch is not ready; set it up before it is synced."))
    if batch.dataset is None:
        raise bad_request(_("The batch has no dataset to sync with."))
    return batch.dataset


def _sync_record(sync: StoredSync, batch_id: str, dataset_id: str) -> JsonObject:
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
