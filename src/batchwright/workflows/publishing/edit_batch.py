"""Changing single fields of a batch that belongs to no open study (specification, PATCH of a batch)."""

from batchwright.api.http.errors import OutcomeUnknown
from batchwright.client.context import WorkflowContext
from batchwright.wire.batches import Batch, BatchUpdate


async def edit_batch(context: WorkflowContext, batch_id: str, changes: BatchUpdate) -> Batch:
    """Change the fields that are set, and nothing else; repeated once if the response is lost.

    Raises:
        ApiError: a request failed permanently.
    """
    try:
        return await context.service.batches.update(batch_id, changes)
    except OutcomeUnknown:
        return await context.service.batches.update(batch_id, changes)
