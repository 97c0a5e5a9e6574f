"""Auto-sync: whether what is appended gets its tasks by itself (specification, Batches rule 6)."""

from batchwright.api.errors import OutcomeUnknown
from batchwright.client.context import WorkflowContext
from batchwright.wire.batches import Batch, BatchUpdate


async def set_auto_sync(bench: WorkflowContext, batch_id: str, *, is_on: bool) -> Batch:
    """Switch it for a batch, and change nothing else; asked again where the answer was lost.

    Raises:
        ApiError: a request failed for good.
    """
    changes = BatchUpdate(auto_sync_enabled=is_on)
    try:
        return await bench.service.batches.update(batch_id, changes)
    except OutcomeUnknown:
        return await bench.service.batches.update(batch_id, changes)
