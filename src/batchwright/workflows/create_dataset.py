"""Making a dataset, once: no list of datasets exists, so what is known of one is what is kept here."""

from contextlib import suppress
from datetime import UTC, datetime

from batchwright.api.errors import NotFound, OutcomeUnknown
from batchwright.base.json_values import json_equal
from batchwright.client.checkpoint import Checkpoint
from batchwright.client.context import WorkflowContext
from batchwright.local.id_registry import RemoteKind
from batchwright.wire.datasets import Dataset, DatasetCreate, DatasetStatus


class DatasetCreationUnknown(Exception):
    """A dataset of this name may have been made, and nobody can look: whether to make another is asked.

    An empty one left behind changes nothing and costs nothing.
    """


async def get_or_create_dataset(bench: WorkflowContext, trail: Checkpoint, wanted: DatasetCreate) -> Dataset:
    """The dataset that was made for some work before, or else a new one (wire reference, 4.4).

    It is looked for in the register as well, when `trail` knows that it was asked for, and not what came of
    that: the disk was full just then, say, or the program was killed.

    Raises:
        DatasetCreationUnknown: the answer was lost; begun again, this makes another.
        StorageUnavailable: the creation could not be recorded; no dataset is created twice.
        ApiError: a request failed for good.
    """
    dataset = await _find_created(bench, trail) or await _find_requested(bench, trail, wanted)
    if dataset is None:
        await trail.record(dataset_asked_for=datetime.now(UTC).isoformat(timespec="milliseconds"))
        try:
            dataset = await bench.service.datasets.create(wanted)
        except OutcomeUnknown as lost:
            raise DatasetCreationUnknown(wanted.name) from lost
    await trail.record(dataset=dataset.id)
    return dataset


async def _find_created(bench: WorkflowContext, trail: Checkpoint) -> Dataset | None:
    """The dataset that was made before, unless the service has it no more."""
    steps = await trail.steps()
    if "dataset" not in steps:
        return None
    try:
        return await bench.service.datasets.get(str(steps["dataset"]))
    except NotFound:
        await trail.clear()
        return None


async def _find_requested(bench: WorkflowContext, trail: Checkpoint, wanted: DatasetCreate) -> Dataset | None:
    """A dataset of the name that was made since this one was asked for, and that no work has come to."""
    asked_for = (await trail.steps()).get("dataset_asked_for")
    if asked_for is None:
        return None
    since = datetime.fromisoformat(str(asked_for))
    for id in await bench.id_recorder.created_since(since, RemoteKind.DATASET, wanted.name):
        if not await trail.is_reached("dataset", id):
            with suppress(NotFound):
                dataset = await bench.service.datasets.get(id)
                if _is_untouched(dataset, wanted):
                    return dataset
    return None


def _is_untouched(dataset: Dataset, wanted: DatasetCreate) -> bool:
    """Whether a dataset is as it would be made now; a V3 one tells by its status that a file came."""
    is_empty = not dataset.imports and not dataset.total_datapoint_count
    is_alike = dataset.is_v4 == wanted.is_v4 and json_equal(dataset.schema_, wanted.schema_)
    return is_empty and is_alike and dataset.status in (None, DatasetStatus.UNINITIALISED)
