"""What has to be known before a batch is updated or set up again: what it is now, and its answers."""

import asyncio
from dataclasses import dataclass

from batchwright.api.errors import ApiError
from batchwright.client.context import WorkflowContext
from batchwright.wire.batches import Batch, BatchStatus

_COUNT_TIMEOUT_S = 20.0
"""How long answers are counted: a service that knows no slices sends all of them."""


@dataclass(frozen=True)
class BatchWithAnswerCount:
    """A batch as the service has it now; `answers` is None where they could not be counted."""

    batch: Batch
    answers: int | None


async def fetch_with_answer_count(bench: WorkflowContext, batch_id: str) -> BatchWithAnswerCount:
    """A batch and the number of its answers.

    Raises:
        ApiError: the batch could not be fetched; that its answers could not be counted is no error.
    """
    batch = await bench.service.batches.get(batch_id)
    return BatchWithAnswerCount(batch, await _count(bench, batch))


async def _count(bench: WorkflowContext, batch: Batch) -> int | None:
    if batch.status == BatchStatus.UNINITIALISED:
        return 0
    try:
        async with asyncio.timeout(_COUNT_TIMEOUT_S):
            return await bench.service.batches.response_count(batch.id)
    except (ApiError, TimeoutError):
        return None
