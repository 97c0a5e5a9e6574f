"""Creating a dataset once, although datasets, unlike batches and collections, cannot be listed.

The request is recorded before it is sent. If the response is lost, the window asks the user whether to create
another dataset; a command creates another one and reports that.
"""

from contextlib import suppress
from datetime import UTC, datetime

from batchwright.api.http.errors import NotFound, OutcomeUnknown
from batchwright.base.json_values import json_equal
from batchwright.client.checkpoint import Checkpoint
from batchwright.client.context import WorkflowContext
from batchwright.local.id_registry import RemoteKind
from batchwright.wire.datasets import Dataset, DatasetCreate, DatasetStatus


class DatasetCreationUnknown(Exception):
    """A dataset with this name may have been created, and there is no list to look it up: the user decides.

    An empty dataset that remains has no effect and no cost.
    """


async def get_or_create_dataset(
    context: WorkflowContext, checkpoint: Checkpoint, request: DatasetCreate
) -> Dataset:
    """The dataset that an earlier attempt created, or create one (wire reference, 4.4).

    If the checkpoint records a request without a result, because the disk was full or the program was killed,
    the dataset is looked for in the id registry first.

    Raises:
        DatasetCreationUnknown: the response was lost; called again, this creates another dataset.
        StorageUnavailable: the request could not be recorded, and was not sent: no dataset is created twice.
        ApiError: a request failed permanently.
    """
    dataset = await _find_created(context, checkpoint) or await _find_requested(context, checkpoint, request)
    if dataset is None:
        await checkpoint.record(dataset_asked_for=datetime.now(UTC).isoformat(timespec="milliseconds"))
        try:
            dataset = await context.service.datasets.create(request)
        except OutcomeUnknown as lost:
            raise DatasetCreationUnknown(request.name) from lost
    await checkpoint.record(dataset=dataset.id)
    return dataset


async def create_dataset_without_schema(context: WorkflowContext, name: str) -> Dataset:
    """Create a V4 dataset that gets its schema later; its imports wait until then (wire reference, 4.4).

    Raises:
        DatasetCreationUnknown: the response was lost; called again, this creates another dataset.
        ApiError: a request failed permanently.
    """
    checkpoint = context.checkpoint("dataset without schema", name)
    request = DatasetCreate(name=name, workspace_id=context.workspace_id, schema=None)
    dataset = await get_or_create_dataset(context, checkpoint, request)
    await checkpoint.clear()
    return dataset


async def _find_created(context: WorkflowContext, checkpoint: Checkpoint) -> Dataset | None:
    """The dataset recorded in the checkpoint; None if there is none or it no longer exists."""
    steps = await checkpoint.steps()
    if "dataset" not in steps:
        return None
    try:
        return await context.service.datasets.get(str(steps["dataset"]))
    except NotFound:
        await checkpoint.clear()
        return None


async def _find_requested(
    context: WorkflowContext, checkpoint: Checkpoint, request: DatasetCreate
) -> Dataset | None:
    """Find an unused dataset with this name that was created here after the recorded request."""
    requested_at = (await checkpoint.steps()).get("dataset_asked_for")
    if requested_at is None:
        return None
    since = datetime.fromisoformat(str(requested_at))
    for id in await context.id_recorder.created_since(since, RemoteKind.DATASET, request.name):
        if not await checkpoint.is_recorded("dataset", id):
            with suppress(NotFound):
                dataset = await context.service.datasets.get(id)
                if _is_untouched(dataset, request):
                    return dataset
    return None


def _is_untouched(dataset: Dataset, request: DatasetCreate) -> bool:
    """Whether a dataset is empty and as requested; a V3 dataset's status tells whether it has a file."""
    is_empty = not dataset.imports and not dataset.total_datapoint_count
    is_alike = dataset.is_v4 == request.is_v4 and json_equal(dataset.schema_, request.schema_)
    return is_empty and is_alike and dataset.status in (None, DatasetStatus.UNINITIALISED)
