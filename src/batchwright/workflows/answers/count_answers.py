"""Counting the answers to each instruction, to be shown before instructions are changed or removed."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from time import monotonic

from batchwright.api.http.errors import ApiError
from batchwright.client.context import WorkflowContext
from batchwright.wire.collections import CollectionResponse
from batchwright.wire.responses import ResponseRecord

_TIMEOUT_S = 20.0
"""Maximum seconds for counting answers: a service may ignore `limit` and send all of them."""


async def count_batch_answers(context: WorkflowContext, batch_id: str) -> Mapping[str, int] | None:
    """The number of answers of a batch by the id of the instruction; None if that takes too long."""
    return await _count(lambda: context.service.batches.responses(batch_id))


async def count_collection_answers(context: WorkflowContext, collection_id: str) -> Mapping[str, int] | None:
    """The number of answers of a collection, like `count_batch_answers`.

    Not every service offers them; then None.
    """
    return await _count(lambda: context.service.collections.responses(collection_id))


async def count_or_none(count: Awaitable[int]) -> int | None:
    """A number of answers; None if the service does not offer it, or takes too long."""
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            return await count
    except (ApiError, TimeoutError):
        return None


async def _count(
    fetch: Callable[[], Awaitable[Iterable[ResponseRecord] | Iterable[CollectionResponse]]],
) -> Mapping[str, int] | None:
    deadline = monotonic() + _TIMEOUT_S
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            answers = await fetch()
        return await asyncio.to_thread(_counts, answers, deadline)
    except (ApiError, TimeoutError):
        return None


def _counts(
    answers: Iterable[ResponseRecord] | Iterable[CollectionResponse], deadline: float
) -> Mapping[str, int]:
    counts: Counter[str] = Counter()
    for record in answers:
        counts[record.response.instruction_id] += 1
        if monotonic() > deadline:
            raise TimeoutError
    return counts
