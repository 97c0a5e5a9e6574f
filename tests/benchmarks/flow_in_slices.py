"""The main job in a window, as a program of its own: prints the longest stall of its loop in each step.

A timer of one millisecond is set off between all other work; the time from one tick to the next is a stall.
The steps are taken through the view-models: looking for controls by name would itself take the loop's time.

Wrong use is not foreseen: `flow_in_slices.py PROFILE ROWS`; the table brought has so many rows.
"""

import asyncio
import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from batchwright.app.window import WindowControllers, program_dependencies
from batchwright.local.paths import Folders
from batchwright.ui.application import Application, OpenWindow
from batchwright.ui.run.commands import start_simulation
from batchwright.ui.run.participant_dialogs import SimulationOptions

SETTLING = 0.6
PEOPLE = 16
LEFT_STAGES = ("results", "feedback", "jobs", "home")


class Ticks(QObject):
    """The longest stall of the loop in each step, in seconds: by the clock, and of the processor."""

    def __init__(self) -> None:
        super().__init__()
        self.stalls: dict[str, tuple[float, float]] = {}
        self._step, self._last = "start", self._now()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._tick)
        self._timer.start(1)

    def end(self) -> None:
        """Look no further: what the program does when it ends keeps nobody waiting."""
        self._timer.stop()

    def begin(self, step: str) -> None:
        """What happens from now on belongs to a step."""
        self._tick()
        self._step = step

    def _now(self) -> tuple[float, float]:
        return time.perf_counter(), time.thread_time()

    def _tick(self) -> None:
        now = self._now()
        gap = now[0] - self._last[0], now[1] - self._last[1]
        self._last = now
        self.stalls[self._step] = max(self.stalls.get(self._step, (0.0, 0.0)), gap)


async def until(condition: Callable[[], bool]) -> None:
    """Wait for a condition, two minutes at the most."""
    async with asyncio.timeout(120):
        while not condition():  # noqa: ASYNC110 - Qt state sets no event
            await asyncio.sleep(0.02)


class Flow:
    """The steps of the main job in one window."""

    def __init__(self, opened: OpenWindow, desks: WindowControllers, ticks: Ticks) -> None:
        self._opened, self._desk, self._ticks = opened, desks.controller(opened), ticks

    async def sample(self) -> None:
        """The sample study from its first page to its results."""
        self._ticks.begin("open the sample")
        self._desk.run_action("try_sample")
        await until(lambda: self._desk.study.is_open)
        await self._data()
        await self._stage("layout")
        for page in self._desk.study.layout.pages:
            self._ticks.begin("turn a page")
            self._model("Layout", "selection").show_page(page.key)
            await asyncio.sleep(SETTLING)
        await self._stage("run")
        run = self._model("Run")
        self._ticks.begin("create the batch")
        self._opened.context.actions.run("run.publish")
        await until(lambda: self._dialog() is not None)
        self._ticks.begin("set up")
        dialog = self._dialog()
        assert dialog is not None
        dialog.accept()
        await until(lambda: run.batch is not None and run.batch.status == "READY" and run.operation is None)
        self._ticks.begin("simulate")
        start_simulation(run, SimulationOptions(PEOPLE))
        await until(lambda: run.operation is not None)
        await until(lambda: run.operation is None)
        for stage in LEFT_STAGES:
            await self._stage(stage)

    async def table(self, path: Path) -> None:
        """A table of one's own: opened, checked, uploaded."""
        self._ticks.begin("open a table")
        self._desk.open_path(path)
        await until(lambda: self._desk.study.is_open)
        await self._data()

    async def _data(self) -> None:
        await self._stage("data")
        data = self._model("Data")
        await until(lambda: data.checks.report is not None)
        self._ticks.begin("upload")
        data.dataset.upload()
        await until(
            lambda: data.dataset.uploads.progress is not None and not data.dataset.uploads.progress.is_running
        )

    async def _stage(self, id: str) -> None:
        self._ticks.begin(f"to {id}")
        self._opened.context.shell.set_stage(id)
        await asyncio.sleep(SETTLING)

    def _model(self, stage: str, what: str = "model") -> Any:
        widgets = self._opened.window.findChildren(QWidget)
        return getattr(next(widget for widget in widgets if type(widget).__name__ == f"{stage}Stage"), what)

    def _dialog(self) -> QDialog | None:
        dialogs = self._opened.window.findChildren(QDialog)
        return next((dialog for dialog in dialogs if dialog.isVisible()), None)


async def go(opened: OpenWindow, desks: WindowControllers, ticks: Ticks, table: Path | None) -> None:
    """Take the steps in a window that was just furnished."""
    await until(lambda: opened.window.is_showing_stage)
    await desks.controller(opened).session.context()
    await asyncio.sleep(2 * SETTLING)
    flow = Flow(opened, desks, ticks)
    await (flow.table(table) if table else flow.sample())
    desks.controller(opened).study.close()


def write_table(path: Path, rows: int) -> Path:
    """A table with two columns."""
    with path.open("w", encoding="utf-8") as file:
        file.write("prompt,answer\n")
        file.writelines(f"Question {number},{'word ' * 10}{number}\n" for number in range(rows))
    return path


def main(profile: Path, rows: int) -> None:
    """Go through the steps in a fresh program and print what was found."""
    folders = Folders(profile / "data", profile / "cache")
    folders.create()
    table = write_table(profile / "table.csv", rows) if rows else None
    app, desks = QApplication([]), WindowControllers(folders)

    async def opened(opened: OpenWindow) -> None:
        async def go_and_end() -> None:
            try:
                await go(opened, desks, ticks, table)
            finally:
                ticks.end()
                program.ended.emit()

        await desks.on_opened(opened)
        opened.context.tasks.start("the main job", go_and_end)

    program = Application(app, replace(program_dependencies(folders, desks), on_opened=opened))
    program.open_window()
    app.processEvents()
    ticks = Ticks()
    import qasync  # after the first paint, as in `ui.program.run`

    qasync.run(program.run_until_closed())
    print(json.dumps(ticks.stalls))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
