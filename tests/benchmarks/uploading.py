"""Measures one upload, on an asyncio or a Qt event loop.

`python -m tests.benchmarks.uploading URL FILE` uses the loop of Qt, as the window does, and prints the
result.
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
    """The measurements of an upload, in seconds."""

    duration: float
    stall: float
    """The longest time between two ticks of the event loop."""
    computed: float
    """The longest CPU time between two ticks: the part of a stall that is not caused by the computer."""
    gap: float
    """The longest time between two progress messages."""


class Longest:
    """The longest time between two calls of `tick`, by some clock."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self.started = self._last = clock()
        self.seconds = 0.0

    def tick(self) -> None:
        """Record a tick."""
        now = self._clock()
        self.seconds, self._last = max(self.seconds, now - self._last), now


async def measured(url: str, file: Path, certificates: Path | None = None) -> Run:
    """Upload a file while the event loop ticks every millisecond."""

    async def tick() -> None:
        while True:
            await asyncio.sleep(0.001)
            stall.tick()
            computed.tick()

    async with connect(url, TOKEN, certificates=certificates) as service:
        stall, computed, gap = Longest(), Longest(time.thread_time), Longest()
        ticking = asyncio.create_task(tick())
        await service.transfers.upload(file, f"{url}/raw", on_progress=lambda _sent, _total: gap.tick())
        duration = time.perf_counter() - stall.started
        ticking.cancel()
        with suppress(asyncio.CancelledError):
            await ticking
    return Run(duration, stall.seconds, computed.seconds, gap.seconds)


async def measured_later(url: str, file: Path) -> Run:
    """Like `measured`, in a program that has sent requests before, like the window."""
    await measured(url, Path(__file__))
    return await measured(url, file)


if __name__ == "__main__":
    import qasync
    from PySide6.QtWidgets import QApplication

    application = QApplication(sys.argv[:1])
    print(json.dumps(asdict(qasync.run(measured_later(sys.argv[1], Path(sys.argv[2]))))))
