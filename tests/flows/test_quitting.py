"""Quit closes every window, with the same dialog as closing it."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.program.window_controller import WindowController
from batchwright.ui.study.file.study_dialogs import UnsavedChangesDialog
from tests.flows.user_actions import run_program, until

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]


async def test_quitting_asks_about_each_unsaved_study(tmp_path: Path) -> None:
    async with run_program(tmp_path) as user:
        await user.wait_for("Try the sample study")
        user.program.open_window()
        first, second = user.program.windows
        for window in (first, second):
            await until(lambda window=window: window.findChild(WindowController) is not None, "a desk")  # type: ignore[misc]
        controller = second.findChild(WindowController)
        assert isinstance(controller, WindowController)
        controller.run_action(ActionId.TRY_SAMPLE)
        await until(second.isWindowModified, "a study that is not saved")
        await user.press(Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
        await user.wait_for("Save “")
        assert user.program.windows == (second,)
        await user.click("Cancel")
        await until(lambda: not second.findChildren(UnsavedChangesDialog), "the end of the question")
        assert user.program.windows == (second,)
        user.window = second
        await user.press(Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
        await user.click("Do not save")
        await user.running
