"""Quit closes every window, each with the question that closing it would ask."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from batchwright.ui.study.file_dialogs import UnsavedChangesDialog
from batchwright.ui.window_controller import WindowController
from tests.flows.user_actions import person_at, until

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]


def test_quitting_asks_about_each_study_that_is_not_saved(
    loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> None:
    async def steps() -> None:
        async with person_at(tmp_path) as person:
            await person.sees("Try the sample study")
            person.program.open_window()
            first, second = person.program.windows
            for window in (first, second):
                await until(lambda window=window: window.findChild(WindowController) is not None, "a desk")  # type: ignore[misc]
            controller = second.findChild(WindowController)
            assert isinstance(controller, WindowController)
            controller.run_action("try_sample")
            await until(second.isWindowModified, "a study that is not saved")
            await person.press(Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
            await person.sees("Save “")
            assert person.program.windows == (second,)
            await person.click("Cancel")
            await until(lambda: not second.findChildren(UnsavedChangesDialog), "the end of the question")
            assert person.program.windows == (second,)
            person.window = second
            await person.press(Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
            await person.click("Do not save")
            await person.living

    loop.run_until_complete(steps())
