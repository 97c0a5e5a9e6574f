"""The main workflow by keyboard: from the first start to an exported archive."""

import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from tests.flows.browser import browser
from tests.flows.user_actions import User, run_program, until
from tests.ui.conftest import focused

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

CTRL = Qt.KeyboardModifier.ControlModifier
CSV = "prompt,answer\nWhy is the sky blue?,Air\nWhat is a cat?,A pet\n"


async def run_from_palette(user: User, text: str) -> None:
    """Run a command by its name in the command palette."""
    await user.press(Qt.Key.Key_K, CTRL)
    await user.wait_for_field("Find anything")
    QTest.keyClicks(focused(), text)
    await user.wait_for(text)
    await user.press(Qt.Key.Key_Return)
    has_visible_focus()


async def name_file(user: User, path: Path) -> None:
    """Enter a path in the file dialog, and confirm it."""
    await until(lambda: QApplication.activeModalWidget() is not None, "the file dialog")
    await user.wait_for_field()
    field = focused()
    assert isinstance(field, QLineEdit)
    field.selectAll()
    field.insert(str(path))  # as pasted: what is typed opens a list of proposals over the dialog
    await user.press(Qt.Key.Key_Return)
    await until(lambda: QApplication.activeModalWidget() is None, "the end of the file dialog")


def has_visible_focus() -> None:
    """Check that the focused widget is visible."""
    widget = QApplication.focusWidget()
    assert widget is None or widget.isVisible()


async def insert(user: User, part: str) -> None:
    """Insert an item of the palette by its name."""
    await user.press(Qt.Key.Key_Insert)
    await user.wait_for_field("Search items")
    await user.press(Qt.Key.Key_A, CTRL)
    QTest.keyClicks(focused(), part)
    await user.press(Qt.Key.Key_Return)


async def by_keys(user: User, table: Path, archive: Path) -> None:
    await user.wait_for("Try the sample study")
    await run_from_palette(user, "Open a data file")
    await name_file(user, table)
    await user.wait_for("Both records fit the schema")
    await run_from_palette(user, "Upload data")
    await user.wait_for("2 accepted")
    await user.press(Qt.Key.Key_Z, CTRL)  # the layout that was proposed from the table
    await user.press(Qt.Key.Key_3, CTRL)
    await user.wait_for("This page is empty")
    await insert(user, "prompt")
    await user.wait_for("1 page, 1 item")
    await insert(user, "Free text")
    await user.write("What do you think?", "Question")
    await user.wait_for("1 page, 2 items. All fields match the schema.")
    await user.press(Qt.Key.Key_4, CTRL)
    await user.wait_for("Next: create the batch")
    await run_from_palette(user, "Create batch")
    await user.wait_for("Create 2 tasks")
    await user.press(Qt.Key.Key_Return)
    await user.wait_for("2 tasks in 2 groups are ready")
    await run_from_palette(user, "Let simulated participants answer")
    await user.wait_for("Let 2 participants answer")
    await user.press(Qt.Key.Key_Return)
    await user.wait_for("2 of 2 groups are answered")
    await user.press(Qt.Key.Key_5, CTRL)
    await user.wait_for("2 answers received")
    await user.press(Qt.Key.Key_E, CTRL | Qt.KeyboardModifier.ShiftModifier)
    await name_file(user, archive)
    await user.wait_for("Export saved")
    assert user.clicks == 0


@pytest.mark.endpoint(
    "responses.responses",
    "responses.report",
    "storage.get_report",
    "exports.start",
    "exports.get",
    "storage.get_export",
)
async def test_a_table_becomes_an_archive_by_keyboard(tmp_path: Path) -> None:
    table, archive = tmp_path / "cats.csv", tmp_path / "export.zip"
    table.write_text(CSV, encoding="utf-8")
    with browser():
        async with run_program(tmp_path / "profile") as user:
            await by_keys(user, table, archive)
    assert zipfile.ZipFile(archive).testzip() is None


async def test_tab_cycles_through_the_controls_of_every_stage(tmp_path: Path) -> None:
    """No control traps the focus: Tab returns to the first control."""
    async with run_program(tmp_path) as user:
        await user.click("Try the sample study")
        await user.wait_for("All fields match the schema")
        for stage in ("Home", "Data", "Layout", "Run", "Results", "Feedback", "Jobs"):
            await user.click(stage)
            await tab_returns(user, stage)


async def tab_returns(user: User, stage: str) -> None:
    await user.press(Qt.Key.Key_Tab)
    first, visited = focused(), list[object]()
    for _stroke in range(200):
        await user.press(Qt.Key.Key_Tab)
        has_visible_focus()
        if focused() is first:
            break
        visited.append(focused())
    assert focused() is first, stage
    assert len(set(visited)) == len(visited) > 1, stage
