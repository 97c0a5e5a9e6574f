"""The current state of a batch and the number of its answers, shown before it is updated or set up again."""

import asyncio
from dataclasses import dataclass

from batchwright.api.errors import ApiError
from batchwright.client.context import WorkflowContext
from batchwright.wire.batches import Batch, BatchStatus

_COUNT_TIMEOUT_S = 20.0
"""Maximum seconds for counting answers: a service that ignores `limit` sends all of them."""


@dataclass(frozen=True)
class BatchWithAnswerCount:
    """A batch as the service has it now; `answers` is None if they could not be counted."""

    batch: Batch
    answers: int | None


async def fetch_with_answer_count(context: WorkflowContext, batch_id: str) -> BatchWithAnswerCount:
    """Fetch a batch and count its answers.

    Raises:
        ApiError: the batch could not be fetched; it is no error if its answers could not be counted.
    """
    batch = await context.service.batches.get(batch_id)
    return BatchWithAnswerCount(batch, await _count(context, batch))


async def _count(context: WorkflowContext, batch: Batch) -> int | None:
    if batch.status == BatchStatus.UNINITIALISED:
        return 0
    try:
        async with asyncio.timeout(_COUNT_TIMEOUT_S):
            return await context.service.batches.response_count(batch.id)
    except (ApiError, TimeoutError):
        return None
