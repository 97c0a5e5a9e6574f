"""Duplicating a batch with its layout, with or without its dataset (specification, Batches rule 8)."""

from batchwright.client.context import WorkflowContext
from batchwright.client.create_once import create_once
from batchwright.client.resilient_run import RecoveryHooks, run_resiliently
from batchwright.local.id_registry import RemoteKind
from batchwright.wire.batches import Batch, BatchDuplicate


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

    async def list_batches(context: WorkflowContext) -> tuple[Batch, ...]:
        batches = context.service.batches
        return (await batches.list(batch.workspace_id or context.workspace_id)).results

    copy = await create_once(
        lambda: batches.duplicate(batch.id, request),
        lambda: run_resiliently(context, list_batches, hooks),
        lambda candidate: candidate.name == name,
        context.notify,
    )
    await context.id_recorder.record_created(RemoteKind.BATCH, copy.id)
    return copy
