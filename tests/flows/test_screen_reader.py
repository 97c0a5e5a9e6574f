"""The accessibility tree of every stage and dialog: controls have a name and a role, in visual order."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from tests.flows.browser import browser
from tests.flows.user_actions import User, run_program
from tests.ui.accessibility import out_of_order, unnamed_controls

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

STAGES = ("Home", "Data", "Layout", "Run", "Results", "Feedback", "Jobs")


class Listener:
    """Checks the accessibility tree at each step, and records unnamed_controls or misordered elements."""

    def __init__(self, user: User) -> None:
        self._person = user
        self.found: list[str] = []

    def listen(self, where: str) -> None:
        """Check every visible window."""
        for top in QApplication.topLevelWidgets():
            if isinstance(top, QWidget) and top.isVisible():
                self.found += [f"{where}: {what}" for what in (*unnamed_controls(top), *out_of_order(top))]

    async def click(self, text: str, *, shows: str = "") -> None:
        """Click, wait until the expected element is shown, and check."""
        await self._person.click(text)
        await self._person.wait_for(shows or text)
        self.listen(text)


async def visit(user: User) -> list[str]:
    """Visit the stages, empty and filled, and their dialogs."""
    listener = Listener(user)
    await user.wait_for("Try the sample study")
    listener.listen("first start")
    await listener.click("Add a connection", shows="Cancel")
    await user.click("Cancel")
    await user.click("Try the sample study")
    await user.wait_for("All fields match the schema")
    for stage in STAGES:
        await listener.click(stage)
    await user.click("Data")
    await listener.click("Upload 24 records", shows="24 accepted")
    await user.click("Layout")
    await through_cards(user, listener)
    await listener.click("Preview", shows="Open in browser")
    await user.press(Qt.Key.Key_Escape)
    await user.click("Run")
    await listener.click("Edit task details", shows="Cancel")
    await user.click("Cancel")
    await listener.click("Create batch", shows="Create 24 tasks")
    await user.click("Create 24 tasks")
    await listener.click("Simulated participants", shows="Cancel")
    await user.click("Let 24 participants answer")
    await user.wait_for("groups are answered")
    for stage in STAGES:
        await listener.click(stage)
    return listener.found


async def through_cards(user: User, listener: Listener) -> None:
    """Show the form of an item of each type."""
    for part in ("Rich text", "Image", "Multiple choice", "Choice with free text", "Free text with unit"):
        await listener.click(part)
    for _time in range(5):
        await user.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)


async def test_every_control_has_a_name_and_a_role_and_is_in_visual_order(tmp_path: Path) -> None:
    with browser():
        async with run_program(tmp_path) as user:
            matches = await visit(user)
    assert matches == []
