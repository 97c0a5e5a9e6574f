"""Local jobs: uploads, downloads and appends, which the program performs itself.

They are listed and stored like the jobs of a service, so that the list of jobs is complete and the SHA-256 of
a transfer is kept. After a crash they are marked as stopped.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from batchwright.api.files.file_streams import OnProgress, TransferResult
from batchwright.api.http.errors import ApiError
from batchwright.base.json_values import Json
from batchwright.client.job_monitoring.status import JobOutcome, JobStatus
from batchwright.client.job_monitoring.transfer_rate import UNKNOWN, TransferRate

_NOTIFY_INTERVAL_S = 0.5
"""Minimum seconds between two progress notifications: a file of several gigabytes has thousands of chunks."""


def _ignore() -> None:
    """Do nothing; the default listener."""


@dataclass
class LocalJob:
    """The progress of a running local job, and the details that are stored when it ends."""

    detail: dict[str, Json] = field(default_factory=dict)
    completed: int = 0
    total: int | None = None
    """The value of `completed` at the end, in the same unit (bytes or records); None if it is unknown."""
    is_miscounted: bool = False
    """Whether the service counted another number of records than was sent."""
    rate: TransferRate = UNKNOWN
    """The rate at which `completed` grows."""
    is_waiting: bool = False
    """Whether the network is down and the job waits for it."""
    last_progress_at: float = field(default_factory=time.monotonic)
    """The time of the latest progress, in seconds of the monotonic clock."""
    on_change: Callable[[], object] = _ignore
    """Called when progress or state have changed; for progress at most every `_NOTIFY_INTERVAL_S`."""
    _next_notification_at: float = 0

    def advance(self, completed: int, total: int | None) -> None:
        """Set the progress, in bytes or records; can be passed as an `OnProgress` callback."""
        self.completed, self.total, self.is_waiting = completed, total, False
        self.last_progress_at = now = time.monotonic()
        self.rate = self.rate.after(completed, now)
        if now >= self._next_notification_at:
            self._next_notification_at = now + _NOTIFY_INTERVAL_S
            self.on_change()

    def start_transfer(self, total: int) -> None:
        """Start a transfer of `total` bytes. `is_waiting` is unchanged until bytes move."""
        self.completed, self.total, self.last_progress_at = 0, total, time.monotonic()

    def is_stalled(self, seconds: float) -> bool:
        """Whether a transfer is running and no byte has moved for this many seconds."""
        is_under_way = self.total is not None and self.completed < self.total
        return is_under_way and time.monotonic() - self.last_progress_at >= seconds

    def progress_callback(self, listener: OnProgress | None) -> OnProgress:
        """A callback that updates this job and then calls another callback, if given."""

        def on_progress(completed: int, total: int | None) -> None:
            self.advance(completed, total)
            if listener is not None:
                listener(completed, total)

        return on_progress

    def set_offline(self) -> None:
        """Mark the job as waiting for the network."""
        self.is_waiting = True
        self.on_change()

    def set_online(self) -> None:
        """Mark the job as no longer waiting for the network."""
        if self.is_waiting:
            self.is_waiting = False
            self.on_change()

    def record_transfer(self, result: TransferResult) -> TransferResult:
        """Store size and SHA-256 of a transferred file in the details, and return the argument."""
        self.detail |= {"size": result.size, "sha256": result.sha256}
        return result

    def final_status(self, error: BaseException | None) -> JobStatus:
        """The status with which the job ends, without an error or with one.

        The text of an error is stored; the texts of `ApiError` contain no tokens or signatures.
        """
        if error is None:
            return JobStatus(
                "complete", JobOutcome.MISCOUNTED if self.is_miscounted else JobOutcome.DONE, self.detail
            )
        if isinstance(error, asyncio.CancelledError | GeneratorExit):
            return JobStatus(JobOutcome.STOPPED, JobOutcome.STOPPED, self.detail)
        return JobStatus("failed", JobOutcome.FAILED, {**self.detail, "reason": _reason(error)})


def _reason(error: BaseException) -> str:
    """The text of an error, short enough to be shown beside the name of a job."""
    match error:
        case ApiError():
            return error.reason
        case OSError(strerror=str(reason)):
            return reason
    return str(error)
