"""A program that goes through the main workflow in a window, and prints the longest stall of the event loop
in each step.

A timer of one millisecond runs between all other work; a stall is the time from one tick to the next. The
steps use the view models, since searching for controls by name would itself take time.

Usage: `flow_in_slices.py PROFILE ROWS [TYPE]`; the uploaded table has this number of rows, and the type `csv`
or `json`, which is converted.
"""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QDialog, QWidget

from batchwright.local.paths import Folders
from batchwright.local.projects import Project
from batchwright.local.study_files.study_file import StudyFile, write_study
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.program.application import OpenWindow
from batchwright.ui.program.window_controller import WindowController
from batchwright.ui.run.commands import start_simulation
from batchwright.workflows.rehearsal.simulate import SimulationOptions
from tests.benchmarks.program import run_in_window

SETTLING_S = 0.6
PARTICIPANTS = 16
FINAL_STAGES = ("results", "feedback", "jobs", "home")


class StallMonitor(QObject):
    """The longest stall of the event loop in each step, in seconds of wall-clock time and of CPU time."""

    def __init__(self) -> None:
        super().__init__()
        self.stalls: dict[str, tuple[float, float]] = {}
        self._step, self._last = "start", self._now()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._tick)

    def start(self) -> None:
        """Start measuring."""
        self._last = self._now()
        self._timer.start(1)

    def end(self) -> None:
        """Stop measuring, before the program ends."""
        self._timer.stop()

    def start_step(self, step: str) -> None:
        """Start a step."""
        self._tick()
        self._step = step

    def _now(self) -> tuple[float, float]:
        return time.perf_counter(), time.thread_time()

    def _tick(self) -> None:
        now = self._now()
        gap = now[0] - self._last[0], now[1] - self._last[1]
        self._last = now
        longest = self.stalls.get(self._step, (0.0, 0.0))
        self.stalls[self._step] = max(longest[0], gap[0]), max(longest[1], gap[1])


async def until(condition: Callable[[], bool]) -> None:
    """Wait for a condition, for at most two minutes."""
    async with asyncio.timeout(120):
        while not condition():  # noqa: ASYNC110 - Qt state sets no event
            await asyncio.sleep(0.02)


class Flow:
    """The steps of the main workflow in one window."""

    def __init__(self, opened: OpenWindow, controller: WindowController, ticks: StallMonitor) -> None:
        self._opened, self._controller, self._ticks = opened, controller, ticks

    async def sample(self) -> None:
        """Go through the sample study, from its first page to its results."""
        self._ticks.start_step("open the sample")
        self._controller.run_action(ActionId.TRY_SAMPLE)
        await until(lambda: self._controller.study.is_open)
        await self._data()
        await self._stage("layout")
        for page in self._controller.study.layout.pages:
            self._ticks.start_step("turn a page")
            (await self._state("Editor", "selection")).show_page(page.key)
            await asyncio.sleep(SETTLING_S)
        await self._stage("run")
        run = await self._state("Run")
        self._ticks.start_step("create the batch")
        self._opened.context.actions.run(ActionId.RUN_PUBLISH)
        await until(lambda: self._dialog() is not None)
        self._ticks.start_step("set up")
        dialog = self._dialog()
        assert dialog is not None
        dialog.accept()
        await until(lambda: run.own is not None and run.own.status == "READY" and run.operation is None)
        self._ticks.start_step("simulate")
        start_simulation(run, SimulationOptions(PARTICIPANTS))
        await until(lambda: run.operation is not None)
        await until(lambda: run.operation is None)
        for stage in FINAL_STAGES:
            await self._stage(stage)

    async def table(self, path: Path) -> None:
        """Open, check and upload a table."""
        self._ticks.start_step("open a table")
        self._controller.open_path(path)
        await until(lambda: self._controller.study.is_open)
        await self._data()

    async def _data(self) -> None:
        await self._stage("data")
        data = await self._state("Data")
        await until(lambda: data.validation.report is not None)
        self._ticks.start_step("upload")
        self._opened.context.actions.run(ActionId.DATA_UPLOAD)
        await until(lambda: data.dataset.is_uploaded)

    async def _stage(self, id: str) -> None:
        self._ticks.start_step(f"to {id}")
        self._opened.context.shell.set_stage(id)
        await asyncio.sleep(SETTLING_S)

    async def _state(self, stage: str, what: str = "state") -> Any:
        """An attribute of a stage, once the stage is built."""

        def built() -> QWidget | None:
            widgets = self._opened.window.findChildren(QWidget)
            return next((widget for widget in widgets if type(widget).__name__ == f"{stage}Stage"), None)

        await until(lambda: built() is not None)
        return getattr(built(), what)

    def _dialog(self) -> QDialog | None:
        dialogs = self._opened.window.findChildren(QDialog)
        return next((dialog for dialog in dialogs if dialog.isVisible()), None)


async def run_workflow(
    opened: OpenWindow, controller: WindowController, ticks: StallMonitor, table: Path | None
) -> None:
    """Run all steps in a new window."""
    flow = Flow(opened, controller, ticks)
    await (flow.table(table) if table else flow.sample())


def measure_stalls(
    folders: Folders, steps: Callable[[OpenWindow, WindowController, StallMonitor], Awaitable[None]]
) -> None:
    """Take steps in a new program, once its window and service are ready, and print the stalls."""
    ticks = StallMonitor()

    async def measured(opened: OpenWindow, controller: WindowController) -> None:
        try:
            await until(lambda: opened.window.is_showing_stage)
            await controller.session.context()
            await asyncio.sleep(2 * SETTLING_S)
            await steps(opened, controller, ticks)
            controller.study.close()
        finally:
            ticks.end()

    run_in_window(folders, measured, on_painted=ticks.start)
    print(json.dumps(ticks.stalls))


def measure_study(
    profile: Path,
    project: Project,
    steps: Callable[[OpenWindow, WindowController, StallMonitor, Path], Awaitable[None]],
) -> None:
    """Take steps with a study file in a new program, beginning with opening it, and print the stalls."""
    folders = Folders(profile / "data", profile / "cache")
    folders.create()
    file = profile / "study.batchwright"
    write_study(project, StudyFile(file))

    async def open_first(opened: OpenWindow, controller: WindowController, ticks: StallMonitor) -> None:
        ticks.start_step("open the study")
        await steps(opened, controller, ticks, file)

    measure_stalls(folders, open_first)


def write_table(path: Path, rows: int) -> Path:
    """A table with two columns: a CSV file or a JSON array."""
    records = ((f"Question {number}", f"{'word ' * 10}{number}") for number in range(rows))
    with path.open("w", encoding="utf-8") as file:
        if path.suffix == ".csv":
            file.write("prompt,answer\n")
            file.writelines(f"{prompt},{answer}\n" for prompt, answer in records)
        else:
            file.write("[\n")
            file.writelines(
                json.dumps({"prompt": prompt, "answer": answer}) + ",\n" for prompt, answer in records
            )
            file.write('{"prompt": "The last one", "answer": "end"}]\n')
    return path


def main(profile: Path, rows: int, type: str = "csv") -> None:
    """Run the workflow in a new program and print the stalls."""
    folders = Folders(profile / "data", profile / "cache")
    folders.create()
    table = write_table(profile / f"table.{type}", rows) if rows else None
    measure_stalls(folders, lambda opened, controller, ticks: run_workflow(opened, controller, ticks, table))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
