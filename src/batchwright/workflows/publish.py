"""Publishing: a batch is made of a dataset and a layout."""

from batchwright.api.errors import Unsure
from batchwright.layout.ids import for_sending
from batchwright.layout.model import Layout
from batchwright.local.register import Kind
from batchwright.wire.batches import Batch, BatchCreate, TaskDetails
from batchwright.words import _
from batchwright.workflows.workbench import Workbench


async def create_batch(
    bench: Workbench, name: str, details: TaskDetails, layout: Layout, dataset_id: str
) -> Batch:
    """A new batch; when the answer is lost, it is looked for before it is asked for again (wire.md 5.4).

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
    try:
        batch = await bench.service.batches.create(wanted)
    except Unsure:
        bench.tell(_("The answer was lost; looking whether the batch was made."))
        batch = await _made(bench, wanted) or await bench.service.batches.create(wanted)
    await bench.memory.keep(Kind.BATCH, batch.id, name)
    return batch


async def _made(bench: Workbench, wanted: BatchCreate) -> Batch | None:
    """The batch that a lost answer told of: alike, and not yet known here."""
    for batch in (await bench.service.batches.list(wanted.workspace_id)).results:
        is_alike = batch.name == wanted.name and _words(batch.task_details) == _words(wanted.task_details)
        is_here = has_dataset(batch, wanted.dataset_id)
        if is_alike and is_here and not await bench.memory.knows(Kind.BATCH, batch.id):
            return batch
    return None


def has_dataset(batch: Batch, dataset_id: str | None) -> bool:
    """Whether tasks of a batch would be made of this dataset and of no other (wire.md 5.1)."""
    return [dataset.id for dataset in batch.datasets] == ([] if dataset_id is None else [dataset_id])


def _words(details: TaskDetails | None) -> tuple[str, ...]:
    """What participants read first; a service may answer with more keys than it was sent."""
    return (details.task_name, details.task_introduction, details.task_steps) if details else ()
