"""A program that takes steps with a study of 10,000 items in a window, and prints the longest stall of the
event loop in each step (`flow_in_slices.StallMonitor`).

Usage: `long_study.py PROFILE`.
"""

import asyncio
import sys
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QWidget

from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.model import Layout
from batchwright.local.projects import Project
from batchwright.local.versions import VersionCause
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.program.application import OpenWindow
from batchwright.ui.program.window_controller import WindowController
from tests.benchmarks.flow_in_slices import SETTLING_S, StallMonitor, measure_study, until
from tests.layout.builders import sketch

PAGES, ITEMS_OF_PAGE = 1000, 10
VERSIONS = 3


def long_layout() -> Layout:
    """Pages of ten questions; the first question has the key `a`."""
    letters = ["a", *(chr(0x4E00 + number) for number in range(1, PAGES * ITEMS_OF_PAGE))]
    pages = [" / ".join(letters[at : at + ITEMS_OF_PAGE]) for at in range(0, len(letters), ITEMS_OF_PAGE)]
    layout = sketch(" // ".join(pages))
    return layout.with_items(
        {item.key: item.with_attributes(description=f"Question {item.key}") for _path, item in layout.walk()}
    )


class LongStudy:
    """The steps in one window."""

    def __init__(self, opened: OpenWindow, controller: WindowController, ticks: StallMonitor) -> None:
        self._opened, self._controller, self._ticks = opened, controller, ticks
        self._study = controller.study

    async def run(self, path: Path) -> None:
        """Take all steps."""
        self._controller.open_path(path)
        await until(lambda: self._study.is_open)
        self._opened.context.shell.set_stage("layout")
        await asyncio.sleep(4 * SETTLING_S)
        await self._edit()
        await self._versions()
        await self._replace()

    async def _edit(self) -> None:
        for number in range(VERSIONS):
            await self._step("edit")
            self._study.apply(SetAttributes("a", {"description": f"Question {number}"}))
            await self._step("store a version")
            self._study.version_created.emit(self._study.new_version(VersionCause.SAVED))
            await self._controller.versions.store_waiting()

    async def _versions(self) -> None:
        await self._step("open the versions")
        self._controller.run_action(ActionId.VERSIONS)
        await until(lambda: self._widget("VersionsPanel") is not None)
        panel = self._widget("VersionsPanel")
        state = panel.state
        await until(lambda: state.comparison is not None)
        await until(lambda: len(state.summaries) == VERSIONS - 1)
        for version in state.versions[1:]:
            await self._step("choose a version")
            state.choose(version)
            await until(lambda: state.comparison is not None)
        await self._step("restore a version")
        panel.restore_button.click()

    async def _replace(self) -> None:
        await self._step("open find and replace")
        self._opened.context.actions.run(ActionId.LAYOUT_REPLACE_TEXT)
        await until(lambda: self._widget("FindPanel") is not None)
        panel = self._widget("FindPanel")
        state = panel.state
        await self._step("find")
        panel.search.setText("Question")
        await until(lambda: len(state.matches) > PAGES and not state.is_searching)
        await self._step("type the replacement")
        panel.template.setText("Problem")
        await self._step("replace")
        panel.replace_button.click()
        await until(lambda: not state.is_replacing and not state.is_searching)
        await self._step("undo the replacement")
        self._opened.context.actions.run(ActionId.UNDO)
        await until(lambda: not state.is_searching)

    async def _step(self, name: str) -> None:
        """Wait until the previous step has settled, and start another one."""
        await asyncio.sleep(SETTLING_S)
        self._ticks.start_step(name)
        await asyncio.sleep(0)

    def _widget(self, kind: str) -> Any:
        return visible_widget(self._opened, kind)


def visible_widget(opened: OpenWindow, kind: str) -> Any:
    """The visible widget of a class, which is named so that it is imported by the window."""
    widgets = opened.window.findChildren(QWidget)
    found = (widget for widget in widgets if type(widget).__name__ == kind and widget.isVisible())
    return next(found, None)


def main(profile: Path) -> None:
    """Take the steps in a new program and print the stalls."""
    measure_study(
        profile,
        Project("Long", long_layout()),
        lambda opened, controller, ticks, file: LongStudy(opened, controller, ticks).run(file),
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
