"""Publishing a study: its batch is created or updated, and the ids that the service assigned are returned."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from batchwright.api.errors import LayoutRejected, OutcomeUnknown
from batchwright.base.i18n import _
from batchwright.client.context import WorkflowContext
from batchwright.layout.ids import collect_ids, ids_from_response, to_request
from batchwright.layout.rules import Problem, RejectionStatus, Severity
from batchwright.layout.serialization import read, sequential_keys
from batchwright.local.projects import LastSent
from batchwright.wire.batches import Batch, BatchUpdate
from batchwright.workflows.batch_content import (
    ContentComparison,
    DesiredBatch,
    compare,
    content_of,
    content_sent,
    content_stored,
    items_of,
    last_sent,
)
from batchwright.workflows.changed_meanwhile import ChangedMeanwhile
from batchwright.workflows.create_batch import create_batch, find_unfinished_batch, sent_before
from batchwright.workflows.dataset_schemas import SchemaDiffers, differs


@dataclass(frozen=True)
class PublishedBatch:
    """A batch as the service has it now, its ids of layout nodes by key, and what was sent.

    `is_earlier` is True if an earlier attempt had created the batch, from an older version of the study.
    """

    batch: Batch
    ids: Mapping[str, str]
    last_sent: LastSent
    is_earlier: bool = False


async def create_or_update_batch(
    bench: WorkflowContext, wanted: DesiredBatch, replaces: Batch | None
) -> PublishedBatch:
    """Create a batch, or update the existing one.

    Args:
        bench: the context of the connection.
        wanted: the state that the batch should have.
        replaces: the batch as it was when the user decided on the update; None to create a batch.

    Raises:
        SchemaDiffers: the dataset has another schema than the study.
        ChangedMeanwhile: the batch has changed since.
        LayoutRejected: the service rejected items of the layout; see `layout_problems`.
        ApiError: a request failed permanently.
    """
    if wanted.schema is not None:
        dataset = await bench.service.datasets.get(wanted.dataset_id)
        if differs(dataset, wanted.schema):
            raise SchemaDiffers(wanted.name)
    if replaces is None:
        return await _publish_new(bench, wanted)
    batch = await _publish_update(bench, wanted, replaces)
    return _published(batch, wanted, last_sent(content_sent(wanted).digest, batch))


def layout_problems(error: BaseException) -> tuple[Problem, ...]:
    """Return the problems of a layout that the service rejected; empty for any other error."""
    if not isinstance(error, LayoutRejected):
        return ()
    return tuple(
        Problem(
            code=str(error.status),
            path=issue.place,
            severity=Severity.ERROR,
            rejection=RejectionStatus.ITEM,
            template=issue.message.replace("{", "{{").replace("}", "}}"),
            item_type=issue.type,
            field=issue.field,
        )
        for issue in error.issues
    )


async def _publish_new(bench: WorkflowContext, wanted: DesiredBatch) -> PublishedBatch:
    """Create a batch, or return the one that an interrupted attempt created from this dataset.

    If the study has changed since that attempt, the batch is left unchanged: the user is asked whether to
    update it, and a second batch is never created without being asked for. A new batch is fetched once more,
    because the response to its creation has fewer keys (wire reference, 5.1).
    """
    trail = bench.checkpoint("batch", wanted.dataset_id, wanted.name)
    begun = await find_unfinished_batch(bench, trail)
    if begun is not None:
        return _published_with_state(begun, wanted, await sent_before(trail, begun))
    batch = await create_batch(bench, trail, wanted)
    batch = await bench.service.batches.get(batch.id)
    sent = await sent_before(trail, batch)
    await trail.record(batch_returned=sent.returned)
    return _published_with_state(batch, wanted, sent)


async def _publish_update(bench: WorkflowContext, wanted: DesiredBatch, replaces: Batch) -> Batch:
    """Update a batch, with only those ids that it still has: the service would reject others.

    Wire reference, section 6.
    """
    batch = await bench.service.batches.get(replaces.id)
    if content_of(batch) == content_stored(wanted):
        return batch
    if content_of(batch) != content_of(replaces):
        raise ChangedMeanwhile(_("The batch “{name}”").format(name=replaces.name))
    there = frozenset(collect_ids(read(items_of(batch), sequential_keys())))
    ids = {key: id for key, id in wanted.ids.items() if id in there}
    changes = BatchUpdate(
        name=wanted.name,
        task_details=wanted.details,
        dataset_id=wanted.dataset_id,
        batch_items=to_request(wanted.layout, ids),
    )
    try:
        return await bench.service.batches.update(batch.id, changes)
    except OutcomeUnknown:
        bench.notify(_("The response was lost; checking whether the batch was changed."))
        batch = await bench.service.batches.get(batch.id)
        if content_of(batch) == content_stored(wanted):
            return batch
        return await bench.service.batches.update(batch.id, changes)


def _published_with_state(batch: Batch, wanted: DesiredBatch, sent: LastSent) -> PublishedBatch:
    """Return the result for a batch that may have been created from an earlier version of the study."""
    is_earlier = compare(batch, wanted, sent) is not ContentComparison.UP_TO_DATE
    return replace(_published(batch, wanted, sent), is_earlier=is_earlier)


def _published(batch: Batch, wanted: DesiredBatch, sent: LastSent) -> PublishedBatch:
    return PublishedBatch(batch, ids_from_response(wanted.layout, items_of(batch)), sent)
