"""Setting a batch up (specification, Batches rules 4 and 5; wire.md 5.4)."""

import secrets
from http import HTTPStatus

from starlette.responses import Response

from batchwright.base.database import Connection
from batchwright.base.i18n import _
from batchwright.layout.rules import Fields
from batchwright.service import layout_intake, legacy_instructions
from batchwright.service.http import lookups
from batchwright.service.http.body_preparation import Ahead
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.responses import InvalidLayout, bad_request, empty_response
from batchwright.service.store import batches, datasets, imports, jobs
from batchwright.service.store.batches import BatchItems, StoredBatch
from batchwright.service.store.datasets import StoredDataset
from batchwright.service.store.jobs import StoredJobKind
from batchwright.wire.batches import BatchSetup
from batchwright.wire.datasets import DatasetStatus


def set_up(call: ApiRequest) -> Response:
    """`POST /batches/{batch_id}/setup`: the worker makes the tasks; the status says when they are there.

    It is open in any state: of several setups of a batch, the last that was accepted wins (wire.md 5.3).
    """
    asked = call.read(BatchSetup) if call.body.strip() else BatchSetup()
    tasks_per_group = call.countable("tasks_per_group", asked.tasks_per_group)
    check_layout = Ahead(_check_layout)
    with call.parts.database.read() as connection:
        batch = lookups.batch_of(call, connection)
        dataset = _dataset(connection, batch, asked)
    check_layout(batch.batch_items, layout_intake.fields_of(dataset))
    with call.parts.database.write(durable=True) as connection:
        batch = lookups.batch_of(call, connection)
        dataset = _dataset(connection, batch, asked)
        check_layout(batch.batch_items, layout_intake.fields_of(dataset))
        batches.begin_setup(connection, batch.number, dataset.number, tasks_per_group)
        jobs.add_in_place(
            connection,
            StoredJobKind.SETUP,
            lane=jobs.batch_lane(batch.number),
            subject=batch.number,
            now=call.parts.clock(),
            detail={
                "dataset": dataset.number,
                "datapoints": dataset.datapoint_count,
                "schema_version": dataset.schema_version,
                "tasks_per_group": tasks_per_group,
                "batch_items": legacy_instructions.participant_layout(connection, batch, dataset.schema),
                "shuffle_seed": secrets.randbits(32) if batch.shuffle_seed is None else batch.shuffle_seed,
            },
        )
    call.parts.wake_worker()
    return empty_response(HTTPStatus.ACCEPTED)


def _dataset(connection: Connection, batch: StoredBatch, asked: BatchSetup) -> StoredDataset:
    """The dataset to make tasks of: the one in the request, else the one attached."""
    if asked.dataset_id is not None:
        dataset = lookups.dataset_to_attach(connection, asked.dataset_id, batch.workspace_id)
    elif batch.dataset is not None:
        dataset = datasets.get(connection, batch.dataset)
    else:
        raise bad_request(_("The batch has no dataset; attach one, or name it in the request."))
    _insist_on_data(connection, dataset)
    return dataset


def _insist_on_data(connection: Connection, dataset: StoredDataset) -> None:
    """Refuse a dataset that no file has filled yet (Batches rule 4)."""
    if dataset.status not in (None, DatasetStatus.READY):
        raise bad_request(
            _("The dataset is {status}; a batch can be set up once it is READY.").format(
                status=dataset.status
            )
        )
    if dataset.is_v4 and not imports.any_complete(connection, dataset.number):
        raise bad_request(
            _("The dataset has no complete import; a batch can be set up once one import is complete.")
        )


def _check_layout(items: BatchItems, fields: Fields) -> None:
    try:
        layout_intake.check_stored(items, fields)
    except InvalidLayout as refused:
        sentences = [layout_intake.describe_problem(problem) for problem in refused.problems]
        raise bad_request({"batch_items": sentences}) from None
