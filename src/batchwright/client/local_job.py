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

_EVERY = 0.5
"""Seconds between two tellings of how far it is: a file of some gigabytes takes thousands of pieces."""


def _nobody() -> None:
    """Who is told when nobody looks on."""


@dataclass
class LocalJob:
    """Something under way: how far it is, and what will be kept about it."""

    detail: dict[str, Json] = field(default_factory=dict)
    done: int = 0
    total: int | None = None
    """What `delete` leads to, in the same unit; None while nobody knows."""
    is_miscounted: bool = False
    """Whether the other side counted something else than was sent."""
    pace: TransferRate = UNKNOWN
    """How fast `delete` grows."""
    is_waiting: bool = False
    """Whether the network is away, and is waited for."""
    moved_at: float = field(default_factory=time.monotonic)
    """When it was further the last time, by the monotonic clock in seconds."""
    told: Callable[[], object] = _nobody
    """Is told when it is further."""
    _next_telling: float = 0

    def got_to(self, done: int, total: int | None) -> None:
        """Be so far: bytes, or records; fits wherever progress is told."""
        self.done, self.total, self.is_waiting = done, total, False
        self.moved_at = now = time.monotonic()
        self.pace = self.pace.after(done, now)
        if now >= self._next_telling:
            self._next_telling = now + _EVERY
            self.told()

    def starts(self, total: int) -> None:
        """So many bytes are about to move; whether the network is there shows when they do."""
        self.done, self.total, self.moved_at = 0, total, time.monotonic()

    def is_stalled(self, seconds: float) -> bool:
        """Whether bytes are on their way, and none has moved for so long."""
        is_under_way = self.total is not None and self.done < self.total
        return is_under_way and time.monotonic() - self.moved_at >= seconds

    def telling(self, other: OnProgress | None) -> OnProgress:
        """Tells how far it is, here and to another who wants to know."""

        def on_progress(done: int, total: int | None) -> None:
            self.got_to(done, total)
            if other is not None:
                other(done, total)

        return on_progress

    def waits(self) -> None:
        """Be held up by a network that is away."""
        self.is_waiting = True
        self.told()

    def goes_on(self) -> None:
        """Be held up no longer."""
        if self.is_waiting:
            self.is_waiting = False
            self.told()

    def came_to(self, moved: TransferResult) -> TransferResult:
        """Keep what a file was that went out or came in."""
        self.detail |= {"size": moved.size, "sha256": moved.sha256}
        return moved

    def ended(self, fault: BaseException | None) -> JobStatus:
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
