"""The layouts that participants were given: that of the tasks of a batch may be an earlier one than it has.

The service on this computer returns it. Of other services it is known only for setups that this computer has
requested or observed (`local.task_layouts`).
"""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime

from batchwright.api.http.errors import ApiError
from batchwright.base.database import StorageUnavailable
from batchwright.base.json_values import Json, is_array, json_equal
from batchwright.client.batch_questions import fetch_questions
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobKind
from batchwright.client.remote_study import RemoteStudy, remote_batch, remote_collection
from batchwright.client.resource_content import content_of, pages_of
from batchwright.local.analysis_settings import AnswersKey
from batchwright.local.connections import THIS_COMPUTER
from batchwright.local.task_layouts import TaskLayout
from batchwright.wire.batches import AttachedDataset, Batch, BatchStatus
from batchwright.wire.collections import Collection


def layouts_key(context: WorkflowContext, of: RemoteStudy) -> AnswersKey:
    """The key of a batch or collection in the table of the layouts of setups."""
    return AnswersKey(context.id_recorder.connection, f"{of.kind}:{of.id}")


def is_on_this_computer(context: WorkflowContext) -> bool:
    """Whether the service is the one that the program starts on this computer."""
    return context.id_recorder.connection == THIS_COMPUTER.name


async def recorded_layouts(context: WorkflowContext, of: RemoteStudy) -> list[TaskLayout]:
    """The layouts that participants were given, oldest first, as far as this computer knows them.

    If it has recorded none, the service on this computer returns that of the latest setup of a batch.

    Raises:
        ApiError: a request failed permanently.
    """
    recorded = await asyncio.to_thread(context.task_layouts.all, layouts_key(context, of))
    if recorded or of.is_collection or not is_on_this_computer(context):
        return recorded
    layout = await context.service.local.setup_layout(of.id)
    if not layout.set_up or not is_array(layout.batch_items):
        return []
    return [TaskLayout(datetime.now(UTC), layout.batch_items, is_assumed=True)]


async def record_collection(context: WorkflowContext, collection: Collection) -> None:
    """Store the pages of a collection that was just created or replaced: participants see them at once.

    Does not raise if they cannot be stored.
    """
    layout = TaskLayout(datetime.now(UTC), pages_of(collection))
    with suppress(StorageUnavailable):
        key = layouts_key(context, remote_collection(collection.id))
        await asyncio.to_thread(context.task_layouts.add, key, layout)


async def record_setup(context: WorkflowContext, batch: Batch, *, is_assumed: bool = False) -> None:
    """Store what a batch has as the layout of its tasks: its setup was just accepted.

    Does not raise if it cannot be fetched or stored: the setup is running. The layout of a legacy batch is
    one page with its instructions.

    Args:
        context: the connection of the batch.
        batch: the batch when the setup was requested.
        is_assumed: whether the setup is an earlier one that was not noticed here.
    """
    with suppress(StorageUnavailable, ApiError):
        pages = await fetch_questions(context, batch)
        if is_array(pages):
            dataset_ids = tuple(dataset.id for dataset in batch.datasets)
            layout = TaskLayout(datetime.now(UTC), pages, dataset_ids, is_assumed)
            key = layouts_key(context, remote_batch(batch.id))
            await asyncio.to_thread(context.task_layouts.add, key, layout)


async def record_observed_setups(context: WorkflowContext, batches: Iterable[Batch]) -> None:
    """Store the layouts of those batches that are being set up by another client; once for each layout.

    Raises:
        ApiError: the instructions of a legacy batch could not be fetched.
    """
    for batch in batches:
        if batch.status != BatchStatus.PROCESSING:
            continue
        setups = await context.jobs.rows_for(JobKind.SETUP, {"batch_id": batch.id})
        if any(row.outcome is None for row in setups):
            continue
        recorded = await _recorded(context, batch)
        present = batch.model_copy(update={"batch_items": await fetch_questions(context, batch)})
        if recorded is None or await asyncio.to_thread(tasks_differ, present, recorded):
            await record_setup(context, present)


async def has_earlier_tasks(context: WorkflowContext, batch: Batch, *, is_live: bool) -> bool:
    """Whether the tasks of a batch show another layout or dataset than the batch has.

    Args:
        context: the connection of the batch.
        batch: the batch as the service returned it last.
        is_live: whether the service is a hosted one. If the setup of the batch is not known then, its tasks
            are assumed to show what it has now, and this is stored, so that a later change is noticed.

    Raises:
        ApiError: a request failed permanently.
    """
    if batch.status != BatchStatus.READY or not is_array(batch.batch_items):
        return False
    set_up = await (_recorded(context, batch) if is_live else _fetched(context, batch))
    if set_up is None:
        await record_setup(context, batch, is_assumed=True)
    return set_up is not None and await asyncio.to_thread(tasks_differ, batch, set_up)


async def _recorded(context: WorkflowContext, batch: Batch) -> Batch | None:
    """The batch as it was at its latest setup, as far as it was recorded on this computer."""
    layout = await asyncio.to_thread(context.task_layouts.last, layouts_key(context, remote_batch(batch.id)))
    return None if layout is None else _with_content(batch, layout.pages, layout.dataset_ids)


async def _fetched(context: WorkflowContext, batch: Batch) -> Batch | None:
    """The batch as it was at its latest setup, fetched from the service on this computer."""
    layout = await context.service.local.setup_layout(batch.id)
    if not layout.set_up:
        return None
    return _with_content(batch, layout.batch_items, () if layout.dataset_id is None else (layout.dataset_id,))


def _with_content(batch: Batch, pages: Json, dataset_ids: Sequence[str]) -> Batch:
    datasets = tuple(AttachedDataset(id=dataset_id) for dataset_id in dataset_ids)
    return batch.model_copy(update={"batch_items": pages, "datasets": datasets})


def tasks_differ(batch: Batch, set_up: Batch) -> bool:
    """Whether participants get something else from both; layouts are read only if they are not identical.

    Call it in a thread.
    """
    has_same_pages = json_equal(pages_of(batch), pages_of(set_up))
    if has_same_pages and [dataset.id for dataset in batch.datasets] == [
        dataset.id for dataset in set_up.datasets
    ]:
        return False
    return not content_of(batch).has_same_content(content_of(set_up))
