"""A program with a window that monitors twenty jobs without progress; prints the CPU time that this costs.

`idle_jobs.py PROFILE` prints the CPU seconds of a minute.
"""

import asyncio
import sys
import time
from pathlib import Path

from batchwright.local.paths import Folders
from batchwright.ui.program.application import OpenWindow
from batchwright.ui.program.window_controller import WindowController
from tests.benchmarks.program import run_in_window
from tests.flows.waiting_jobs import monitor_waiting_jobs

JOBS = 20
SETTLING_S = 100.0
"""Seconds after which the pauses between polls have reached their maximum."""
MEASURED_S = 20.0


async def minute_seconds() -> float:
    """The CPU seconds that this process takes in a minute, without its child processes."""
    started, before = time.monotonic(), time.process_time()
    await asyncio.sleep(MEASURED_S)
    return 60 * (time.process_time() - before) / (time.monotonic() - started)


def main(profile: Path) -> None:
    """Open the window and measure."""
    folders = Folders(profile / "data", profile / "cache")
    folders.create()
    costs: list[float] = []

    async def measure(_opened: OpenWindow, controller: WindowController) -> None:
        await controller.session.context()
        await monitor_waiting_jobs(controller, JOBS)
        await asyncio.sleep(SETTLING_S)
        costs.append(await minute_seconds())

    run_in_window(folders, measure)
    print(costs[0])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
