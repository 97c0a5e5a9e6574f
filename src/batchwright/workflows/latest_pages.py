"""The pages that the newest tasks of a batch show."""

from batchwright.base.json_values import Json
from batchwright.client.context import WorkflowContext
from batchwright.client.remote_study import remote_batch
from batchwright.client.task_layouts import recorded_layouts
from batchwright.wire.batches import Batch
from batchwright.workflows.legacy_instructions import fetch_questions


async def latest_pages(context: WorkflowContext, batch: Batch) -> Json:
    """Return the pages that the newest tasks of a batch show; its present ones if no setup is recorded.

    None for a legacy batch if the service no longer supports instructions.

    Raises:
        ApiError: the instructions of a legacy batch could not be fetched.
    """
    recorded = await recorded_layouts(context, remote_batch(batch.id))
    return recorded[-1].pages if recorded else await fetch_questions(context, batch)
