"""Typed text is stored when the selection changes, the window closes or the item is removed."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from batchwright.layout.editing.edits import Remove
from batchwright.ui.editor.inspector.fields import TextField
from batchwright.ui.editor.inspector.large_editor import LargeEditor
from batchwright.ui.editor.inspector.options.model import OptionColumn
from batchwright.ui.editor.item_types.choice import AnswerLimit
from batchwright.ui.editor.item_types.rich_text import LargeRichText, RichTextEditor
from batchwright.ui.widgets.dialogs.overlays import ModalOverlay
from tests.samples.each_type import ALL, BETTER, INVALID_VALUES, RICH, WHY
from tests.ui.accessibility import unnamed_controls
from tests.ui.editor.inspector.conftest import InspectorHarness, Opened
from tests.ui.editor.inspector.interaction import (
    button,
    cell,
    find_named,
    label_texts,
    option_list,
    type_into,
)

pytestmark = pytest.mark.gui

Key = Qt.Key
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def large(qtbot: QtBot, harness: InspectorHarness) -> LargeEditor:
    """The large editor over the inspector."""
    (overlay,) = harness.inspector.findChildren(ModalOverlay)
    assert isinstance(overlay.panel, LargeEditor)
    qtbot.waitUntil(overlay.panel.area.hasFocus)
    return overlay.panel


def test_typing_continues_after_undo(opened: Opened) -> None:
    harness = opened(WHY)
    helper = find_named(harness, "Helper text")
    type_into(helper, "One")
    harness.study.undo()
    assert isinstance(helper, QLineEdit)
    assert helper.text() == ""
    QTest.keyClicks(helper, "Two")
    assert harness.item()["helper_text"] == "Two"
    harness.study.undo()
    assert harness.item() == WHY
    harness.study.redo()
    assert harness.item()["helper_text"] == "Two"
    assert helper.text() == "Two"


def test_typed_text_is_stored_when_the_selection_changes(opened: Opened) -> None:
    harness = opened(WHY, BETTER)
    type_into(find_named(harness, "Helper text"), "Half a wo")
    harness.selection.select(harness.keys[1:])
    type_into(find_named(harness, "Helper text"), "Another")
    assert harness.item()["helper_text"] == "Half a wo"
    harness.study.undo()
    assert harness.item(1) == BETTER
    assert harness.item()["helper_text"] == "Half a wo"


def test_an_open_cell_editor_saves_its_text_when_the_selection_changes(opened: Opened) -> None:
    harness = opened(BETTER, WHY)
    field = cell(option_list(harness).table, 0, OptionColumn.LABEL)
    QTest.keyClicks(field, "Answer")
    harness.selection.select(harness.keys[1:])
    QApplication.processEvents()
    assert harness.item()["options"][0]["label"] == "Answer"


def test_typed_text_is_stored_when_the_window_closes(opened: Opened) -> None:
    harness = opened(BETTER)
    QTest.keyClicks(cell(option_list(harness).table, 0, OptionColumn.LABEL), "Answer")
    harness.inspector.close()
    assert harness.item()["options"][0] == {"label": "Answer", "value": "answer"}


def test_an_item_may_be_removed_and_restored_while_its_form_has_the_focus(opened: Opened) -> None:
    harness = opened(WHY, BETTER)
    helper = find_named(harness, "Helper text")
    type_into(helper, "One")
    form = harness.inspector.form
    assert form is not None
    harness.study.apply(Remove(tuple(harness.keys[:1])))
    form.set("helper_text", "too late")
    harness.study.undo()
    assert harness.item()["helper_text"] == "One"


def test_an_item_may_be_removed_while_it_has_a_draft_option(opened: Opened) -> None:
    harness = opened(BETTER, WHY)
    button(harness, "Add option").click()
    harness.study.apply(Remove(tuple(harness.keys[:1])))
    QApplication.processEvents()
    harness.study.undo()
    assert harness.item() == BETTER


def test_undo_may_remove_the_option_that_is_edited(opened: Opened) -> None:
    harness = opened(BETTER)
    button(harness, "Add option").click()
    table = option_list(harness).table
    QTest.keyClicks(table.findChildren(QLineEdit)[-1], "More")
    harness.study.undo()
    QApplication.processEvents()
    assert harness.item() == BETTER
    assert table.model().rowCount() == 3


def test_typing_a_number_is_one_step(opened: Opened) -> None:
    harness = opened(BETTER)
    limit = harness.inspector.findChild(AnswerLimit)
    assert limit is not None
    limit.spin.setFocus()
    limit.spin.selectAll()
    QTest.keyClicks(limit.spin, "25")
    assert harness.item()["answer_limit"] == 25
    harness.study.undo()
    assert harness.item() == BETTER


def test_a_long_text_has_a_large_editor_that_types_into_the_study(qtbot: QtBot, opened: Opened) -> None:
    harness = opened(WHY)
    field = find_named(harness, "Question")
    field.setFocus()
    QTest.keyClick(field, Key.Key_Return, CTRL)
    editor = large(qtbot, harness)
    assert unnamed_controls(editor) == []
    QTest.keyClicks(editor.area, " And how?")
    assert harness.item()["description"] == "Why? And how?"
    QTest.keyClick(editor.area, Key.Key_Return, CTRL)
    qtbot.waitUntil(field.hasFocus)
    harness.study.undo()
    assert harness.item() == WHY


def test_undo_works_inside_the_large_editor(qtbot: QtBot, opened: Opened) -> None:
    harness = opened(WHY)
    harness.inspector.findChildren(TextField)[0].open_large_editor()
    editor = large(qtbot, harness)
    QTest.keyClicks(editor.area, " And")
    QTest.keyClick(editor.area, Key.Key_Z, CTRL)
    assert harness.item() == WHY
    assert editor.area.toPlainText() == "Why?"
    QTest.keyClick(editor.area, Key.Key_Z, CTRL | SHIFT)
    assert editor.area.toPlainText() == "Why? And"


def test_the_large_editor_closes_with_its_item(qtbot: QtBot, opened: Opened) -> None:
    harness = opened(WHY, BETTER)
    harness.inspector.findChildren(TextField)[0].open_large_editor()
    large(qtbot, harness)
    harness.study.apply(Remove(tuple(harness.keys[:1])))
    qtbot.waitUntil(lambda: not harness.inspector.findChildren(LargeEditor))


def test_an_optional_text_cleared_in_the_large_editor_is_removed(qtbot: QtBot, opened: Opened) -> None:
    harness = opened({**WHY, "helper_text": "x"})
    harness.inspector.findChildren(TextField)[1].open_large_editor()
    editor = large(qtbot, harness)
    editor.area.clear()
    assert harness.item() == WHY


def test_the_large_rich_text_editor_has_a_preview(qtbot: QtBot, opened: Opened) -> None:
    harness = opened(RICH)
    rich = harness.inspector.findChild(RichTextEditor)
    assert rich is not None
    rich.open_large_editor()
    editor = large(qtbot, harness)
    assert isinstance(editor, LargeRichText)
    assert unnamed_controls(editor) == []
    editor.area.selectAll()
    QTest.keyClick(editor.area, Key.Key_B, CTRL)
    QTest.keyClicks(editor.area, "Now")
    assert harness.item()["content"] == "**Now**"
    assert editor.controls.preview.toPlainText().strip() == "Now"
    assert rich.controls.area.toPlainText() == "**Now**"


@pytest.mark.parametrize("number", range(len(ALL)))
def test_tab_visits_every_control_of_a_form_with_a_visible_focus(opened: Opened, number: int) -> None:
    harness = opened()
    harness.selection.select([harness.keys[number]])
    inside = harness.inspector.scroll_area.widget()
    assert inside is not None
    tab_stops = {widget for widget in inside.findChildren(QWidget) if _is_stop(widget)}
    visited: set[QWidget] = set()
    for _time in range(4 * len(tab_stops) + 20):
        QTest.keyClick(QApplication.focusWidget() or harness.inspector, Key.Key_Tab)
        focused = QApplication.focusWidget()
        if focused is not None:
            visited.add(focused)
    assert {widget.accessibleName() or type(widget).__name__ for widget in tab_stops - visited} == set()


def _is_stop(widget: QWidget) -> bool:
    """Whether Tab stops at a widget; of a group of tiles only at the checked one."""
    if not widget.focusPolicy() & Qt.FocusPolicy.TabFocus or not widget.isEnabled() or not widget.isVisible():
        return False
    if isinstance(widget, QAbstractButton) and widget.autoExclusive() and not widget.isChecked():
        return False
    return widget.focusProxy() is None


def test_several_items_can_be_moved_duplicated_and_removed_together(opened: Opened) -> None:
    harness = opened(WHY, BETTER, INVALID_VALUES)
    harness.selection.select(harness.keys[1:])
    assert {"2 items selected", "Multiple choice", "Choice with free text"} <= set(label_texts(harness))
    assert unnamed_controls(harness.inspector) == []
    button(harness, "Move up").click()
    assert harness.item(2) == WHY
    button(harness, "Duplicate").click()
    assert len(list(harness.study.layout.walk())) == 5
    button(harness, "Remove").click()
    assert len(list(harness.study.layout.walk())) == 3
    harness.study.undo()
    harness.study.undo()
    harness.study.undo()
    assert [harness.item(number) for number in range(3)] == [WHY, BETTER, INVALID_VALUES]


def test_a_multi_line_text_is_preserved_in_a_single_line_field(opened: Opened) -> None:
    harness = opened({**WHY, "helper_text": "one\ntwo"})
    field = find_named(harness, "Helper text")
    field.setFocus()
    QTest.keyClick(field, Key.Key_End)
    QTest.keyClicks(field, "!")
    assert harness.item()["helper_text"] == "one\ntwo!"


def test_tab_leaves_a_multi_line_field(opened: Opened) -> None:
    harness = opened(WHY)
    field = find_named(harness, "Question")
    assert isinstance(field, QPlainTextEdit)
    field.setFocus()
    QTest.keyClick(field, Key.Key_Tab)
    assert not field.hasFocus()
    assert harness.item() == WHY
