"""Work that a service has accepted and does not start: said after a while, and given up after a long one."""

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
"""The status that a job of a kind has until it starts; it is watched only after the request was accepted."""


@dataclass(frozen=True)
class StartLimits:
    """How long a job may take to start, in seconds.

    After `late_s` it is said what is waited for; after `never_s` nothing can come any more.
    """

    late_s: float = 30.0
    never_s: float = 600.0


class StartMonitor:
    """Looks at a job, and judges how long it has not started.

    The time between two looks counts where both show it so: not while the service cannot be reached, nor
    while the program does not run.

    Args:
        kind: what the job is.
        look: asks the service once.
        limits: how long it may take.
        clock: seconds, never set back.
    """

    def __init__(
        self,
        kind: JobKind,
        look: Callable[[], Awaitable[JobStatus]],
        limits: StartLimits,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._unstarted_state = _UNSTARTED_STATES.get(kind)
        self._fetch, self._limits, self._clock = look, limits, clock
        self._waited_s = 0.0
        self._fetched_at: float | None = None
        """When the latest look showed that it has not started; None where that look failed."""

    async def fetch(self) -> JobStatus:
        """What the job is now; ended as `NOT_STARTED` when it has not started for too long."""
        before, self._fetched_at = self._fetched_at, None
        seen = await self._fetch()
        if seen.is_settled or seen.state != self._unstarted_state:
            self._waited_s = 0.0
            return seen
        self._fetched_at = now = self._clock()
        self._waited_s += 0.0 if before is None else now - before
        if self._waited_s >= self._limits.never_s:
            return replace(seen, outcome=JobOutcome.NOT_STARTED)
        if self._waited_s >= self._limits.late_s:
            return replace(seen, detail={**seen.detail, IS_LATE: True})
        return seen
