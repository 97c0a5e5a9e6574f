"""`JobPoller`: polls one job until it ends, and records each status so that polling can be resumed.

`StartMonitor` detects jobs that the service has accepted but does not start.

A poller knows no endpoint. A function that fetches the status, a recorder and a classifier of failures are
passed in, so that one class serves all kinds of jobs.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Protocol

from batchwright.client.job_monitoring.backoff import align_to_beat, backoff
from batchwright.client.job_monitoring.status import IS_LATE, JobKind, JobOutcome, JobStatus
from batchwright.wire.batches import BatchStatus
from batchwright.wire.datasets import DatasetStatus
from batchwright.wire.imports import ImportStatus

_log = logging.getLogger(__name__)

_UNSTARTED_STATES: Mapping[JobKind, str] = {
    JobKind.IMPORT: ImportStatus.UNINITIALISED,
    JobKind.PROCESSING: DatasetStatus.UNINITIALISED,
    JobKind.SETUP: BatchStatus.UNINITIALISED,
}
"""The status of each kind of job before it starts. A job is monitored only once its request was accepted."""


@dataclass(frozen=True)
class StartLimits:
    """How long a job may take to start, in seconds.

    After `late_s` the job is marked as late; after `never_s` it counts as never started.
    """

    late_s: float = 30.0
    never_s: float = 600.0


class StartMonitor:
    """Fetches the status of a job, and measures how long it has not started.

    Only the time between two successful polls that both show an unstarted job counts: not the time while the
    service cannot be reached, nor while the program is not running.

    Args:
        kind: the kind of job.
        fetch: fetches the status once.
        limits: how long the job may take to start.
        clock: a monotonic clock in seconds.
    """

    def __init__(
        self,
        kind: JobKind,
        fetch: Callable[[], Awaitable[JobStatus]],
        limits: StartLimits,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._unstarted_state = _UNSTARTED_STATES.get(kind)
        self._fetch, self._limits, self._clock = fetch, limits, clock
        self._waited_s = 0.0
        self._fetched_at: float | None = None
        """When the latest poll showed an unstarted job; None if that poll failed."""

    async def fetch(self) -> JobStatus:
        """The status of the job; its outcome is `NOT_STARTED` if it has not started for too long."""
        before, self._fetched_at = self._fetched_at, None
        status = await self._fetch()
        if status.is_settled or status.state != self._unstarted_state:
            self._waited_s = 0.0
            return status
        self._fetched_at = now = self._clock()
        self._waited_s += 0.0 if before is None else now - before
        if self._waited_s >= self._limits.never_s:
            return replace(status, outcome=JobOutcome.NOT_STARTED)
        if self._waited_s >= self._limits.late_s:
            return replace(status, detail={**status.detail, IS_LATE: True})
        return status


class PollFailure(Enum):
    """Why a poll failed. The job continues at the service, whether or not anyone polls it."""

    OFFLINE = auto()
    """The service cannot be reached or fails: poll again later."""
    RATE_LIMITED = auto()
    """The service asks to wait (wire reference, 2.4): poll again after that time."""
    SIGNED_OUT = auto()
    """The token was rejected: poll again only when there is another."""
    REFUSED = auto()
    """The service, or a proxy on the way to it, rejects the request: poll again much later."""
    GONE = auto()
    """The service has no such job."""
    NOT_STORED = auto()
    """The status cannot be stored on this computer at the moment: poll again later, and store it then."""


class JobRecorder(Protocol):
    """Stores what a poller fetched, so that polling can be resumed; in practice a row of the database.

    An exception raised here is classified like a failed poll.
    """

    async def record_status(self, status: JobStatus) -> None:
        """Store the latest status of the job."""

    async def record_failure(self, failure: PollFailure, reason: str) -> None:
        """Store why the latest poll failed."""


@dataclass(frozen=True)
class PollDecision:
    """How to proceed after a failed poll."""

    failure: PollFailure
    min_wait_s: float = 0
    """Minimum seconds until the next poll, as the service requested."""


_MAX_SLEEP_S = 15.0
"""Seconds after which a long pause compares the wall clock, which advances while a laptop sleeps."""

FailureClassifier = Callable[[Exception], PollDecision | None]
"""Classifies the error of a poll; None for an error that waiting does not resolve, which is raised."""


class JobPoller:
    """Polls one job until it has ended.

    Args:
        fetch: fetches the status once.
        recorder: records each new status and each new failure before they are yielded.
        classify_failure: classifies the error of a failed poll.
        poll_intervals: creates an endless iterable of pauses between polls, in seconds; called again after
            each change.
        clock: the wall clock in seconds, which may jump.
    """

    def __init__(
        self,
        fetch: Callable[[], Awaitable[JobStatus]],
        recorder: JobRecorder,
        classify_failure: FailureClassifier,
        poll_intervals: Callable[[], Iterable[float]] = backoff,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._fetch, self._clock = fetch, clock
        self._recorder = recorder
        self._classify = classify_failure
        self._poll_intervals = poll_intervals
        self._wake = asyncio.Event()
        self._stopped = False
        self._min_wait_s = 0.0
        self._recorded: JobStatus | PollFailure | None = None
        """The latest recorded status or failure; the same one is not written again."""
        self._logged_failure: PollFailure | None = None
        """The failure logged last; a repetition is not logged again until a poll succeeds."""
        self.poll_failure: PollFailure | None = None
        """Why the latest poll failed or is being repeated; None if it succeeded."""
        self.next_poll_at: float | None = None
        """When the pause ends by the event loop's clock; None while polling or pausing indefinitely."""

    async def statuses(self) -> AsyncIterator[JobStatus | PollFailure]:
        """Yield each change of the job's status and of the poll failure, up to the final status.

        Raises:
            Exception: a poll failed in a way that waiting does not resolve.
        """
        last: JobStatus | PollFailure | None = None
        poll_intervals = iter(self._poll_intervals())
        while not self._stopped:
            status = await self._poll()
            self.poll_failure = status if isinstance(status, PollFailure) else None
            if status != last:
                poll_intervals = iter(self._poll_intervals())
                yield status
            last = status
            if isinstance(status, JobStatus) and status.is_settled:
                return
            if status is PollFailure.SIGNED_OUT:
                # Another request with the same token would not help, and may lock the account.
                await self._pause(None)
            else:
                pause = align_to_beat(next(poll_intervals), asyncio.get_running_loop().time())
                await self._pause(max(pause, self._min_wait_s))

    def poll_now(self) -> None:
        """End the pause: the connection is back, or the user asked for the status."""
        self._wake.set()

    def stop(self) -> None:
        """Stop polling. The job itself continues at the service."""
        self._stopped = True
        self._wake.set()

    async def _poll(self) -> JobStatus | PollFailure:
        """Fetch the status and record it; return the failure if either does not succeed."""
        self._min_wait_s = 0.0
        status, reason = await self._fetch_status()
        try:
            if status != self._recorded:
                await (
                    self._recorder.record_status(status)
                    if isinstance(status, JobStatus)
                    else self._recorder.record_failure(status, reason)
                )
        except Exception as error:
            self._recorded = None
            return self._failure_of(error)
        self._recorded = status
        return status

    async def _fetch_status(self) -> tuple[JobStatus | PollFailure, str]:
        try:
            status = await self._fetch()
        except Exception as error:
            failure = self._failure_of(error)
            return (
                JobStatus(JobOutcome.GONE, JobOutcome.GONE) if failure is PollFailure.GONE else failure
            ), str(error)
        self._logged_failure = None
        return status, ""

    def _failure_of(self, error: Exception) -> PollFailure:
        """Why a poll failed. Logs the error with its traceback unless it repeats the last one.

        Raises:
            Exception: `error`, if waiting does not resolve it.
        """
        decision = self._classify(error)
        if decision is None:
            raise error
        if decision.failure is not self._logged_failure:
            self._logged_failure = decision.failure
            _log.info("A poll failed (%s)", decision.failure.name.lower(), exc_info=error)
        self._min_wait_s = decision.min_wait_s
        return decision.failure

    async def _pause(self, seconds: float | None) -> None:
        """Wait until the pause has ended by either clock, or `poll_now` or `stop` is called."""
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
