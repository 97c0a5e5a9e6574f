"""A window that watches twenty jobs which never move, as a program of its own: prints what that costs.

`idle_jobs.py PROFILE`: prints the part of one core, and that of the same window without jobs, as JSON.
"""

import asyncio
import json
import sys
import time
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QApplication

from batchwright.app.window import WindowControllers, program_dependencies
from batchwright.local.paths import Folders
from batchwright.ui.application import Application, OpenWindow
from tests.flows.waiting import watch_waiting

JOBS = 20
BUILDING = 5.0
"""Seconds after which all stages stand."""
SETTLING = 100.0
"""Seconds after which the pauses between two looks have grown to their longest."""
MEASURED = 20.0


async def cost() -> float:
    """The part of one core that this process takes, without those it started."""
    began, before = time.monotonic(), time.process_time()
    await asyncio.sleep(MEASURED)
    return (time.process_time() - before) / (time.monotonic() - began)


def main(profile: Path) -> None:
    """Open the window and measure."""
    folders = Folders(profile / "data", profile / "cache")
    folders.create()
    app, desks, found = QApplication([]), WindowControllers(folders), {}

    async def opened(opened: OpenWindow) -> None:
        async def measure() -> None:
            try:
                desk = desks.controller(opened)
                await desk.session.context()
                await asyncio.sleep(BUILDING)
                found["bare"] = await cost()
                await watch_waiting(desk, JOBS)
                await asyncio.sleep(SETTLING)
                found["watching"] = await cost()
            finally:
                program.ended.emit()

        await desks.on_opened(opened)
        opened.context.tasks.start("measure", measure)

    program = Application(app, replace(program_dependencies(folders, desks), on_opened=opened))
    program.open_window()
    app.processEvents()
    import qasync  # after the first paint, as in `ui.program.run`

    qasync.run(program.run_until_closed())
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
