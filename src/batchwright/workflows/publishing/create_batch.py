"""Creating a batch exactly once: from a dataset and a layout, as a copy of another, or without a layout.

If the response is lost, or the program ended before it was stored, the batch is looked for in the service's
list of batches before another request is sent.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime

from batchwright.api.http.errors import NotFound, OutcomeUnknown
from batchwright.base.i18n import _
from batchwright.base.json_values import Json, is_array
from batchwright.client.batch_content import DesiredBatch
from batchwright.client.checkpoint import Checkpoint
from batchwright.client.context import WorkflowContext
from batchwright.client.create_once import create_once
from batchwright.client.published_content import content_sent, content_stored
from batchwright.client.resilient_run import RecoveryHooks, run_resiliently
from batchwright.client.resource_content import content_of
from batchwright.layout.ids import to_request
from batchwright.local.id_registry import RemoteKind
from batchwright.local.projects import LastSent
from batchwright.wire.batches import Batch, BatchCreate, BatchDuplicate, TaskDetails


async def create_batch(context: WorkflowContext, checkpoint: Checkpoint, desired: DesiredBatch) -> Batch:
    """Create a batch, or return the one that an interrupted attempt has created.

    It is looked for if the response is lost, and if the checkpoint records a request without a result.

    Raises:
        LayoutRejected: the service rejected items of the layout.
        ApiError: a request failed permanently.
    """
    batch = await find_unfinished_batch(context, checkpoint) or await _create(context, checkpoint, desired)
    await checkpoint.record(batch=batch.id)
    return batch


async def duplicate(
    context: WorkflowContext,
    batch: Batch,
    name: str,
    *,
    with_dataset: bool,
    hooks: RecoveryHooks | None = None,
) -> Batch:
    """Copy a batch; the copy is to be set up like any new batch.

    If the response is lost, the copy is looked for in the list of batches. Outages during that are handled
    here with `hooks`: retrying the whole operation would create a second copy.

    Raises:
        OutcomeUnknown: it may have been created, but cannot be told apart from others.
        ApiError: a request failed permanently.
    """
    batches = context.service.batches
    request = BatchDuplicate(name=name, upload_new_dataset=not with_dataset)
    workspace_id = batch.workspace_id or context.workspace_id
    return await _create_named(
        context, lambda: batches.duplicate(batch.id, request), name, workspace_id, hooks
    )


async def create_legacy_batch(
    context: WorkflowContext, name: str, details: TaskDetails, dataset_id: str, hooks: RecoveryHooks | None
) -> Batch:
    """Create a batch without a layout, which gets instructions; the only one that can show V3 data.

    Lost responses and outages are handled as in `duplicate`.

    Raises:
        OutcomeUnknown: it may have been created, but cannot be told apart from others.
        ApiError: a request failed permanently.
    """
    request = BatchCreate(
        name=name,
        workspace_id=context.workspace_id,
        task_details=details,
        dataset_id=dataset_id,
        batch_items=None,
    )
    batches = context.service.batches
    return await _create_named(context, lambda: batches.create(request), name, context.workspace_id, hooks)


async def _create_named(
    context: WorkflowContext,
    create: Callable[[], Awaitable[Batch]],
    name: str,
    workspace_id: str,
    hooks: RecoveryHooks | None,
) -> Batch:
    """Create a batch once; if the response is lost, it is recognised by its name."""

    async def list_batches(context: WorkflowContext) -> tuple[Batch, ...]:
        return (await context.service.batches.list(workspace_id)).results

    batch = await create_once(
        create,
        lambda: run_resiliently(context, list_batches, hooks),
        lambda candidate: candidate.name == name,
        context.notify,
    )
    await context.id_recorder.record_created(RemoteKind.BATCH, batch.id)
    return batch


async def find_unfinished_batch(context: WorkflowContext, checkpoint: Checkpoint) -> Batch | None:
    """The current state of the batch recorded in the checkpoint; None if it no longer exists."""
    steps = await checkpoint.steps()
    if "batch" not in steps:
        return None
    try:
        return await context.service.batches.get(str(steps["batch"]))
    except NotFound:
        await checkpoint.record(batch=None, batches_before=None)
        return None


async def sent_before(checkpoint: Checkpoint, batch: Batch) -> LastSent:
    """What was sent for the batch of a checkpoint, and what was returned (if unknown, its state)."""
    steps = await checkpoint.steps()
    returned = steps.get("batch_returned") or (await asyncio.to_thread(content_of, batch)).digest
    return LastSent(
        str(steps.get("batch_content") or ""), str(returned), str(steps.get("batch_asked_for") or "")
    )


async def _create(context: WorkflowContext, checkpoint: Checkpoint, desired: DesiredBatch) -> Batch:
    before = (await checkpoint.steps()).get("batches_before")
    if is_array(before):
        batch = await _find_created(context, desired, before)
        if batch is not None:
            return batch
    before = [batch.id for batch in (await context.service.batches.list(context.workspace_id)).results]
    sent = (await asyncio.to_thread(content_sent, desired)).digest
    await checkpoint.record(
        batches_before=before,
        batch_asked_for=datetime.now(UTC).isoformat(),
        batch_content=sent,
        batch_returned=None,
    )
    request = await asyncio.to_thread(
        lambda: BatchCreate(
            name=desired.name,
            workspace_id=context.workspace_id,
            task_details=desired.details,
            dataset_id=desired.dataset_id,
            batch_items=to_request(desired.layout, {}),
        )
    )
    try:
        return await context.service.batches.create(request)
    except OutcomeUnknown:
        context.notify(_("The response was lost; checking whether the batch was created."))
        return await _find_created(context, desired, before) or await context.service.batches.create(request)


async def _find_created(
    context: WorkflowContext, desired: DesiredBatch, before: Sequence[Json]
) -> Batch | None:
    """Find the batch whose creation had no response: it matches and was not listed before the request.

    A batch with exactly this layout is preferred; a service that renders Markdown differently returns none.
    """
    earlier = set(map(str, before))
    listed = (await context.service.batches.list(context.workspace_id)).results
    for batch in await asyncio.to_thread(_similar_batches, listed, desired):
        if batch.id not in earlier:
            await context.id_recorder.record_created(RemoteKind.BATCH, batch.id)
            return batch
    return None


def _similar_batches(batches: Sequence[Batch], desired: DesiredBatch) -> list[Batch]:
    """The batches with the name, task details and datasets of a study; those with its layout first."""
    stored = content_stored(desired)
    similar = [batch for batch in batches if content_of(batch).is_named_like(stored)]
    return sorted(similar, key=lambda batch: content_of(batch) != stored)
