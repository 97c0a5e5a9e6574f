"""What Delete removes is what the canvas, the form, the lists and screen readers show as selected."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from batchwright.ui.editor.core import commands
from batchwright.ui.editor.stage import EditorStage
from tests.ui.conftest import focused
from tests.ui.editor.conftest import drawing, selected, settle
from tests.ui.editor.interaction import CTRL, SimulatedDrag, payload_for
from tests.ui.editor.shown_selection import check_selection, focused_name

pytestmark = pytest.mark.gui

Key = Qt.Key


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(focused(), key, modifiers)
    settle()


def select(stage: EditorStage, key: str) -> None:
    stage.state.reveal(key)
    settle()


def test_delete_after_copy_paste_and_undo_removes_the_item_that_is_outlined(stage: EditorStage) -> None:
    select(stage, "b")
    press(Key.Key_C, CTRL)
    press(Key.Key_V, CTRL)
    stage.state.study.undo()
    settle()
    check_selection(stage)
    assert focused_name() == "Free text: b"
    press(Key.Key_Delete)
    assert drawing(stage) == "a / c|d // e"


@pytest.mark.parametrize("button", ["Remove", "Duplicate"])
def test_the_form_of_several_items_acts_on_those_that_are_outlined(stage: EditorStage, button: str) -> None:
    for keys in (["a", "b"], ["c", "d"]):
        stage.state.select(keys)
        settle()
        check_selection(stage)
    inspector = stage.panels.inspector
    (clicked,) = [each for each in inspector.findChildren(QPushButton) if each.text() == button]
    clicked.click()
    settle()
    assert drawing(stage) == {"Remove": "ab // e", "Duplicate": "ab / cc|dd // e"}[button]


def test_delete_after_a_drop_on_a_thumbnail_removes_the_item_that_is_outlined(stage: EditorStage) -> None:
    select(stage, "b")
    pages = stage.panels.pages
    at = pages.visualRect(pages.pages_model.index(1, 0)).center()
    drag = SimulatedDrag(pages.viewport(), payload_for(stage, "b"))
    drag.over(at)
    drag.drop(at)
    assert drawing(stage) == "a / c|d // e / b"
    check_selection(stage)
    assert focused_name() == "Free text: a"
    press(Key.Key_Delete)
    assert drawing(stage) == "c|d // e / b"


def test_tab_to_an_item_selects_it(stage: EditorStage) -> None:
    stage.selection.select(())
    stage.panels.canvas.header.tab_end.setFocus()
    settle()
    press(Key.Key_Tab)
    assert selected(stage) == ["a"]
    check_selection(stage)
    press(Key.Key_Delete)
    assert drawing(stage) == "b / c|d // e"


def test_the_focus_of_a_card_that_disappears_selects_nothing_else(stage: EditorStage) -> None:
    select(stage, "e")
    commands.remove(stage.state)
    settle()
    check_selection(stage)
    assert stage.panels.canvas.hasFocus()
    assert stage.selection.pages == ("pe",)


def test_without_a_selected_item_the_page_itself_has_the_focus(stage: EditorStage) -> None:
    select(stage, "a")
    press(Key.Key_Space, CTRL)
    check_selection(stage)
    assert selected(stage) == []
    assert stage.panels.canvas.hasFocus()
    assert QApplication.focusWidget() is stage.panels.canvas.main_widget()
