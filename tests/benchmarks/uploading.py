"""One upload as it is measured, on a plain loop or on the window's.

    python -m tests.benchmarks.uploading URL FILE

uses the loop of Qt, as the window does, and prints what came of it.
"""

import asyncio
import json
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from batchwright.api.client import connect
from tests.api.requests import TOKEN


@dataclass(frozen=True)
class Run:
    """What was seen of an upload, in seconds."""

    taken: float
    stall: float
    """The longest that the loop was kept from a tick."""
    computed: float
    """The longest that its thread computed between two ticks: what of a stall is not the computer's doing."""
    gap: float
    """The longest between two sights of its progress."""


class Longest:
    """The longest time between two marks, by some clock."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self.begun = self._last = clock()
        self.seconds = 0.0

    def mark(self) -> None:
        """Note that it is now."""
        now = self._clock()
        self.seconds, self._last = max(self.seconds, now - self._last), now


async def measured(url: str, file: Path, certificates: Path | None = None) -> Run:
    """Upload a file, with a tick of the loop every millisecond."""

    async def tick() -> None:
        while True:
            await asyncio.sleep(0.001)
            stall.mark()
            computed.mark()

    async with connect(url, TOKEN, certificates=certificates) as service:
        stall, computed, gap = Longest(), Longest(time.thread_time), Longest()
        ticking = asyncio.create_task(tick())
        await service.transfers.upload(file, f"{url}/raw", on_progress=lambda _done, _total: gap.mark())
        taken = time.perf_counter() - stall.begun
        ticking.cancel()
        with suppress(asyncio.CancelledError):
            await ticking
    return Run(taken, stall.seconds, computed.seconds, gap.seconds)


async def measured_later(url: str, file: Path) -> Run:
    """As `measured`, by a program that has asked a service before, as the window has when it sends a file."""
    await measured(url, Path(__file__))
    return await measured(url, file)


if __name__ == "__main__":
    import qasync
    from PySide6.QtWidgets import QApplication

    application = QApplication(sys.argv[:1])
    print(json.dumps(asdict(qasync.run(measured_later(sys.argv[1], Path(sys.argv[2]))))))
