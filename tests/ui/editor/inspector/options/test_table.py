"""The table of options: editing, moving, pasting, presets and editing as text."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from batchwright.layout.item_types.registry import MultipleChoiceWithFreeText
from batchwright.ui.editor.inspector.options.list import BulkDialog
from batchwright.ui.editor.inspector.options.model import OptionColumn
from batchwright.ui.editor.inspector.presets import option_presets
from batchwright.ui.editor.inspector.value_kinds import ValueKind
from batchwright.ui.widgets.dialogs.overlays import ModalOverlay
from tests.samples.each_type import BETTER, DURATION, INVALID_VALUES
from tests.ui.accessibility import unnamed_controls
from tests.ui.editor.inspector.conftest import InspectorHarness, Opened
from tests.ui.editor.inspector.interaction import button, cell, editor, label_texts, option_list

pytestmark = pytest.mark.gui

LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
ALT, CTRL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier
Key = Qt.Key


def labels(harness: InspectorHarness) -> list[object]:
    return [option["label"] for option in harness.item()["options"]]


def paste(harness: InspectorHarness, text: str) -> None:
    QGuiApplication.clipboard().setText(text)
    table = option_list(harness).table
    open_now = [widget for widget in table.findChildren(QLineEdit) if widget.isVisible()]
    QTest.keyClick(open_now[0] if open_now else table, Key.Key_V, CTRL)


def test_a_choice_with_free_text_shows_a_heading_before_an_option_is_selected(opened: Opened) -> None:
    harness = opened(MultipleChoiceWithFreeText.new_attributes())
    assert "Heading" in label_texts(harness)


def test_options_are_edited_in_place_and_enter_moves_down(opened: Opened) -> None:
    harness = opened(BETTER)
    table = option_list(harness).table
    table.edit_cell(2, OptionColumn.LABEL)
    editor = table.findChild(QLineEdit)
    assert editor is not None
    editor.selectAll()
    QTest.keyClicks(editor, "Equal")
    assert harness.item()["options"][2] == {"label": "Equal", "value": "equal"}
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert len(harness.item()["options"]) == 3
    assert table.currentIndex().row() == 3


def test_typing_into_a_cell_is_one_step(opened: Opened) -> None:
    harness = opened(BETTER)
    table = option_list(harness).table
    table.edit_cell(0, OptionColumn.VALUE)
    editor = table.findChild(QLineEdit)
    assert editor is not None
    editor.selectAll()
    QTest.keyClicks(editor, "first")
    assert harness.item()["options"][0]["value"] == "first"
    harness.study.undo()
    assert harness.item() == BETTER


def test_typing_a_number_keeps_its_type(opened: Opened) -> None:
    harness = opened({**BETTER, "options": [{"label": "One", "value": 1}, {"label": "Yes", "value": True}]})
    table = option_list(harness).table
    table.edit_cell(0, OptionColumn.VALUE)
    editor = table.findChild(QLineEdit)
    assert editor is not None
    editor.selectAll()
    QTest.keyClicks(editor, "1.5")
    values = [option["value"] for option in harness.item()["options"]]
    assert values == [1.5, True]
    assert [type(value) for value in values] == [float, bool]


def test_options_are_moved_by_keyboard(opened: Opened) -> None:
    harness = opened(BETTER)
    table = option_list(harness).table
    table.setCurrentIndex(table.model().index(0, OptionColumn.LABEL))
    QTest.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert [option["label"] for option in harness.item()["options"]] == ["B", "A", "Same"]
    assert table.currentIndex().row() == 1
    QTest.keyClick(table, Qt.Key.Key_Delete)
    assert [option["label"] for option in harness.item()["options"]] == ["B", "Same"]


def test_options_are_moved_by_their_drag_handle(opened: Opened) -> None:
    harness = opened(BETTER)
    table = option_list(harness).table
    port = table.viewport()
    first = table.visualRect(table.model().index(0, OptionColumn.HANDLE)).center()
    below = QPoint(first.x(), table.visualRect(table.model().index(2, OptionColumn.HANDLE)).bottom())
    QTest.mousePress(port, LEFT, PLAIN, first)
    QTest.mouseMove(port, below)
    assert table.drop_row == 3
    QTest.mouseRelease(port, LEFT, PLAIN, below)
    assert [option["label"] for option in harness.item()["options"]] == ["B", "Same", "A"]


def test_escape_cancels_the_drag_of_an_option(opened: Opened) -> None:
    harness = opened(BETTER)
    table = option_list(harness).table
    first = table.visualRect(table.model().index(0, OptionColumn.HANDLE)).center()
    QTest.mousePress(table.viewport(), LEFT, PLAIN, first)
    QTest.mouseMove(table.viewport(), first + QPoint(0, 60))
    QTest.keyClick(table, Qt.Key.Key_Escape)
    QTest.mouseRelease(table.viewport(), LEFT, PLAIN, first + QPoint(0, 60))
    assert harness.item() == BETTER


def test_options_are_pasted_from_a_spreadsheet(opened: Opened) -> None:
    harness = opened(BETTER)
    table = option_list(harness).table
    table.setCurrentIndex(table.model().index(1, OptionColumn.LABEL))
    QGuiApplication.clipboard().setText("Left\tl\nRight\tr\nNone\tn")
    QTest.keyClick(table, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert [option["value"] for option in harness.item()["options"]] == ["a", "l", "r", "n"]


def test_a_preset_fills_the_options_in_one_step(opened: Opened) -> None:
    harness = opened(BETTER)
    option_list(harness).model.apply_preset(option_presets()[1])
    assert [option["value"] for option in harness.item()["options"]] == [1, 2, 3, 4, 5, 6, 7]
    harness.study.undo()
    assert harness.item() == BETTER


def test_an_option_is_removed_and_added_by_the_pointer(opened: Opened) -> None:
    harness = opened(BETTER)
    table = option_list(harness).table
    cross = table.visualRect(table.model().index(1, OptionColumn.REMOVE)).center()
    QTest.mouseClick(table.viewport(), LEFT, PLAIN, cross)
    assert [option["value"] for option in harness.item()["options"]] == ["a", "same"]
    button(harness, "Add option").click()
    QTest.keyClicks(editor(option_list(harness).table), "C")
    assert [option["value"] for option in harness.item()["options"]] == ["a", "same", "c"]


def test_the_value_of_an_option_can_become_a_number(opened: Opened) -> None:
    harness = opened(BETTER)
    option_list(harness).model.set_kind(1, ValueKind.NUMBER)
    assert harness.item()["options"][1]["value"] == 2


def test_alt_with_an_arrow_does_nothing_in_an_empty_list(opened: Opened) -> None:
    harness = opened({**BETTER, "options": []})
    table = option_list(harness).table
    QTest.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(table, Qt.Key.Key_Delete)
    assert harness.item()["options"] == []


def test_a_draft_option_is_not_in_the_layout_until_text_is_typed(opened: Opened) -> None:
    harness = opened(BETTER)
    table = option_list(harness).table
    QTest.keyClick(cell(table, 2, OptionColumn.LABEL), Key.Key_Return)
    assert harness.item() == BETTER
    assert not harness.study.problems
    assert option_list(harness).model.rowCount() == 4
    QTest.keyClick(editor(table), Key.Key_Return)
    assert harness.item() == BETTER
    assert option_list(harness).model.rowCount() == 3
    assert harness.study.history.past == ()


@pytest.mark.parametrize("key", [Key.Key_Escape, Key.Key_Tab, Key.Key_Backtab, Key.Key_Up])
def test_leaving_a_draft_option_discards_it(opened: Opened, key: Qt.Key) -> None:
    harness = opened(BETTER)
    button(harness, "Add option").click()
    QTest.keyClick(editor(option_list(harness).table), key)
    assert harness.item() == BETTER
    assert option_list(harness).model.draft_row == -1


def test_typing_a_new_option_is_one_step(opened: Opened) -> None:
    harness = opened(BETTER)
    button(harness, "Add option").click()
    QTest.keyClicks(editor(option_list(harness).table), "None of them")
    assert harness.item()["options"][3] == {"label": "None of them", "value": "none_of_them"}
    harness.study.undo()
    assert harness.item() == BETTER


def test_several_options_are_added_by_keyboard(opened: Opened) -> None:
    harness = opened({**BETTER, "options": []})
    table = option_list(harness).table
    table.setFocus()
    button(harness, "Add option").click()
    for label in ("One", "Two", "Three"):
        QTest.keyClicks(editor(table), label)
        QTest.keyClick(editor(table), Key.Key_Return)
    QTest.keyClick(editor(table), Key.Key_Escape)
    assert labels(harness) == ["One", "Two", "Three"]


def test_an_option_moves_while_it_is_edited(opened: Opened) -> None:
    harness = opened(BETTER)
    table = option_list(harness).table
    QTest.keyClick(cell(table, 0, OptionColumn.VALUE), Key.Key_Down, ALT)
    assert labels(harness) == ["B", "A", "Same"]
    assert editor(table).text() == "a"
    QTest.keyClick(editor(table), Key.Key_Up, ALT)
    assert harness.item() == BETTER


def test_arrow_keys_move_through_the_cells(opened: Opened) -> None:
    harness = opened(BETTER)
    table = option_list(harness).table
    QTest.keyClick(cell(table, 0, OptionColumn.VALUE), Key.Key_Down)
    assert editor(table).text() == "b"
    QTest.keyClick(editor(table), Key.Key_Up)
    assert editor(table).text() == "a"


@pytest.mark.parametrize("key", [Key.Key_Return, Key.Key_Down, Key.Key_Up, Key.Key_Tab, Key.Key_Backtab])
def test_invalid_options_are_skipped_by_the_arrow_keys(opened: Opened, key: Qt.Key) -> None:
    harness = opened({**BETTER, "options": ["odd", {"label": "A", "value": "a"}, 5]})
    table = option_list(harness).table
    QTest.keyClick(cell(table, 1, OptionColumn.LABEL), key)
    for _time in range(4):
        QTest.keyClick(table, key)
    assert harness.item()["options"] == ["odd", {"label": "A", "value": "a"}, 5]
    empty = opened({**BETTER, "options": []})
    button(empty, "Add option").click()
    QTest.keyClick(editor(option_list(empty).table), key)
    assert empty.item()["options"] == []


def test_a_list_is_pasted_while_a_cell_is_edited(opened: Opened) -> None:
    harness = opened(INVALID_VALUES)
    cell(option_list(harness).table, 1, OptionColumn.LABEL)
    paste(harness, "label\tvalue\theading\nTone\tTRUE\tWhere?\nSize\t3\t\n")
    assert harness.item()["options"] == [
        INVALID_VALUES["options"][0],
        {"label": "Tone", "value": True, "heading": "Where?"},
        {"label": "Size", "value": 3, "heading": ""},
    ]
    harness.study.undo()
    assert harness.item() == INVALID_VALUES


def test_a_single_word_is_pasted_into_the_cell(opened: Opened) -> None:
    harness = opened(BETTER)
    cell(option_list(harness).table, 0, OptionColumn.LABEL).selectAll()
    paste(harness, "Left")
    assert labels(harness) == ["Left", "B", "Same"]


@pytest.mark.parametrize("spelling", ["1.50", "1.505", "10.0", "1e3", "-0.5"])
def test_a_number_is_stored_as_typed(opened: Opened, spelling: str) -> None:
    harness = opened({**BETTER, "options": [{"label": "One", "value": 1}, {"label": "Two", "value": 2}]})
    field = cell(option_list(harness).table, 0, OptionColumn.VALUE)
    field.selectAll()
    QTest.keyClicks(field, spelling)
    assert field.text() == spelling
    assert harness.item()["options"][0]["value"] == float(spelling)


def test_the_type_of_a_value_is_shown_if_its_text_does_not_show_it(opened: Opened) -> None:
    values = [1, "1", True, "true", "good"]
    harness = opened({**BETTER, "options": [{"label": "x", "value": value} for value in values]})
    model = option_list(harness).model
    kinds = [ValueKind.NUMBER, ValueKind.TEXT, ValueKind.BOOLEAN, ValueKind.TEXT, None]
    assert [model.kind(row) for row in range(5)] == kinds
    spoken = [
        model.data(model.index(row, OptionColumn.VALUE), Qt.ItemDataRole.AccessibleTextRole)
        for row in range(5)
    ]
    assert spoken == [
        "Option 1, Value: 1, A number",
        "Option 2, Value: 1, Text",
        "Option 3, Value: true, True or false",
        "Option 4, Value: true, Text",
        "Option 5, Value: good",
    ]


def bulk(qtbot: QtBot, harness: InspectorHarness) -> BulkDialog:
    """Open the dialog with all options as text."""
    option_list(harness).open_bulk_dialog()
    (overlay,) = harness.inspector.findChildren(ModalOverlay)
    assert isinstance(overlay.panel, BulkDialog)
    qtbot.waitUntil(overlay.panel.area.hasFocus)
    return overlay.panel


def test_editing_all_options_as_text_is_one_step(qtbot: QtBot, opened: Opened) -> None:
    harness = opened(INVALID_VALUES)
    dialog = bulk(qtbot, harness)
    assert dialog.area.toPlainText() == "Facts = 1\nNo = true"
    dialog.area.setPlainText('No = true\nFacts wrong = 1\nAs text = "1"\nNew')
    assert dialog.accept_button.text() == "Apply 4 lines"
    assert unnamed_controls(dialog) == []
    QTest.keyClick(dialog.area, Key.Key_Return, CTRL)
    assert harness.item()["options"] == [
        INVALID_VALUES["options"][1],
        {"label": "Facts wrong", "value": 1, "heading": "Which?"},
        {"label": "As text", "value": "1", "heading": ""},
        {"label": "New", "value": "new", "heading": ""},
    ]
    harness.study.undo()
    assert harness.item() == INVALID_VALUES


def test_cancelling_the_bulk_dialog_changes_nothing(qtbot: QtBot, opened: Opened) -> None:
    harness = opened(BETTER)
    dialog = bulk(qtbot, harness)
    dialog.area.setPlainText("Other")
    QTest.keyClick(dialog, Key.Key_Escape)
    assert harness.item() == BETTER


def test_options_with_a_giant_label_stay_as_they_are_in_the_bulk_dialog(qtbot: QtBot, opened: Opened) -> None:
    giant = {**BETTER, "options": [{"label": "x" * 1_000_000, "value": "x"}, {"label": "No", "value": "no"}]}
    harness = opened(giant)
    dialog = bulk(qtbot, harness)
    assert len(dialog.area.toPlainText()) < 20_000
    dialog.accept_button.click()
    assert harness.item() == giant


def test_the_bulk_dialog_cannot_be_accepted_without_lines(qtbot: QtBot, opened: Opened) -> None:
    harness = opened(BETTER)
    dialog = bulk(qtbot, harness)
    dialog.area.setPlainText(" \n")
    assert not dialog.accept_button.isEnabled()
    QTest.keyClick(dialog.area, Key.Key_Return, CTRL)
    assert harness.item() == BETTER


def test_validations_of_units_stay_with_their_lines(qtbot: QtBot, opened: Opened) -> None:
    rule = {"type": "number", "min": 0}
    units = [{**DURATION["unit_options"][0], "validation": rule}, DURATION["unit_options"][1]]
    harness = opened({**DURATION, "unit_options": units})
    dialog = bulk(qtbot, harness)
    dialog.area.setPlainText("hours = h\nmins = min")
    dialog.accept_button.click()
    assert harness.item()["unit_options"] == [units[1], {"label": "mins", "value": "min", "validation": rule}]


def test_a_problem_of_an_option_is_shown_at_its_cell_and_in_its_details(opened: Opened) -> None:
    options = [{"label": "A", "value": "a", "exclusive": "yes", "colour": "red"}, "B"]
    harness = opened({**BETTER, "options": options})
    found = option_list(harness)
    assert found.model.problem(found.model.index(1, OptionColumn.LABEL)) is not None
    found.details.show_row(0)
    found.details._header.setChecked(True)
    assert any("option 1, exclusive" in word for word in label_texts(harness))
    assert '"yes"' in label_texts(harness)
