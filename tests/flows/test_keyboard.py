"""The main job without a mouse: from the first start to an exported archive by keys alone."""

import asyncio
import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from tests.flows.browser import browser
from tests.flows.user_actions import Person, focused, person_at, until

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

CTRL = Qt.KeyboardModifier.ControlModifier
CSV = "prompt,answer\nWhy is the sky blue?,Air\nWhat is a cat?,A pet\n"


async def run_from_palette(person: Person, text: str) -> None:
    """Do something by its name, through the command finder."""
    await person.press(Qt.Key.Key_K, CTRL)
    await person.finds_field("Find anything")
    QTest.keyClicks(focused(), text)
    await person.sees(text)
    await person.press(Qt.Key.Key_Return)
    has_visible_focus()


async def name_file(person: Person, path: Path) -> None:
    """Write a path into the file dialog, and confirm it."""
    await until(lambda: QApplication.activeModalWidget() is not None, "the file dialog")
    await person.finds_field()
    field = focused()
    assert isinstance(field, QLineEdit)
    field.selectAll()
    field.insert(str(path))  # as pasted: what is typed opens a list of proposals over the dialog
    await person.press(Qt.Key.Key_Return)
    await until(lambda: QApplication.activeModalWidget() is None, "the end of the file dialog")


def has_visible_focus() -> None:
    """What has the keyboard can be seen."""
    widget = QApplication.focusWidget()
    assert widget is None or widget.isVisible()


async def insert(person: Person, part: str) -> None:
    """Add a part by its name."""
    await person.press(Qt.Key.Key_Insert)
    await person.finds_field("Search items")
    await person.press(Qt.Key.Key_A, CTRL)
    QTest.keyClicks(focused(), part)
    await person.press(Qt.Key.Key_Return)


async def by_keys(person: Person, table: Path, archive: Path) -> None:
    await person.sees("Try the sample study")
    await run_from_palette(person, "Open a data file")
    await name_file(person, table)
    await person.sees("Both records fit the schema")
    await run_from_palette(person, "Upload data")
    await person.sees("2 accepted")
    await person.press(Qt.Key.Key_3, CTRL)
    await person.sees("This page is empty")
    await insert(person, "prompt")
    await person.sees("1 page, 1 item")
    await insert(person, "Free text")
    await person.write("What do you think?", "Question")
    await person.sees("1 page, 2 items. All fields match the schema.")
    await person.press(Qt.Key.Key_4, CTRL)
    await person.sees("Next: create the batch")
    await run_from_palette(person, "Create batch")
    await person.sees("Create 2 tasks")
    await person.press(Qt.Key.Key_Return)
    await person.sees("2 tasks in 2 groups are ready")
    await run_from_palette(person, "Let simulated participants answer")
    await person.sees("Let 2 participants answer")
    await person.press(Qt.Key.Key_Return)
    await person.sees("2 of 2 groups are answered")
    await person.press(Qt.Key.Key_5, CTRL)
    await person.sees("2 answers received")
    await person.press(Qt.Key.Key_E, CTRL | Qt.KeyboardModifier.ShiftModifier)
    await name_file(person, archive)
    await person.sees("Export saved")
    assert person.clicks == 0


def test_from_a_table_to_an_archive_by_keys_alone(loop: asyncio.AbstractEventLoop, tmp_path: Path) -> None:
    table, archive = tmp_path / "cats.csv", tmp_path / "export.zip"
    table.write_text(CSV, encoding="utf-8")

    async def steps() -> None:
        with browser():
            async with person_at(tmp_path / "profile") as person:
                await by_keys(person, table, archive)

    loop.run_until_complete(steps())
    assert zipfile.ZipFile(archive).testzip() is None


@pytest.mark.parametrize("stage", ["Home", "Data", "Layout", "Run", "Results", "Feedback", "Jobs"])
def test_tab_goes_round_in_every_stage(stage: str, loop: asyncio.AbstractEventLoop, tmp_path: Path) -> None:
    """No control keeps the keyboard: pressing Tab often enough comes back to where it began."""

    async def steps() -> None:
        async with person_at(tmp_path) as person:
            await person.click("Try the sample study")
            await person.sees("All fields match the schema")
            await person.click(stage)
            await person.press(Qt.Key.Key_Tab)
            first, seen = focused(), list[object]()
            for _stroke in range(200):
                await person.press(Qt.Key.Key_Tab)
                has_visible_focus()
                if focused() is first:
                    break
                seen.append(focused())
            assert focused() is first
            assert len(set(seen)) == len(seen) > 1

    loop.run_until_complete(steps())
