"""Outlasting a network that is away: work that goes on where it was is begun again until it gets through."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from batchwright.api.errors import Unreachable
from batchwright.jobs.monitors import Weather
from batchwright.jobs.polling import backoff
from batchwright.workflows.watching import LostSight

T = TypeVar("T")

Waits = Callable[[], object]
"""Is told each time that the network is waited for."""


async def outlasting(work: Callable[[], Awaitable[T]], waits: Waits | None) -> T:
    """Do some work; while the service cannot be reached, wait, and do it again.

    Args:
        work: goes on where it was when it is begun again, and makes nothing twice.
        waits: is told; without it nothing is waited for, and the first failure is the end.

    Raises:
        Unreachable: the network is there and stands in the way, or nothing is to be waited for.
        Exception: whatever else ends the work.
    """
    pauses = backoff()
    while True:
        try:
            return await work()
        except (Unreachable, LostSight) as fault:
            if waits is None or not _is_away(fault):
                raise
        waits()
        await asyncio.sleep(next(pauses))


def _is_away(fault: Unreachable | LostSight) -> bool:
    """Whether there is no network: whoever cuts or refuses is not mended by waiting."""
    if isinstance(fault, LostSight):
        return fault.weather is Weather.OFFLINE
    return type(fault) is Unreachable and not fault.arrived
