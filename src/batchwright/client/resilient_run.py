"""Outlasting what is in the way: work that goes on where it was is begun again until it gets through."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TypeVar

from batchwright.api.errors import ApiError, Unauthorized, Unreachable
from batchwright.api.retry import retries_reported
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.backoff import backoff
from batchwright.client.job_monitoring.connection_jobs import JobUnreachable
from batchwright.client.job_monitoring.monitors import PollFailure
from batchwright.client.local_job import LocalJob

T = TypeVar("T")

STALL_S = 2.0
"""Seconds without a byte on the way after which the network is said to be away."""


@dataclass(frozen=True)
class RecoveryHooks:
    """What somebody at a window makes possible; work without it ends with the first failure."""

    on_offline: Callable[[], object] | None
    """Is told each time that the network is waited for; None where it is not."""
    reauthenticate: Callable[[WorkflowContext], Awaitable[WorkflowContext | None]]
    """Gives another workbench for one whose token is not accepted any more; None where there is none."""


async def run_resiliently(
    bench: WorkflowContext,
    work: Callable[[WorkflowContext], Awaitable[T]],
    waits: RecoveryHooks | None,
    doing: LocalJob | None = None,
) -> T:
    """Do some work; wait while the service cannot be reached, sign in anew when the token is refused.

    Args:
        bench: what it begins with.
        work: goes on where it was when it is begun again, and makes nothing twice.
        waits: without it nothing is waited for, and the first failure is the end.
        doing: shows that the network is waited for: when a request has to be repeated, and when bytes that
            are on their way have not moved for `STALL_S`.

    Raises:
        Unreachable: the network is there and stands in the way, or nothing is to be waited for.
        Unauthorized: the token is not accepted, and there is no other.
        Exception: whatever else ends the work.
    """
    pauses = backoff()
    while True:
        try:
            async with _outage_shown(waits, doing):
                return await work(bench)
        except (Unreachable, Unauthorized, JobUnreachable) as fault:
            if waits is None:
                raise
            if _is_signed_out(fault):
                newer = await waits.reauthenticate(bench)
                if newer is None:
                    raise
                bench = newer
                continue
            if waits.on_offline is None or not _is_offline(fault):
                raise
        if doing is not None:
            doing.set_offline()
        waits.on_offline()
        await asyncio.sleep(next(pauses))


@contextmanager
def outage_reported(away: Callable[[], object], back: Callable[[], object]) -> Iterator[None]:
    """Call `away` as soon as a request is repeated because nobody answered, `back` when one gets through.

    Repeating one request takes many seconds, whether the work waits for the network afterwards or not.
    """

    def on_retry(error: ApiError) -> None:
        if type(error) is Unreachable:
            away()

    with retries_reported(on_retry, back):
        yield


@asynccontextmanager
async def _outage_shown(waits: RecoveryHooks | None, doing: LocalJob | None) -> AsyncIterator[None]:
    """While work goes on, show at once that nothing gets through; repeating a request takes many seconds."""
    if doing is None or waits is None or waits.on_offline is None:
        yield
        return
    away = waits.on_offline

    def show() -> None:
        if not doing.is_waiting:
            doing.set_offline()
            away()

    async def watch() -> None:
        while True:
            await asyncio.sleep(STALL_S / 4)
            if doing.is_stalled(STALL_S):
                show()

    watching = asyncio.create_task(watch())
    try:
        with outage_reported(show, doing.set_online):
            yield
    finally:
        watching.cancel()


def _is_signed_out(fault: BaseException) -> bool:
    """Whether work ended because the token is not accepted."""
    if isinstance(fault, JobUnreachable):
        return fault.poll_failure is PollFailure.SIGNED_OUT
    return isinstance(fault, Unauthorized)


def _is_offline(fault: BaseException) -> bool:
    """Whether there is no network: whoever cuts or refuses is not mended by waiting."""
    if isinstance(fault, JobUnreachable):
        return fault.poll_failure is PollFailure.OFFLINE
    return type(fault) is Unreachable and not fault.arrived
