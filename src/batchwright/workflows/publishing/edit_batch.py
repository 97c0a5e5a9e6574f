"""Changing single fields of a batch that belongs to no open study (specification, PATCH of a batch)."""

from collections.abc import Mapping

from batchwright.api.http.errors import OutcomeUnknown
from batchwright.client.context import WorkflowContext
from batchwright.client.published_content import editable_details
from batchwright.wire.batches import Batch, BatchUpdate


async def edit_batch(
    context: WorkflowContext, batch_id: str, changes: BatchUpdate, details: Mapping[str, str] | None = None
) -> Batch:
    """Change the fields that are set, and nothing else; repeated once if the response is lost.

    `details` are the task details to change, by the name of their field. A request has all of them (wire
    reference, 5.2), so the others are fetched first.

    Raises:
        ApiError: a request failed permanently.
    """
    batches = context.service.batches
    if details:
        current = editable_details((await batches.get(batch_id)).task_details)
        changes = changes.model_copy(update={"task_details": current.model_copy(update=details)})
    try:
        return await batches.update(batch_id, changes)
    except OutcomeUnknown:
        return await batches.update(batch_id, changes)
