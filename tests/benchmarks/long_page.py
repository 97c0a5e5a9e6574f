"""A program that edits a page of 200 items in a study with 10,000 problems, then shows 2,000 batches, and
prints the longest stall of the event loop in each step (`flow_in_slices.StallMonitor`).

Usage: `long_page.py PROFILE`.
"""

import asyncio
import sys
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from batchwright.layout.item_types.registry import FreeText
from batchwright.layout.model import Column, Layout, Page, Row
from batchwright.local.projects import Project
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.program.application import OpenWindow
from batchwright.ui.program.window_controller import WindowController
from batchwright.wire.batches import BatchCreate, TaskDetails
from tests.benchmarks.flow_in_slices import SETTLING_S, StallMonitor, measure_study, until
from tests.benchmarks.long_study import visible_widget
from tests.ui.editor.interaction import LEFT, MOVE, NONE, SimulatedDrag, payload_for

CARDS, PAGES, ITEMS_OF_PAGE = 200, 1000, 10
BATCHES, REQUESTS_AT_ONCE = 2000, 8
TYPED = "Why is it so?"
DRAG_STEP_PX = 30


def long_page() -> Layout:
    """A page of 200 questions, then pages of ten items each of which lacks its question."""
    first = _page("first", [{"description": f"Question {number}"} for number in range(CARDS)])
    rest = (_page(f"{number}", [{}] * ITEMS_OF_PAGE) for number in range(PAGES))
    return Layout((first, *rest))


def _page(key: str, items: list[dict[str, str]]) -> Page:
    return Page(key, {}, tuple(_row(f"{key} {number}", item) for number, item in enumerate(items)))


def _row(key: str, attributes: dict[str, str]) -> Row:
    item = FreeText(key, {"type": "free_text", **attributes})
    return Row(f"{key} row", {}, (Column(f"{key} column", {}, (item,)),))


class LongPage:
    """The steps in one window."""

    def __init__(self, opened: OpenWindow, controller: WindowController, ticks: StallMonitor) -> None:
        self._opened, self._controller, self._ticks = opened, controller, ticks
        self._study = controller.study

    async def run(self, path: Path) -> None:
        """Take all steps."""
        self._controller.open_path(path)
        await until(lambda: self._study.is_open)
        self._opened.context.shell.set_stage("layout")
        await until(lambda: visible_widget(self._opened, "EditorStage") is not None)
        stage = visible_widget(self._opened, "EditorStage")
        canvas = stage.panels.canvas.page_canvas
        await until(lambda: len(canvas.cards()) == CARDS)
        await self._problems()
        await self._type(stage)
        await self._drag(stage)
        await self._batches()

    async def _problems(self) -> None:
        await self._step("open the problems")
        self._opened.context.actions.run(ActionId.LAYOUT_PROBLEMS)
        await self._step("go to a problem")
        self._opened.context.actions.run(ActionId.LAYOUT_NEXT_PROBLEM)
        await self._step("go back to the long page")
        visible_widget(self._opened, "EditorStage").state.selection.show_page("first")

    async def _type(self, stage: Any) -> None:
        await self._step("select a card")
        stage.state.reveal("first 5")
        await self._step("edit the card")
        stage.selection.request_edit()
        field = QApplication.focusWidget()
        assert field is not None
        for character in TYPED:
            await self._step("type")
            QTest.keyClicks(field, character)

    async def _drag(self, stage: Any) -> None:
        surface = stage.panels.canvas._surface
        await self._step("start a drag")
        mime = payload_for(stage, "first 5")
        drag = SimulatedDrag(surface, mime)
        for number in range(10):
            await self._step("drag")
            drag.over(QPoint(surface.width() // 2, 100 + number * DRAG_STEP_PX))
        await self._step("drop")
        at = QPointF(surface.width() / 2, 400)
        QApplication.sendEvent(surface, QDropEvent(at, MOVE, mime, LEFT, NONE))

    async def _batches(self) -> None:
        self._ticks.start_step("create batches")
        context = await self._controller.session.context()
        limit = asyncio.Semaphore(REQUESTS_AT_ONCE)

        async def create(number: int) -> None:
            async with limit:
                details = TaskDetails(task_name="Compare", task_introduction="Read.", task_steps="Answer.")
                request = BatchCreate(
                    name=f"Batch {number}", workspace_id=context.workspace_id, task_details=details
                )
                await context.service.batches.create(request)

        await asyncio.gather(*map(create, range(BATCHES)))
        await self._step("show Run")
        self._opened.context.shell.set_stage("run")
        await until(lambda: visible_widget(self._opened, "RunStage") is not None)
        run = visible_widget(self._opened, "RunStage").state
        await until(lambda: len(run.resources) == BATCHES and not run.remote_list.is_loading)
        for batch in run.resources[:3]:
            await self._step("choose a batch")
            run.choose(batch.id)
        await self._step("refresh Run")
        self._opened.context.actions.run(ActionId.RUN_REFRESH)
        await self._step("search a batch")
        QTest.keyClicks(visible_widget(self._opened, "BatchList")._search, "19")
        await self._step("end")

    async def _step(self, name: str) -> None:
        """Wait until the previous step has settled, and start another one."""
        await asyncio.sleep(SETTLING_S)
        self._ticks.start_step(name)
        await asyncio.sleep(0)


def main(profile: Path) -> None:
    """Take the steps in a new program and print the stalls."""
    measure_study(
        profile,
        Project("Long page", long_page()),
        lambda opened, controller, ticks, file: LongPage(opened, controller, ticks).run(file),
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
