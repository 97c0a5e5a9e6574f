"""Running an operation across outages: it is retried until the network is back and the token is accepted.

Only operations started in a window wait. Commands end with an error instead: the user of a window can cancel
or sign in, but a script would hang.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TypeVar

from batchwright.api.http.errors import ApiError, Unauthorized, Unreachable
from batchwright.api.http.retry import retries_reported
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.backoff import backoff
from batchwright.client.job_monitoring.connection_jobs import JobUnreachable
from batchwright.client.job_monitoring.local_job import LocalJob
from batchwright.client.job_monitoring.monitors import PollFailure

T = TypeVar("T")

STALL_S = 2.0
"""Seconds without a transferred byte after which the network is shown as down."""


@dataclass(frozen=True)
class RecoveryHooks:
    """What a window provides to recover from outages and rejected tokens."""

    on_offline: Callable[[], object] | None
    """Called each time that the operation waits for the network; None if it must not wait."""
    reauthenticate: Callable[[WorkflowContext], Awaitable[WorkflowContext | None]]
    """Returns a context with a new token in place of one whose token was rejected; None if there is none."""
    reconnect: Callable[[], Awaitable[WorkflowContext]] | None = None
    """Returns a context after an outage, in place of the one before; None if that can still be used."""


async def run_resiliently(
    context: WorkflowContext,
    work: Callable[[WorkflowContext], Awaitable[T]],
    hooks: RecoveryHooks | None,
    local_job: LocalJob | None = None,
) -> T:
    """Run an operation; wait while the service cannot be reached, and sign in again if the token is rejected.

    Args:
        context: the context for the first attempt.
        work: the operation; called again with the latest context, it resumes and creates nothing twice.
        hooks: if None, nothing is waited for, and the first error is raised.
        local_job: shows that the network is waited for, when a request has to be repeated and when no byte of
            a running transfer has moved for `STALL_S`.

    Raises:
        Unreachable: the service was reached but not usable (an untrusted certificate, for example), the
            request may have arrived, or `hooks` does not allow waiting.
        Unauthorized: the token was rejected, and there is no other.
        Exception: any other error of `work`.
    """
    pauses = backoff()
    while True:
        try:
            async with _outage_shown(hooks, local_job):
                return await work(context)
        except (Unreachable, Unauthorized, JobUnreachable) as error:
            if hooks is None:
                raise
            if _is_signed_out(error):
                new_context = await hooks.reauthenticate(context)
                if new_context is None:
                    raise
                context = new_context
                continue
            if hooks.on_offline is None or not _is_offline(error):
                raise
        if local_job is not None:
            local_job.set_offline()
        hooks.on_offline()
        await asyncio.sleep(next(pauses))
        if hooks.reconnect is not None:
            context = await hooks.reconnect()


@contextmanager
def outage_reported(on_offline: Callable[[], object], on_online: Callable[[], object]) -> Iterator[None]:
    """Call `on_offline` when a request is slow or repeated, `on_online` when one succeeds.

    Repeating one request takes many seconds, whether or not the operation waits for the network afterwards.
    """

    def on_retry(error: ApiError) -> None:
        if type(error) is Unreachable:
            on_offline()

    with retries_reported(on_retry, on_online):
        yield


@asynccontextmanager
async def _outage_shown(hooks: RecoveryHooks | None, local_job: LocalJob | None) -> AsyncIterator[None]:
    """While an operation runs, show an outage immediately; repeating a request takes many seconds."""
    if local_job is None or hooks is None or hooks.on_offline is None:
        yield
        return
    on_offline = hooks.on_offline

    def show() -> None:
        if not local_job.is_waiting:
            local_job.set_offline()
            on_offline()

    async def show_stalls() -> None:
        while True:
            await asyncio.sleep(STALL_S / 4)
            if local_job.is_stalled(STALL_S):
                show()

    watch_task = asyncio.create_task(show_stalls())
    try:
        with outage_reported(show, local_job.set_online):
            yield
    finally:
        watch_task.cancel()


def _is_signed_out(error: BaseException) -> bool:
    """Whether an operation ended because the token was rejected."""
    if isinstance(error, JobUnreachable):
        return error.poll_failure is PollFailure.SIGNED_OUT
    return isinstance(error, Unauthorized)


def _is_offline(error: BaseException) -> bool:
    """Whether there is no network. Waiting does not help with a rejection or an interrupted request."""
    if isinstance(error, JobUnreachable):
        return error.poll_failure is PollFailure.OFFLINE
    return type(error) is Unreachable and not error.arrived
