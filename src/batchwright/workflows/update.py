"""Updating: the batch of a study is brought to what the study is now, and its ids are learnt anew."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from batchwright.api.errors import LayoutRefused, Unsure
from batchwright.layout.ids import for_sending, given_ids, learn_ids
from batchwright.layout.model import Layout
from batchwright.layout.reading import counted_keys, read
from batchwright.layout.rules import Problem, Refusal, Severity
from batchwright.records.json_values import Json, is_array, same
from batchwright.wire.batches import Batch, BatchUpdate, TaskDetails
from batchwright.words import _
from batchwright.workflows.publish import begun_batch, create_batch, has_dataset
from batchwright.workflows.workbench import Workbench


@dataclass(frozen=True)
class Wanted:
    """What a batch is to be; `ids` is what it calls the entries of the layout, as far as it is known."""

    name: str
    details: TaskDetails
    layout: Layout
    dataset_id: str
    ids: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Published:
    """A batch as the service has it now, and what it calls the entries of the layout, by key."""

    batch: Batch
    ids: Mapping[str, str]


async def publish(bench: Workbench, wanted: Wanted, batch_id: str | None) -> Published:
    """Make a batch, or bring the one that is there to what is wanted.

    Raises:
        LayoutRefused: items of the layout are at fault; `refusals` makes problems of it.
        ApiError: a request failed for good.
    """
    batch = await (_made(bench, wanted) if batch_id is None else _update(bench, wanted, batch_id))
    return Published(batch, learn_ids(wanted.layout, _items(batch)))


def is_as_wanted(batch: Batch, wanted: Wanted) -> bool:
    """Whether a batch is what is wanted, whatever its entries are called."""
    details = batch.task_details
    here = wanted.details
    return (
        batch.name == wanted.name
        and details is not None
        and (details.task_name, details.task_introduction, details.task_steps)
        == (here.task_name, here.task_introduction, here.task_steps)
        and asks_the_same(batch, wanted)
    )


def asks_the_same(batch: Batch, wanted: Wanted) -> bool:
    """Whether tasks made of a batch would be those that are wanted: dataset and layout are the same."""
    here = _without_ids(read(_items(batch), counted_keys()))
    return has_dataset(batch, wanted.dataset_id) and same(here, _without_ids(wanted.layout))


def refusals(error: LayoutRefused) -> tuple[Problem, ...]:
    """What the service found at the items of a layout, as problems beside those of our own rules."""
    return tuple(
        Problem(
            code=str(error.status),
            place=issue.place,
            severity=Severity.ERROR,
            refusal=Refusal.ITEM,
            template=issue.message.replace("{", "{{").replace("}", "}}"),
            item_type=issue.type,
            field=issue.field,
        )
        for issue in error.issues
    )


async def _made(bench: Workbench, wanted: Wanted) -> Batch:
    """A new batch, or the same that was made of this dataset when the program ended before anybody knew."""
    trail = bench.trail("batch", wanted.dataset_id, wanted.name)
    begun = await begun_batch(bench, trail)
    if begun is not None:
        if is_as_wanted(begun, wanted):
            return begun
        await trail.end()
    return await create_batch(bench, trail, wanted.name, wanted.details, wanted.layout, wanted.dataset_id)


async def _update(bench: Workbench, wanted: Wanted, batch_id: str) -> Batch:
    """An id that the batch no longer has would be refused (wire.md 6), so what it has is looked at first."""
    there = frozenset(given_ids(read(_items(await bench.service.batches.get(batch_id)), counted_keys())))
    ids = {key: id for key, id in wanted.ids.items() if id in there}
    changes = BatchUpdate(
        name=wanted.name,
        task_details=wanted.details,
        dataset_id=wanted.dataset_id,
        batch_items=for_sending(wanted.layout, ids),
    )
    try:
        return await bench.service.batches.update(batch_id, changes)
    except Unsure:
        bench.tell(_("The answer was lost; looking whether the batch was changed."))
        batch = await bench.service.batches.get(batch_id)
        if is_as_wanted(batch, wanted):
            return batch
        return await bench.service.batches.update(batch_id, changes)


def _items(batch: Batch) -> list[Json]:
    return list(batch.batch_items) if is_array(batch.batch_items) else []


def _without_ids(layout: Layout) -> Json:
    return for_sending(layout, {})
