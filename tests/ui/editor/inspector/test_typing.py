"""What is typed is kept: through undo, another selection, the end of the window, and of the item."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from batchwright.layout.edits import Remove
from batchwright.ui.editor.inspector.answer_limit import AnswerLimit
from batchwright.ui.editor.inspector.fields import TextField
from batchwright.ui.editor.inspector.large_editor import LargeEditor
from batchwright.ui.editor.inspector.options.model import OptionColumn
from batchwright.ui.editor.inspector.rich_text import LargeRichText, RichTextEditor
from batchwright.ui.widgets.overlays import ModalOverlay
from tests.samples.each_type import ALL, BETTER, FAULTS, RICH, WHY
from tests.ui.editor.inspector.conftest import Desk, Opened
from tests.ui.editor.inspector.interaction import button, cell, entries, named, type_into, words
from tests.ui.test_accessibility import nameless

pytestmark = pytest.mark.gui

Key = Qt.Key
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def large(qtbot: QtBot, desk: Desk) -> LargeEditor:
    """The large editor that lies over the inspector."""
    (overlay,) = desk.inspector.findChildren(ModalOverlay)
    assert isinstance(overlay.panel, LargeEditor)
    qtbot.waitUntil(overlay.panel.area.hasFocus)
    return overlay.panel


def test_typing_goes_on_after_undo_in_mid_word(opened: Opened) -> None:
    desk = opened(WHY)
    helper = named(desk, "Helper text")
    type_into(helper, "One")
    desk.study.undo()
    assert isinstance(helper, QLineEdit)
    assert helper.text() == ""
    QTest.keyClicks(helper, "Two")
    assert desk.item()["helper_text"] == "Two"
    desk.study.undo()
    assert desk.item() == WHY
    desk.study.redo()
    assert desk.item()["helper_text"] == "Two"
    assert helper.text() == "Two"


def test_what_was_typed_stays_when_something_else_is_selected(opened: Opened) -> None:
    desk = opened(WHY, BETTER)
    type_into(named(desk, "Helper text"), "Half a wo")
    desk.selection.select(desk.keys[1:])
    type_into(named(desk, "Helper text"), "Another")
    assert desk.item()["helper_text"] == "Half a wo"
    desk.study.undo()
    assert desk.item(1) == BETTER
    assert desk.item()["helper_text"] == "Half a wo"


def test_a_cell_that_is_open_keeps_what_was_typed_when_the_selection_changes(opened: Opened) -> None:
    desk = opened(BETTER, WHY)
    field = cell(entries(desk).table, 0, OptionColumn.LABEL)
    QTest.keyClicks(field, "Answer")
    desk.selection.select(desk.keys[1:])
    QApplication.processEvents()
    assert desk.item()["options"][0]["label"] == "Answer"


def test_what_was_typed_stays_when_the_window_closes(opened: Opened) -> None:
    desk = opened(BETTER)
    QTest.keyClicks(cell(entries(desk).table, 0, OptionColumn.LABEL), "Answer")
    desk.inspector.close()
    assert desk.item()["options"][0] == {"label": "Answer", "value": "answer"}


def test_an_item_may_go_while_it_is_typed_into_and_come_back_whole(opened: Opened) -> None:
    desk = opened(WHY, BETTER)
    helper = named(desk, "Helper text")
    type_into(helper, "One")
    form = desk.inspector.form
    assert form is not None
    desk.study.apply(Remove(tuple(desk.keys[:1])))
    form.set("helper_text", "too late")
    desk.study.undo()
    assert desk.item()["helper_text"] == "One"


def test_an_item_may_go_while_an_option_is_begun(opened: Opened) -> None:
    desk = opened(BETTER, WHY)
    button(desk, "Add option").click()
    desk.study.apply(Remove(tuple(desk.keys[:1])))
    QApplication.processEvents()
    desk.study.undo()
    assert desk.item() == BETTER


def test_undo_may_take_away_the_option_that_is_edited(opened: Opened) -> None:
    desk = opened(BETTER)
    button(desk, "Add option").click()
    table = entries(desk).table
    QTest.keyClicks(table.findChildren(QLineEdit)[-1], "More")
    desk.study.undo()
    QApplication.processEvents()
    assert desk.item() == BETTER
    assert table.model().rowCount() == 3


def test_a_number_that_is_typed_is_one_step(opened: Opened) -> None:
    desk = opened(BETTER)
    limit = desk.inspector.findChild(AnswerLimit)
    assert limit is not None
    limit.spin.setFocus()
    limit.spin.selectAll()
    QTest.keyClicks(limit.spin, "25")
    assert desk.item()["answer_limit"] == 25
    desk.study.undo()
    assert desk.item() == BETTER


def test_a_long_text_has_a_large_editor_that_types_into_the_study(qtbot: QtBot, opened: Opened) -> None:
    desk = opened(WHY)
    field = named(desk, "Question")
    field.setFocus()
    QTest.keyClick(field, Key.Key_Return, CTRL)
    editor = large(qtbot, desk)
    assert nameless(editor) == []
    QTest.keyClicks(editor.area, " And how?")
    assert desk.item()["description"] == "Why? And how?"
    QTest.keyClick(editor.area, Key.Key_Return, CTRL)
    qtbot.waitUntil(field.hasFocus)
    desk.study.undo()
    assert desk.item() == WHY


def test_undo_works_inside_the_large_editor(qtbot: QtBot, opened: Opened) -> None:
    desk = opened(WHY)
    desk.inspector.findChildren(TextField)[0].open_large_editor()
    editor = large(qtbot, desk)
    QTest.keyClicks(editor.area, " And")
    QTest.keyClick(editor.area, Key.Key_Z, CTRL)
    assert desk.item() == WHY
    assert editor.area.toPlainText() == "Why?"
    QTest.keyClick(editor.area, Key.Key_Z, CTRL | SHIFT)
    assert editor.area.toPlainText() == "Why? And"


def test_the_large_editor_ends_with_its_item(qtbot: QtBot, opened: Opened) -> None:
    desk = opened(WHY, BETTER)
    desk.inspector.findChildren(TextField)[0].open_large_editor()
    large(qtbot, desk)
    desk.study.apply(Remove(tuple(desk.keys[:1])))
    qtbot.waitUntil(lambda: not desk.inspector.findChildren(LargeEditor))


def test_an_optional_text_emptied_in_the_large_editor_is_taken_away(qtbot: QtBot, opened: Opened) -> None:
    desk = opened({**WHY, "helper_text": "x"})
    desk.inspector.findChildren(TextField)[1].open_large_editor()
    editor = large(qtbot, desk)
    editor.area.clear()
    assert desk.item() == WHY


def test_rich_text_is_written_large_beside_how_it_will_look(qtbot: QtBot, opened: Opened) -> None:
    desk = opened(RICH)
    rich = desk.inspector.findChild(RichTextEditor)
    assert rich is not None
    rich.open_large_editor()
    editor = large(qtbot, desk)
    assert isinstance(editor, LargeRichText)
    assert nameless(editor) == []
    editor.area.selectAll()
    QTest.keyClick(editor.area, Key.Key_B, CTRL)
    QTest.keyClicks(editor.area, "Now")
    assert desk.item()["content"] == "**Now**"
    assert editor.parts.preview.toPlainText().strip() == "Now"
    assert rich.parts.area.toPlainText() == "**Now**"


@pytest.mark.parametrize("number", range(len(ALL)))
def test_tab_comes_to_every_control_of_a_form_and_shows_where_it_is(opened: Opened, number: int) -> None:
    desk = opened()
    desk.selection.select([desk.keys[number]])
    inside = desk.inspector._scroll.widget()
    assert inside is not None
    wanted = {one for one in inside.findChildren(QWidget) if _is_stop(one)}
    reached: set[QWidget] = set()
    for _time in range(4 * len(wanted) + 20):
        QTest.keyClick(QApplication.focusWidget() or desk.inspector, Key.Key_Tab)
        focused = QApplication.focusWidget()
        if focused is not None:
            reached.add(focused)
    assert {one.accessibleName() or type(one).__name__ for one in wanted - reached} == set()


def _is_stop(one: QWidget) -> bool:
    """Whether Tab stops there; of tiles that belong together only at the one that is chosen."""
    if not one.focusPolicy() & Qt.FocusPolicy.TabFocus or not one.isEnabled() or not one.isVisible():
        return False
    if isinstance(one, QAbstractButton) and one.autoExclusive() and not one.isChecked():
        return False
    return one.focusProxy() is None


def test_several_can_be_moved_doubled_and_removed_together(opened: Opened) -> None:
    desk = opened(WHY, BETTER, FAULTS)
    desk.selection.select(desk.keys[1:])
    assert {"2 items selected", "Multiple choice", "Choice with free text"} <= set(words(desk))
    assert nameless(desk.inspector) == []
    button(desk, "Move up").click()
    assert desk.item(2) == WHY
    button(desk, "Duplicate").click()
    assert len(list(desk.study.layout.walk())) == 5
    button(desk, "Remove").click()
    assert len(list(desk.study.layout.walk())) == 3
    desk.study.undo()
    desk.study.undo()
    desk.study.undo()
    assert [desk.item(number) for number in range(3)] == [WHY, BETTER, FAULTS]


def test_a_text_of_several_lines_is_kept_in_a_field_of_one(opened: Opened) -> None:
    desk = opened({**WHY, "helper_text": "one\ntwo"})
    field = named(desk, "Helper text")
    field.setFocus()
    QTest.keyClick(field, Key.Key_End)
    QTest.keyClicks(field, "!")
    assert desk.item()["helper_text"] == "one\ntwo!"


def test_a_field_of_several_lines_is_left_by_tab(opened: Opened) -> None:
    desk = opened(WHY)
    field = named(desk, "Question")
    assert isinstance(field, QPlainTextEdit)
    field.setFocus()
    QTest.keyClick(field, Key.Key_Tab)
    assert not field.hasFocus()
    assert desk.item() == WHY
