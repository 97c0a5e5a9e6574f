"""A table that was copied elsewhere: pasted as a study, in place of the table of a study, and saved."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication

from batchwright.ui.data.stage import DataStage
from tests.flows.user_actions import User, run_program, until

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
FIRST = "prompt\ttopic\nWhy?\tcats\nWho?\tdogs\n"
SECOND = "prompt\ttopic\nWhere?\tbirds\n"


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATCHWRIGHT_HOME", str(tmp_path / "home"))


async def paste(user: User, table: str, modifiers: Qt.KeyboardModifier) -> None:
    QGuiApplication.clipboard().setText(table)
    await user.press(Qt.Key.Key_V, modifiers)


def drop(user: User, table: str) -> None:
    """Drop what was dragged from another program on the window."""
    mime, window = QMimeData(), user.window
    mime.setText(table)
    action, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    middle, none = window.rect().center(), Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(middle, action, mime, button, none)
    QApplication.sendEvent(window, entering)
    assert entering.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(middle), action, mime, button, none))


async def records(user: User, count: int) -> list[str]:
    """Wait for a file with a number of records; returns its first values."""

    def is_reached() -> bool:
        stage = user.window.findChild(DataStage)
        summary = stage.state.file.summary if stage is not None else None
        return summary is not None and summary.is_counted and summary.records == count and is_checked(user)

    await until(is_reached, f"{count} records")
    stage = user.window.findChild(DataStage)
    assert stage is not None
    return [str(record.content[0]) for record in stage.state.file.first_records]  # type: ignore[index]


def is_checked(user: User) -> bool:
    stage = user.window.findChild(DataStage)
    return stage is not None and not stage.state.is_reading and stage.state.validation.report is not None


async def test_pasted_and_dropped_tables_replace_that_of_the_study_after_a_question_and_are_saved(
    tmp_path: Path,
) -> None:
    study = tmp_path / "pasted.batchwright"
    async with run_program(tmp_path / "profile") as user:
        await until(lambda: user.window.is_showing_stage, "a stage")
        await paste(user, FIRST, CONTROL)
        assert await records(user, 2) == ["Why?", "Who?"]
        await user.click("Data")
        await paste(user, SECOND, CONTROL | ALT)
        await user.wait_for("Replace “Pasted table")
        await user.wait_for("The layout and everything else in the study are kept.")
        await user.click("Cancel")
        await asyncio.sleep(0)
        assert await records(user, 2) == ["Why?", "Who?"]
        drop(user, SECOND)
        await user.click("Replace")
        assert await records(user, 1) == ["Where?"]
        await user.press(Qt.Key.Key_S, CONTROL)
        await user.choose_file(study)
        await until(study.is_file, "the saved study")
    async with run_program(tmp_path / "profile", study) as user:
        await user.click("Data")
        assert await records(user, 1) == ["Where?"]


async def test_pasted_json_keeps_its_numbers(tmp_path: Path) -> None:
    async with run_program(tmp_path / "profile") as user:
        await until(lambda: user.window.is_showing_stage, "a stage")
        await paste(user, '[{"prompt": "Why, and how?", "score": 1.50},\n {"prompt": "Who?"}]', CONTROL)
        await until(lambda: is_checked(user), "the records")
        stage = user.window.findChild(DataStage)
        assert stage is not None
        first, second = (record.content for record in stage.state.file.first_records)
        assert (first, second) == ({"prompt": "Why, and how?", "score": 1.5}, {"prompt": "Who?"})


async def test_a_clipboard_without_a_table_is_reported(tmp_path: Path) -> None:
    async with run_program(tmp_path / "profile") as user:
        await until(lambda: user.window.is_showing_stage, "a stage")
        await paste(user, "words", CONTROL | ALT)
        await user.wait_for("no table")
        QGuiApplication.clipboard().clear()
        await paste(user, "", CONTROL | ALT)
        await user.wait_for("no table")
