"""The questions of a batch: its layout, or the instructions of a legacy batch as one page."""

from batchwright.base.json_values import Json
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import none_if_missing
from batchwright.wire.batches import Batch


async def fetch_questions(context: WorkflowContext, batch: Batch) -> Json:
    """The layout of a batch; that of a legacy batch is one page with its instructions.

    None for a legacy batch if the service no longer supports instructions.

    Raises:
        ApiError: the request failed permanently.
    """
    if batch.batch_items is not None:
        return batch.batch_items
    listed = await none_if_missing(context.service.instructions.list(batch.id))
    if listed is None or not listed.records:
        return None
    return [{"rows": [{"columns": [{"items": [record.item for record in listed.records]}]}]}]
