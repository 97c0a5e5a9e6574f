"""Creating a batch from a dataset and a layout, exactly once.

If the response is lost, or the program ended before it was stored, the batch is looked for in the service's
list of batches before another request is sent.
"""

from datetime import UTC, datetime

from batchwright.api.errors import NotFound, OutcomeUnknown
from batchwright.base.i18n import _
from batchwright.client.checkpoint import Checkpoint
from batchwright.client.context import WorkflowContext
from batchwright.layout.ids import to_request
from batchwright.local.id_registry import RemoteKind
from batchwright.local.projects import LastSent
from batchwright.wire.batches import Batch, BatchCreate
from batchwright.workflows.batch_content import DesiredBatch, content_of, content_sent, content_stored


async def create_batch(bench: WorkflowContext, trail: Checkpoint, wanted: DesiredBatch) -> Batch:
    """Create a batch, or return the one that an interrupted attempt has created.

    It is looked for if the response is lost, and if the checkpoint records a request without a result.

    Raises:
        LayoutRejected: the service rejected items of the layout.
        ApiError: a request failed permanently.
    """
    batch = await find_unfinished_batch(bench, trail) or await _create(bench, trail, wanted)
    await trail.record(batch=batch.id)
    return batch


async def find_unfinished_batch(bench: WorkflowContext, trail: Checkpoint) -> Batch | None:
    """Return the current state of the batch recorded in the checkpoint; None if it no longer exists."""
    steps = await trail.steps()
    if "batch" not in steps:
        return None
    try:
        return await bench.service.batches.get(str(steps["batch"]))
    except NotFound:
        await trail.record(batch=None, batch_asked_for=None)
        return None


async def sent_before(trail: Checkpoint, batch: Batch) -> LastSent:
    """Return what was sent for the batch of a checkpoint, and what was returned (if unknown, its state)."""
    steps = await trail.steps()
    returned = steps.get("batch_returned") or content_of(batch).digest
    return LastSent(
        str(steps.get("batch_content") or ""), str(returned), str(steps.get("batch_asked_for") or "")
    )


async def _create(bench: WorkflowContext, trail: Checkpoint, wanted: DesiredBatch) -> Batch:
    asked_for = (await trail.steps()).get("batch_asked_for")
    if asked_for is not None:
        found = await _find_created(bench, wanted, datetime.fromisoformat(str(asked_for)))
        if found is not None:
            return found
    # The listed batches are recorded as known, so that none is mistaken for the one to be created.
    await bench.service.batches.list(bench.workspace_id)
    begun = datetime.now(UTC)
    sent = content_sent(wanted).digest
    await trail.record(batch_asked_for=begun.isoformat(), batch_content=sent, batch_returned=None)
    request = BatchCreate(
        name=wanted.name,
        workspace_id=bench.workspace_id,
        task_details=wanted.details,
        dataset_id=wanted.dataset_id,
        batch_items=to_request(wanted.layout, {}),
    )
    try:
        return await bench.service.batches.create(request)
    except OutcomeUnknown:
        bench.notify(_("The response was lost; checking whether the batch was created."))
        return await _find_created(bench, wanted, begun) or await bench.service.batches.create(request)


async def _find_created(bench: WorkflowContext, wanted: DesiredBatch, begun: datetime) -> Batch | None:
    """Find the batch whose creation had no response: it matches and was unknown before the request.

    A batch with exactly this layout is preferred; a service that renders Markdown differently returns none.
    """
    stored = content_stored(wanted)
    listed = (await bench.service.batches.list(bench.workspace_id)).results
    alike = [batch for batch in listed if content_of(batch).is_named_like(stored)]
    for batch in sorted(alike, key=lambda batch: content_of(batch) != stored):
        if not await bench.id_recorder.was_known_before(RemoteKind.BATCH, batch.id, begun):
            await bench.id_recorder.record_created(RemoteKind.BATCH, batch.id)
            return batch
    return None
