"""Switching auto-sync of a batch: whether appended records get tasks automatically.

Specification, Batches rule 6.
"""

from batchwright.api.errors import OutcomeUnknown
from batchwright.client.context import WorkflowContext
from batchwright.wire.batches import Batch, BatchUpdate


async def set_auto_sync(context: WorkflowContext, batch_id: str, *, is_on: bool) -> Batch:
    """Switch auto-sync on or off, and change nothing else; repeated once if the response is lost.

    Raises:
        ApiError: a request failed permanently.
    """
    changes = BatchUpdate(auto_sync_enabled=is_on)
    try:
        return await context.service.batches.update(batch_id, changes)
    except OutcomeUnknown:
        return await context.service.batches.update(batch_id, changes)
