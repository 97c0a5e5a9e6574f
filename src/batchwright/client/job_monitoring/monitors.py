"""Monitors: each watches one job to its end, and what it sees is kept, so that another can take over.

A monitor knows no endpoint. It is handed a `look` at its job, the notes that outlive it, and a judge of
failures, so that one class serves every kind of job.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from batchwright.client.job_monitoring.backoff import align_to_beat, backoff
from batchwright.client.job_monitoring.status import JobOutcome, JobStatus


class PollFailure(Enum):
    """What a failed look means for a job, which goes on at the service whether anybody looks or not."""

    OFFLINE = auto()
    """The service cannot be reached or fails: look again later."""
    RATE_LIMITED = auto()
    """The service asks to be left alone for a while (wire reference, 2.4): look again after it."""
    SIGNED_OUT = auto()
    """The token is not accepted: look again when told that there is another."""
    REFUSED = auto()
    """The service, or something on the way to it, does not let anybody look: look again much later."""
    GONE = auto()
    """The service knows no such job."""
    NOT_STORED = auto()
    """What was seen cannot be kept here for the moment: look again later, and keep it then."""


class JobRecorder(Protocol):
    """Where a monitor keeps what it saw, so that another one can be made of it; a row of the database.

    A failure to keep is judged like a failed look.
    """

    async def record_status(self, status: JobStatus) -> None:
        """Keep the latest sight of the job."""

    async def record_failure(self, failure: PollFailure, reason: str) -> None:
        """Keep why the latest look failed."""


@dataclass(frozen=True)
class PollDecision:
    """What a failed look means."""

    failure: PollFailure
    min_wait_s: float = 0
    """Seconds until the next look at the least: what the service asked for."""


_MAX_SLEEP_S = 15.0
"""Seconds after which a long pause looks at the clock on the wall: it goes on while a laptop sleeps."""

FailureClassifier = Callable[[Exception], PollDecision | None]
"""Judges a failed look; None for a failure that is nobody's weather, which is raised."""


class JobPoller:
    """Watches one job until it has ended.

    Args:
        look: asks the service once.
        notes: are told every new sight, and why looks begin to fail, before anybody else is.
        judge: says what a failed look means.
        pauses: makes the pauses between two looks, in seconds and without end; begun again after a change.
        clock: the time on the wall, in seconds; it may jump.
    """

    def __init__(
        self,
        look: Callable[[], Awaitable[JobStatus]],
        notes: JobRecorder,
        judge: FailureClassifier,
        pauses: Callable[[], Iterable[float]] = backoff,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._fetch, self._clock = look, clock
        self._recorder = notes
        self._classify = judge
        self._poll_intervals = pauses
        self._wake = asyncio.Event()
        self._stopped = False
        self._min_wait_s = 0.0
        self._recorded: JobStatus | PollFailure | None = None
        """What the notes were told last: what is not new is not written again."""
        self.poll_failure: PollFailure | None = None
        """Why the latest look failed, or is being repeated; None when it did not."""
        self.next_poll_at: float | None = None
        """When the pause ends, by the clock of the event loop; None while it looks, or waits to be told."""

    async def statuses(self) -> AsyncIterator[JobStatus | PollFailure]:
        """Every change of the job, and of the weather, up to and with the sight at which it has ended.

        Raises:
            Exception: a look failed in a way that waiting does not mend.
        """
        last: JobStatus | PollFailure | None = None
        pauses = iter(self._poll_intervals())
        while not self._stopped:
            seen = await self._poll()
            self.poll_failure = seen if isinstance(seen, PollFailure) else None
            if seen != last:
                pauses = iter(self._poll_intervals())
                yield seen
            last = seen
            if isinstance(seen, JobStatus) and seen.is_settled:
                return
            if seen is PollFailure.SIGNED_OUT:
                # Asking again with the same token would not help, and may lock the account.
                await self._pause(None)
            else:
                pause = align_to_beat(next(pauses), asyncio.get_running_loop().time())
                await self._pause(max(pause, self._min_wait_s))

    def poll_now(self) -> None:
        """End the pause: the connection is back, or somebody asked."""
        self._wake.set()

    def stop(self) -> None:
        """Watch no longer. The job itself goes on."""
        self._stopped = True
        self._wake.set()

    async def _poll(self) -> JobStatus | PollFailure:
        """What a look shows, kept; or why it failed, or what it showed could not be kept."""
        self._min_wait_s = 0.0
        seen, reason = await self._fetch_status()
        try:
            if seen != self._recorded:
                await (
                    self._recorder.record_status(seen)
                    if isinstance(seen, JobStatus)
                    else self._recorder.record_failure(seen, reason)
                )
        except Exception as error:
            self._recorded = None
            return self._failure_of(error)
        self._recorded = seen
        return seen

    async def _fetch_status(self) -> tuple[JobStatus | PollFailure, str]:
        try:
            return await self._fetch(), ""
        except Exception as error:
            weather = self._failure_of(error)
            return (
                JobStatus(JobOutcome.GONE, JobOutcome.GONE) if weather is PollFailure.GONE else weather
            ), str(error)

    def _failure_of(self, error: Exception) -> PollFailure:
        verdict = self._classify(error)
        if verdict is None:
            raise error
        self._min_wait_s = verdict.min_wait_s
        return verdict.failure

    async def _pause(self, seconds: float | None) -> None:
        """Wait until the pause ends by either clock, or somebody wakes it."""
        now = asyncio.get_running_loop().time
        ends, wakes = (None, None) if seconds is None else (now() + seconds, self._clock() + seconds)
        self.next_poll_at = ends
        try:
            while not self._wake.is_set() and (ends is None or now() < ends):
                if wakes is not None and self._clock() >= wakes:
                    return
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(ends and min(ends, now() + _MAX_SLEEP_S)):
                        await self._wake.wait()
        finally:
            self.next_poll_at = None
        self._wake.clear()
