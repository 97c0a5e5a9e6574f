"""What this program does itself while it is watched like any job: sending, fetching, appending."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from batchwright.api.errors import ApiError
from batchwright.api.file_streams import OnProgress, TransferResult
from batchwright.base.json_values import Json
from batchwright.client.job_monitoring.status import JobOutcome, JobStatus
from batchwright.client.transfer_rate import UNKNOWN, TransferRate

_NOTIFY_INTERVAL_S = 0.5
"""Seconds between two tellings of how far it is: a file of some gigabytes takes thousands of pieces."""


def _ignore() -> None:
    """Who is told when nobody looks on."""


@dataclass
class LocalJob:
    """Something under way: how far it is, and what will be kept about it."""

    detail: dict[str, Json] = field(default_factory=dict)
    completed: int = 0
    total: int | None = None
    """What `delete` leads to, in the same unit; None while nobody knows."""
    is_miscounted: bool = False
    """Whether the other side counted something else than was sent."""
    rate: TransferRate = UNKNOWN
    """How fast `completed` grows."""
    is_waiting: bool = False
    """Whether the network is away, and is waited for."""
    last_progress_at: float = field(default_factory=time.monotonic)
    """When it was further the last time, by the monotonic clock in seconds."""
    on_change: Callable[[], object] = _ignore
    """Is told when it is further."""
    _next_notification_at: float = 0

    def advance(self, done: int, total: int | None) -> None:
        """Be so far: bytes, or records; fits wherever progress is told."""
        self.completed, self.total, self.is_waiting = done, total, False
        self.last_progress_at = now = time.monotonic()
        self.rate = self.rate.after(done, now)
        if now >= self._next_notification_at:
            self._next_notification_at = now + _NOTIFY_INTERVAL_S
            self.on_change()

    def start_transfer(self, total: int) -> None:
        """So many bytes are about to move; whether the network is there shows when they do."""
        self.completed, self.total, self.last_progress_at = 0, total, time.monotonic()

    def is_stalled(self, seconds: float) -> bool:
        """Whether bytes are on their way, and none has moved for so long."""
        is_under_way = self.total is not None and self.completed < self.total
        return is_under_way and time.monotonic() - self.last_progress_at >= seconds

    def progress_callback(self, other: OnProgress | None) -> OnProgress:
        """Tells how far it is, here and to another who wants to know."""

        def on_progress(done: int, total: int | None) -> None:
            self.advance(done, total)
            if other is not None:
                other(done, total)

        return on_progress

    def set_offline(self) -> None:
        """Be held up by a network that is away."""
        self.is_waiting = True
        self.on_change()

    def set_online(self) -> None:
        """Be held up no longer."""
        if self.is_waiting:
            self.is_waiting = False
            self.on_change()

    def record_transfer(self, moved: TransferResult) -> TransferResult:
        """Keep what a file was that went out or came in."""
        self.detail |= {"size": moved.size, "sha256": moved.sha256}
        return moved

    def final_status(self, fault: BaseException | None) -> JobStatus:
        """How it has ended, with what is kept about it; the texts of errors hold no secrets."""
        if fault is None:
            return JobStatus(
                "complete", JobOutcome.MISCOUNTED if self.is_miscounted else JobOutcome.DONE, self.detail
            )
        if isinstance(fault, asyncio.CancelledError | GeneratorExit):
            return JobStatus(JobOutcome.STOPPED, JobOutcome.STOPPED, self.detail)
        return JobStatus("failed", JobOutcome.FAILED, {**self.detail, "reason": _reason(fault)})


def _reason(fault: BaseException) -> str:
    """Why something failed, as far as it fits behind a job's name."""
    match fault:
        case ApiError():
            return fault.reason
        case OSError(strerror=str(reason)):
            return reason
    return str(fault)
