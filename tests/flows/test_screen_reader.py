"""What screen readers get of every stage and dialog: controls with name and role, in visual order."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from tests.flows.browser import browser
from tests.flows.user_actions import Person, person_at
from tests.ui.test_accessibility import nameless, out_of_order

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

STAGES = ("Home", "Data", "Layout", "Run", "Results", "Feedback", "Jobs")


class Listener:
    """Walks the tree at each step, and records what has no name, or is not in its visual order, where."""

    def __init__(self, person: Person) -> None:
        self._person = person
        self.found: list[str] = []

    def listen(self, where: str) -> None:
        """Walk every window that is shown."""
        for top in QApplication.topLevelWidgets():
            if isinstance(top, QWidget) and top.isVisible():
                self.found += [f"{where}: {what}" for what in (*nameless(top), *out_of_order(top))]

    async def click(self, text: str, *, shows: str = "") -> None:
        """Click, wait until something is shown, and walk."""
        await self._person.click(text)
        await self._person.sees(shows or text)
        self.listen(text)


async def visit(person: Person) -> list[str]:
    """Go through the stages empty and filled, and through the dialogs on the way."""
    listener = Listener(person)
    await person.sees("Try the sample study")
    listener.listen("first start")
    await listener.click("Add a connection", shows="Cancel")
    await person.click("Cancel")
    await person.click("Try the sample study")
    await person.sees("All fields match the schema")
    for stage in STAGES:
        await listener.click(stage)
    await person.click("Data")
    await listener.click("Upload 24 records", shows="24 accepted")
    await person.click("Layout")
    await through_cards(person, listener)
    await listener.click("Preview", shows="Open in browser")
    await person.press(Qt.Key.Key_Escape)
    await person.click("Run")
    await listener.click("Edit task details", shows="Cancel")
    await person.click("Cancel")
    await listener.click("Create batch", shows="Create 24 tasks")
    await person.click("Create 24 tasks")
    await listener.click("Simulated participants", shows="Cancel")
    await person.click("Let 24 participants answer")
    await person.sees("groups are answered")
    for stage in STAGES:
        await listener.click(stage)
    return listener.found


async def through_cards(person: Person, listener: Listener) -> None:
    """Show the form of a thing of each kind."""
    for part in ("Rich text", "Image", "Multiple choice", "Choice with free text", "Free text with unit"):
        await listener.click(part)
    for _time in range(5):
        await person.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)


def test_every_control_has_a_name_and_a_role_and_is_read_in_visual_order(
    loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> None:
    async def steps() -> list[str]:
        with browser():
            async with person_at(tmp_path) as person:
                return await visit(person)

    matches = loop.run_until_complete(steps())
    assert matches == []
