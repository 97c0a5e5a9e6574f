"""Outlasting what is in the way: work that goes on where it was is begun again until it gets through."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from batchwright.api.errors import SignedOut, Unreachable
from batchwright.jobs.monitors import Weather
from batchwright.jobs.polling import backoff
from batchwright.workflows.doing import Doing
from batchwright.workflows.watching import LostSight
from batchwright.workflows.workbench import Workbench

T = TypeVar("T")


@dataclass(frozen=True)
class Waits:
    """What somebody at a window makes possible; work without it ends with the first failure."""

    away: Callable[[], object] | None
    """Is told each time that the network is waited for; None where it is not."""
    signed_in: Callable[[Workbench], Awaitable[Workbench | None]]
    """Gives another workbench for one whose token is not accepted any more; None where there is none."""


async def outlasting(
    bench: Workbench,
    work: Callable[[Workbench], Awaitable[T]],
    waits: Waits | None,
    doing: Doing | None = None,
) -> T:
    """Do some work; wait while the service cannot be reached, sign in anew when the token is refused.

    Args:
        bench: what it begins with.
        work: goes on where it was when it is begun again, and makes nothing twice.
        waits: without it nothing is waited for, and the first failure is the end.
        doing: shows that the network is waited for.

    Raises:
        Unreachable: the network is there and stands in the way, or nothing is to be waited for.
        SignedOut: the token is not accepted, and there is no other.
        Exception: whatever else ends the work.
    """
    pauses = backoff()
    while True:
        try:
            return await work(bench)
        except (Unreachable, SignedOut, LostSight) as fault:
            if waits is None:
                raise
            if _is_signed_out(fault):
                newer = await waits.signed_in(bench)
                if newer is None:
                    raise
                bench = newer
                continue
            if waits.away is None or not _is_away(fault):
                raise
        if doing is not None:
            doing.waits()
        waits.away()
        await asyncio.sleep(next(pauses))


def _is_signed_out(fault: BaseException) -> bool:
    """Whether work ended because the token is not accepted."""
    if isinstance(fault, LostSight):
        return fault.weather is Weather.SIGNED_OUT
    return isinstance(fault, SignedOut)


def _is_away(fault: BaseException) -> bool:
    """Whether there is no network: whoever cuts or refuses is not mended by waiting."""
    if isinstance(fault, LostSight):
        return fault.weather is Weather.OFFLINE
    return type(fault) is Unreachable and not fault.arrived
