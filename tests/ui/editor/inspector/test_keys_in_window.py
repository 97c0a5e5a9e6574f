"""The inspector in the window: keys in a form do not act on the layout."""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from batchwright.base.json_values import Json
from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import Project
from batchwright.ui.editor.inspector.large_editor import LargeEditor
from batchwright.ui.editor.inspector.options.list import BulkDialog, OptionList
from batchwright.ui.editor.inspector.options.model import OptionColumn
from batchwright.ui.editor.stage import EditorStage
from batchwright.ui.shell.state import ShellState
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.dialogs.overlays import ModalOverlay
from tests.samples.each_type import BETTER, WHY
from tests.ui.conftest import focused
from tests.ui.editor.conftest import editor_window, settle

pytestmark = pytest.mark.gui

Key = Qt.Key
ALT, CTRL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, shell: ShellState) -> Iterator[EditorStage]:
    """Show the stage with the first of two questions selected."""
    pages: list[Json] = [{"rows": [{"columns": [{"items": [BETTER, WHY]}]}]}]
    study = Study()
    study.open(Project("Study", read(pages, random_keys())), None)
    with editor_window(study, tmp_path, shell) as stage:
        stage.window().activateWindow()
        qtbot.waitUntil(stage.window().isActiveWindow)
        stage.state.reveal(keys(stage)[0])
        settle()
        yield stage
    settle()


def keys(stage: EditorStage) -> list[str]:
    return [item.key for _path, item in stage.state.layout.walk()]


def items(stage: EditorStage) -> list[dict[str, Json]]:
    return [dict(item.attributes) for _path, item in stage.state.layout.walk()]


def control(stage: EditorStage, name: str) -> QWidget:
    found = stage.panels.inspector.findChildren(QWidget)
    return next(problem for problem in found if problem.accessibleName() == name)


def entries(stage: EditorStage) -> OptionList:
    found = stage.panels.inspector.findChild(OptionList)
    assert found is not None
    return found


def overlay(stage: EditorStage) -> QWidget:
    (found,) = stage.window().findChildren(ModalOverlay)
    return found.panel


def test_delete_and_arrow_keys_in_a_field_do_not_change_the_layout(stage: EditorStage) -> None:
    field = control(stage, "Helper text")
    assert isinstance(field, QLineEdit)
    field.setFocus()
    settle()
    QTest.keyClicks(field, "ab")
    QTest.keyClick(field, Key.Key_Home)
    QTest.keyClick(field, Key.Key_Delete)
    QTest.keyClick(field, Key.Key_Down, ALT)
    settle()
    assert items(stage) == [{**BETTER, "helper_text": "b"}, WHY]
    QTest.keyClick(field, Key.Key_D, CTRL)  # under X, fields delete a character with it
    settle()
    assert len(items(stage)) == 2


def test_moving_and_removing_options_keeps_the_item(stage: EditorStage) -> None:
    table = entries(stage).table
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, OptionColumn.LABEL))
    settle()
    QTest.keyClick(table, Key.Key_Down, ALT)
    QTest.keyClick(table, Key.Key_Delete)
    settle()
    assert [option["value"] for option in cast("list[dict[str, Json]]", items(stage)[0]["options"])] == [
        "b",
        "same",
    ]
    assert items(stage)[1] == WHY


def test_undo_in_a_cell_undoes_the_study(stage: EditorStage) -> None:
    table = entries(stage).table
    table.edit_cell(0, OptionColumn.LABEL)
    settle()
    QTest.keyClicks(focused(), "Left")
    QTest.keyClick(focused(), Key.Key_Z, CTRL)
    settle()
    assert items(stage)[0] == BETTER
    assert cast("QLineEdit", focused()).text() == "A"


def test_undo_in_the_large_editor_undoes_its_typing_only(
    stage: EditorStage,
) -> None:
    field = control(stage, "Question")
    field.setFocus()
    settle()
    QTest.keyClick(field, Key.Key_Return, CTRL)
    settle()
    editor = overlay(stage)
    assert isinstance(editor, LargeEditor)
    QTest.keyClicks(focused(), " Why?")
    QTest.keyClick(focused(), Key.Key_Down, ALT)
    QTest.keyClick(focused(), Key.Key_D, CTRL)
    assert [item["description"] for item in items(stage)] == ["Which is better? Why?", "Why?"]
    QTest.keyClick(focused(), Key.Key_Z, CTRL)
    settle()
    assert items(stage) == [BETTER, WHY]
    QTest.keyClick(focused(), Key.Key_Return, CTRL)
    settle()
    assert not stage.window().findChildren(ModalOverlay)
    assert focused() is field


def test_the_bulk_dialog_opens_from_within_a_cell(stage: EditorStage) -> None:
    table = entries(stage).table
    table.edit_cell(0, OptionColumn.LABEL)
    settle()
    QTest.keyClick(focused(), Key.Key_Return, CTRL)
    settle()
    dialog = overlay(stage)
    assert isinstance(dialog, BulkDialog)
    dialog.area.setPlainText("Yes = true\nNo = false")
    QTest.keyClick(dialog.area, Key.Key_Return, CTRL)
    settle()
    options = [{"label": "Yes", "value": True}, {"label": "No", "value": False}]
    assert items(stage)[0] == {**BETTER, "options": options}


def test_a_pasted_list_goes_into_the_options_and_not_into_the_layout(stage: EditorStage) -> None:
    table = entries(stage).table
    table.edit_cell(0, OptionColumn.LABEL)
    settle()
    QGuiApplication.clipboard().setText("Left\tl\nRight\tr")
    QTest.keyClick(focused(), Key.Key_V, CTRL)
    settle()
    assert len(items(stage)) == 2
    values = [option["value"] for option in cast("list[dict[str, Json]]", items(stage)[0]["options"])]
    assert values == ["l", "r", "same"]


def test_focusing_the_canvas_saves_the_cell_and_discards_a_draft(stage: EditorStage) -> None:
    found = entries(stage)
    found.table.edit_cell(2, OptionColumn.LABEL)
    settle()
    QTest.keyClicks(focused(), "Equal")
    QTest.keyClick(focused(), Key.Key_Return)
    settle()
    stage.panels.canvas.setFocus()
    settle()
    assert found.model.draft_row == -1
    options = cast("list[dict[str, Json]]", items(stage)[0]["options"])
    assert [option["label"] for option in options] == ["A", "B", "Equal"]
