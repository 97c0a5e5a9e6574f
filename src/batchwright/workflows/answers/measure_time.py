"""How long people work on a task, measured in the answers that a service has."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from statistics import median
from time import monotonic

from batchwright.api.http.errors import ApiError
from batchwright.client.context import WorkflowContext
from batchwright.wire.local_routes import is_simulated
from batchwright.wire.responses import ResponseRecord

_TIMEOUT_S = 20.0
"""Maximum seconds for reading the answers: there may be very many."""


@dataclass(frozen=True)
class MeasuredTime:
    """The median seconds between the end of a participant's previous task and the end of a task."""

    task_s: float
    tasks: int
    """The number of tasks that it is the median of."""


async def measure_task_time(context: WorkflowContext, batch_id: str) -> MeasuredTime | None:
    """The time that people, not simulated participants, needed for a task of a batch; None if it is unknown.

    The first task of each participant has no beginning, and is left out.
    """
    deadline = monotonic() + _TIMEOUT_S
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            answers = await context.service.batches.responses(batch_id)
        return await asyncio.to_thread(_measured, answers, deadline)
    except (ApiError, TimeoutError):
        return None


def _measured(answers: Iterable[ResponseRecord], deadline: float) -> MeasuredTime | None:
    ends: dict[str, dict[str, datetime]] = {}
    for answer in answers:
        if monotonic() > deadline:
            raise TimeoutError
        if answer.created_at is None or answer.task_id is None or is_simulated(answer.participant_id):
            continue
        tasks = ends.setdefault(answer.participant_id, {})
        tasks[answer.task_id] = max(answer.created_at, tasks.get(answer.task_id, answer.created_at))
    seconds = [
        (end - previous).total_seconds()
        for tasks in ends.values()
        for previous, end in pairwise(sorted(tasks.values()))
    ]
    return MeasuredTime(median(seconds), len(seconds)) if seconds else None
