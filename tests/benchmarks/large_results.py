"""A program that opens a file with many answers in a window and shows every section of Results; it prints how
long each step took, and its longest stall of the event loop (`flow_in_slices.StallMonitor`).

Usage: `large_results.py PROFILE ANSWERS`.
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QWidget

from batchwright.local.paths import Folders
from batchwright.ui.program.application import OpenWindow
from batchwright.ui.program.window_controller import WindowController
from batchwright.ui.results.answers.answers_from_file import show_file
from batchwright.ui.results.statistics.section_titles import Section
from batchwright.ui.widgets.dialogs.file_dialogs import FileDialogs
from tests.benchmarks.flow_in_slices import SETTLING_S, StallMonitor, measure_stalls, until
from tests.benchmarks.many_answers import write_archive


class ManyAnswers:
    """The steps in one window."""

    def __init__(self, opened: OpenWindow, controller: WindowController, ticks: StallMonitor) -> None:
        self._opened, self._controller, self._ticks = opened, controller, ticks
        self.seconds: dict[str, float] = {}
        """How long each step took."""

    async def run(self, path: Path) -> None:
        """Open the file, and show every section."""
        async with self._step("open Results"):
            self._opened.context.shell.set_stage("results")
            await until(lambda: self._stage is not None)
        stage = self._stage
        state, analysis = stage.state, stage.analysis
        async with self._step("first answers"):
            self._opened.context.tasks.start("open answers", lambda: self._open(path))
            await until(lambda: state.grid.rows is not None and state.grid.rows.count)
        async with self._step("all answers"):
            await until(lambda: state.answers.is_complete)
        async with self._step("titles"):
            await until(lambda: state.answers.titles.fields)
        for section in Section:
            if section is not Section.ANSWERS:
                async with self._step(section):
                    stage.show_section(section)
                    await until(lambda: analysis.is_current and not analysis.is_computing)

    async def _open(self, path: Path) -> None:
        context = self._opened.context
        await show_file(context, FileDialogs(context.window), self._stage.state, path)

    @asynccontextmanager
    async def _step(self, name: str) -> AsyncIterator[None]:
        """Measure a step, and then wait until the window has settled."""
        self._ticks.start_step(name)
        started = time.perf_counter()
        yield
        self.seconds[name] = round(time.perf_counter() - started, 2)
        await asyncio.sleep(SETTLING_S)

    @property
    def _stage(self) -> Any:
        widgets = self._opened.window.findChildren(QWidget)
        return next((widget for widget in widgets if type(widget).__name__ == "ResultsStage"), None)


def main(profile: Path, answers: int) -> None:
    """Take the steps in a new program and print the figures."""
    folders = Folders(profile / "data", profile / "cache")
    folders.create()
    path = write_archive(profile / "answers.zip", answers)

    async def steps(opened: OpenWindow, controller: WindowController, ticks: StallMonitor) -> None:
        run = ManyAnswers(opened, controller, ticks)
        await run.run(path)
        print(run.seconds)

    measure_stalls(folders, steps)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
