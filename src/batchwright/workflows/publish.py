"""Publishing: a batch is made of a dataset and a layout."""

from datetime import UTC, datetime

from batchwright.api.errors import NotFound, Unsure
from batchwright.layout.ids import for_sending
from batchwright.layout.model import Layout
from batchwright.local.register import Kind
from batchwright.wire.batches import Batch, BatchCreate, TaskDetails
from batchwright.words import _
from batchwright.workflows.trail import Trail
from batchwright.workflows.workbench import Workbench


async def create_batch(
    bench: Workbench, trail: Trail, name: str, details: TaskDetails, layout: Layout, dataset_id: str
) -> Batch:
    """A new batch; when the answer is lost, it is looked for before it is asked for again (wire.md 5.4).

    It is looked for as well when `trail` knows that it was asked for before, and not what came of that.

    Raises:
        LayoutRefused: items of the layout are at fault.
        ApiError: a request failed for good.
    """
    wanted = BatchCreate(
        name=name,
        workspace_id=bench.workspace_id,
        task_details=details,
        dataset_id=dataset_id,
        batch_items=for_sending(layout, {}),
    )
    batch = await begun_batch(bench, trail) or await _create(bench, trail, wanted)
    await trail.mark(batch=batch.id)
    return batch


async def begun_batch(bench: Workbench, trail: Trail) -> Batch | None:
    """The batch that was made before, as it is now, unless the service has it no more."""
    steps = await trail.steps()
    if "batch" not in steps:
        return None
    try:
        return await bench.service.batches.get(str(steps["batch"]))
    except NotFound:
        await trail.mark(batch=None, batch_asked_for=None)
        return None


async def _create(bench: Workbench, trail: Trail, wanted: BatchCreate) -> Batch:
    asked_for = (await trail.steps()).get("batch_asked_for")
    if asked_for is not None:
        found = await _made(bench, wanted, datetime.fromisoformat(str(asked_for)))
        if found is not None:
            return found
    # Everything listed is known from then on, and so never taken for the batch that is about to be made.
    await bench.service.batches.list(wanted.workspace_id)
    begun = datetime.now(UTC)
    await trail.mark(batch_asked_for=begun.isoformat())
    try:
        return await bench.service.batches.create(wanted)
    except Unsure:
        bench.tell(_("The answer was lost; looking whether the batch was made."))
        return await _made(bench, wanted, begun) or await bench.service.batches.create(wanted)


async def _made(bench: Workbench, wanted: BatchCreate, begun: datetime) -> Batch | None:
    """The batch that a lost answer told of: alike, and not known here before it was asked for."""
    for batch in (await bench.service.batches.list(wanted.workspace_id)).results:
        is_alike = batch.name == wanted.name and _words(batch.task_details) == _words(wanted.task_details)
        is_here = has_dataset(batch, wanted.dataset_id)
        if is_alike and is_here and not await bench.memory.knew(Kind.BATCH, batch.id, begun):
            await bench.memory.made(Kind.BATCH, batch.id)
            return batch
    return None


def has_dataset(batch: Batch, dataset_id: str | None) -> bool:
    """Whether tasks of a batch would be made of this dataset and of no other (wire.md 5.1)."""
    return [dataset.id for dataset in batch.datasets] == ([] if dataset_id is None else [dataset_id])


def _words(details: TaskDetails | None) -> tuple[str, ...]:
    """What participants read first; a service may answer with more keys than it was sent."""
    return (details.task_name, details.task_introduction, details.task_steps) if details else ()
