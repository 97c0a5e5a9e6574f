"""Jobs that a service has accepted but does not start: reported after a while, given up after a long time."""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

from batchwright.client.job_monitoring.status import IS_LATE, JobKind, JobOutcome, JobStatus
from batchwright.wire.batches import BatchStatus
from batchwright.wire.datasets import DatasetStatus
from batchwright.wire.imports import ImportStatus

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
        """Return the status of the job; its outcome is `NOT_STARTED` if it has not started for too long."""
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
