"""The inspector: the form of each item type shows and edits its attributes, with one undo step per field."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QStyle, QStyleOptionFrame, QWidget
from pytestqt.qtbot import QtBot

from batchwright.base.json_values import Json
from batchwright.layout.editing.edits import Duplicate
from batchwright.layout.item_types.registry import Item, RichText
from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import Project
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.ui.editor.inspector.fields import TextListField
from batchwright.ui.editor.inspector.formatting import TextStyle
from batchwright.ui.editor.inspector.forms import item_rows
from batchwright.ui.editor.inspector.options.list import OptionList
from batchwright.ui.editor.inspector.validation_editor import ValidationEditor
from batchwright.ui.editor.item_types.choice import AnswerLimit
from batchwright.ui.editor.item_types.rich_text import RichTextEditor
from batchwright.ui.theme import Theme
from batchwright.ui.theme.fields import ERROR
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.ui.widgets.toggles import SegmentedControl, Switch
from tests.samples.each_type import ALL, BETTER, FIELD, IMAGE, RICH, UPLOAD, WHY
from tests.ui.accessibility import unnamed_controls
from tests.ui.editor.inspector.conftest import Opened
from tests.ui.editor.inspector.interaction import button, find_named, label_texts, option_list, type_into

pytestmark = pytest.mark.gui

LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.mark.parametrize("number", range(len(ALL)))
def test_every_attribute_of_every_type_has_a_row(opened: Opened, number: int) -> None:
    harness = opened()
    harness.selection.select([harness.keys[number]])
    form = harness.inspector.form
    assert form is not None
    assert isinstance(form.node, Item)
    rows = item_rows(form)
    also = {"content_format"}  # in the editor of the content
    assert len(form.node.known_attributes) <= len(rows) - 1 + len(also) + 2
    assert unnamed_controls(harness.inspector) == []


def test_typing_into_a_field_is_one_step(opened: Opened) -> None:
    harness = opened(WHY)
    field = find_named(harness, "Question")
    type_into(field, "What for?")
    assert harness.item()["description"] == "What for?"
    field.clearFocus()
    assert len(harness.study.history.past) == 1
    harness.study.undo()
    assert harness.item() == WHY
    assert isinstance(field, QPlainTextEdit)
    assert field.toPlainText() == "Why?"


def test_leaving_a_field_starts_another_step(opened: Opened) -> None:
    harness = opened(WHY)
    helper = find_named(harness, "Helper text")
    type_into(helper, "One")
    helper.clearFocus()
    harness.inspector.setFocus()
    type_into(helper, "Two")
    harness.study.undo()
    assert harness.item()["helper_text"] == "One"


def test_an_optional_text_that_is_cleared_is_removed(opened: Opened) -> None:
    harness = opened({**WHY, "helper_text": "x"})
    helper = find_named(harness, "Helper text")
    helper.setFocus()
    QTest.keyClick(helper, Qt.Key.Key_Backspace)
    assert "helper_text" not in harness.item()


def test_a_problem_is_shown_at_its_attribute(opened: Opened) -> None:
    harness = opened({**IMAGE, "url": "http://a.example/b.png"})
    address = find_named(harness, "Address")
    assert "https" in address.accessibleDescription()
    type_into(address, "https://a.example/b.png")
    assert address.accessibleDescription() == "An https address."


def test_an_unlimited_number_of_answers_is_a_switch(opened: Opened) -> None:
    harness = opened(BETTER)
    limit = harness.inspector.findChild(AnswerLimit)
    assert limit is not None
    limit.spin.setValue(2)
    assert harness.item()["answer_limit"] == 2
    limit.any_number.setChecked(True)
    assert harness.item()["answer_limit"] == -1
    assert not limit.spin.isEnabled()


def test_a_switch_stores_only_non_default_values(opened: Opened) -> None:
    harness = opened(BETTER)
    switch = next(
        widget
        for widget in harness.inspector.findChildren(Switch)
        if widget.text() == "Always show as a list"
    )
    switch.setChecked(True)
    assert harness.item()["disable_dropdown"] is True
    switch.setChecked(False)
    assert "disable_dropdown" not in harness.item()


def test_the_validation_of_an_answer_has_a_type_and_bounds(opened: Opened) -> None:
    harness = opened(WHY)
    editor = harness.inspector.findChild(ValidationEditor)
    assert editor is not None
    editor.edited.emit({"type": "number"}, False)
    least = find_named(harness, "Accepted input, from")
    QTest.keyClicks(least, "0.5")
    assert harness.item()["validation"] == {"type": "number", "min": 0.5}


def test_file_upload_limits_are_numbers_with_visible_defaults(opened: Opened) -> None:
    harness = opened(UPLOAD)
    most = find_named(harness, "Most files")
    assert isinstance(most, QLineEdit)
    assert most.placeholderText() == "10"
    QTest.keyClicks(most, "3")
    types = find_named(harness, "Accepted file types")
    QTest.keyClicks(types, ".pdf, .txt")
    assert harness.item()["max_file_count"] == 3
    assert harness.item()["accepted_file_types"] == [".pdf", ".txt"]


def test_accepted_file_types_are_added_from_a_menu(opened: Opened) -> None:
    harness = opened({**UPLOAD, "accepted_file_types": [".pdf", ".md"]})
    row = harness.inspector.findChild(TextListField)
    assert row is not None
    menu = button(harness, "Add").menu()  # type: ignore[attr-defined]  # a push button, as it has a menu
    next(action for action in menu.actions() if "Documents" in action.text()).trigger()
    assert harness.item()["accepted_file_types"] == [".pdf", ".md", ".docx", ".odt", ".txt"]
    harness.study.undo()
    assert harness.item()["accepted_file_types"] == [".pdf", ".md"]


def test_rich_text_is_formatted_and_shown(opened: Opened) -> None:
    harness = opened(RICH)
    editor = harness.inspector.findChild(RichTextEditor)
    assert editor is not None
    editor.controls.area.selectAll()
    editor.controls.apply_style(TextStyle.HEADING)
    assert harness.item()["content"] == "## Read **both**."
    assert editor.controls.preview.toPlainText().strip() == "Read both."
    editor.controls.format.choose("html")
    assert harness.item()["content_format"] == "html"
    assert "<strong>both</strong>" in harness.item()["content"]


def test_line_breaks_of_new_rich_text_are_preserved(opened: Opened) -> None:
    harness = opened(RichText.new_attributes())
    editor = harness.inspector.findChild(RichTextEditor)
    assert editor is not None
    QTest.keyClicks(editor.controls.area, "Dear reader,")
    QTest.keyClick(editor.controls.area, Qt.Key.Key_Return)
    QTest.keyClicks(editor.controls.area, "look closely.")
    for _ in range(2):
        QTest.keyClick(editor.controls.area, Qt.Key.Key_Return)
    mime = QMimeData()
    mime.setText("Thank you\nvery much")
    editor.controls.area.insertFromMimeData(mime)
    assert harness.item()["content_format"] == "markdown"
    shown = editor.controls.preview.toPlainText().replace("\u2028", "\n").split("\n")
    assert [line.strip() for line in shown if line] == [
        "Dear reader,",
        "look closely.",
        "Thank you",
        "very much",
    ]


def test_images_in_rich_text_are_not_fetched(opened: Opened) -> None:
    harness = opened({**RICH, "content": "![x](https://a.example/b.png) ![y](file:///etc/passwd)"})
    editor = harness.inspector.findChild(RichTextEditor)
    assert editor is not None
    assert editor.controls.preview.loadResource(2, "https://a.example/b.png") is None


def test_a_dataset_field_is_chosen_from_the_schema(opened: Opened) -> None:
    harness = opened({**FIELD, "field": "promt"})
    menu = harness.inspector.findChild(FormComboBox)
    assert menu is not None
    assert menu.currentText() == "promt"
    menu.setCurrentIndex(menu.findData("prompt"))
    menu.activated.emit(menu.currentIndex())
    assert harness.item()["field"] == "prompt"


def test_a_field_that_is_chosen_for_a_comparison_gets_a_neutral_label_in_one_step(opened: Opened) -> None:
    harness = opened({**FIELD, "field": ""}, {**FIELD, "field": "answer_2"}, BETTER)
    fields = {"ours": Field(FieldType.TEXT, "Ours"), "answer_2": Field(FieldType.TEXT, "Answer 2")}
    harness.study.set_schema(Schema(strict=False, fields=fields))
    menu = harness.inspector.findChild(FormComboBox)
    assert menu is not None
    menu.setCurrentIndex(menu.findData("ours"))
    menu.activated.emit(menu.currentIndex())
    assert harness.item()["field"] == "ours"
    assert harness.study.schema is not None
    assert [field.label for field in harness.study.schema.fields.values()] == ["Answer A", "Answer B"]
    harness.study.undo()
    assert harness.item()["field"] == ""
    assert [field.label for field in harness.study.schema.fields.values()] == ["Ours", "Answer 2"]


def test_without_a_schema_the_field_name_is_typed(opened: Opened) -> None:
    harness = opened(FIELD)
    harness.study.set_schema(None)
    assert isinstance(find_named(harness, "Dataset field"), QLineEdit)


def test_an_item_of_a_type_from_a_newer_version_is_preserved(opened: Opened) -> None:
    harness = opened({"type": "video_narration", "speed": 2})
    assert any("newer than Batchwright" in word for word in label_texts(harness))


def test_an_item_of_an_unknown_type_is_an_error_and_is_preserved(opened: Opened) -> None:
    harness = opened({"type": "hologram", "speed": 2.0})
    assert any("no item type “hologram”" in word for word in label_texts(harness))
    assert [problem.code for problem in harness.study.problems if problem.rejection] == ["LY32"]
    assert harness.item() == {"type": "hologram", "speed": 2.0}


def test_without_a_selection_the_form_of_the_page_is_shown(opened: Opened) -> None:
    harness = opened(WHY)
    harness.selection.select([])
    QTest.keyClicks(find_named(harness, "Page name"), "Compare both")
    assert harness.study.page_names == {harness.page: "Compare both"}
    harness.inspector.findChildren(SegmentedControl)[0].choose("intro")
    page = harness.study.layout.pages[0]
    assert getattr(page, "attributes", {})["display_position"] == "intro"


def test_the_number_of_selected_items_is_shown(opened: Opened) -> None:
    harness = opened(BETTER, WHY)
    harness.selection.select(harness.keys)
    assert harness.inspector.form is None
    assert "2 items selected" in label_texts(harness)


def test_a_row_can_be_split_from_its_form(opened: Opened) -> None:
    harness = opened(BETTER, WHY)
    row = harness.study.layout.pages[0].children[0]
    harness.selection.select([row.key])
    button(harness, "Split into two columns").click()
    assert len(harness.study.layout.pages[0].children[0].children) == 2
    button(harness, "Merge columns").click()
    assert len(harness.study.layout.pages[0].children[0].children) == 1


def test_the_form_of_a_row_shows_another_row_that_is_selected(opened: Opened) -> None:
    harness = opened(BETTER, WHY)
    (row,) = harness.study.layout.pages[0].children
    harness.selection.select([row.key])
    form = harness.inspector.form
    harness.study.apply(Duplicate((row.key,)))
    button(harness, "Split into two columns").click()
    unsplit = harness.study.layout.pages[0].children[1]
    harness.selection.select([unsplit.key])
    assert harness.inspector.form is form
    assert "1 column." in label_texts(harness)
    assert button(harness, "Split into two columns").isEnabled()
    assert not button(harness, "Merge columns").isEnabled()
    harness.selection.select([row.key])
    assert "2 columns, side by side." in label_texts(harness)
    assert not button(harness, "Split into two columns").isEnabled()


def test_removing_an_item_removes_its_form(opened: Opened) -> None:
    harness = opened(WHY, BETTER)
    harness.inspector._remove()
    assert harness.inspector.form is None
    assert len(list(harness.study.layout.walk())) == 1


def test_a_fix_is_offered_for_a_problem_of_the_whole_item(opened: Opened) -> None:
    harness = opened({**WHY, "order": 3})
    fix = next(widget for widget in harness.inspector.findChildren(Button) if "order" in widget.text())
    fix.click()
    assert harness.item() == WHY


def test_the_first_field_gets_the_focus_on_request(opened: Opened, qtbot: QtBot) -> None:
    harness = opened(WHY)
    harness.inspector.activateWindow()
    harness.selection.request_edit()
    qtbot.waitUntil(lambda: find_named(harness, "Question").hasFocus())


def test_the_form_follows_the_text_size(opened: Opened, theme: Theme) -> None:
    harness = opened(BETTER)
    before = option_list(harness).table.height()
    theme.set_text_size(150)
    assert option_list(harness).table.height() > before
    assert harness.inspector.minimumWidth() == 420


def test_undo_reaches_the_study_from_inside_a_field(opened: Opened, qtbot: QtBot) -> None:
    harness = opened(WHY)
    harness.inspector.addAction(undo := QAction(harness.inspector))
    undo.setShortcut(QKeySequence.StandardKey.Undo)
    undo.triggered.connect(harness.study.undo)
    field = find_named(harness, "Helper text")
    type_into(field, "One")
    qtbot.waitUntil(field.hasFocus)
    QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert harness.item() == WHY


def test_undo_in_the_field_of_the_page_name_restores_the_name(opened: Opened, qtbot: QtBot) -> None:
    harness = opened(WHY)
    harness.inspector.addAction(undo := QAction(harness.inspector))
    undo.setShortcut(QKeySequence.StandardKey.Undo)
    undo.triggered.connect(harness.study.undo)
    harness.selection.select([])
    field = find_named(harness, "Page name")
    type_into(field, "Compare both")
    qtbot.waitUntil(field.hasFocus)
    assert [entry.label for entry in harness.study.history.past] == ["Rename page"]
    QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert harness.study.page_names == {}
    assert isinstance(field, QLineEdit)
    assert field.text() == ""


@pytest.mark.parametrize("number", range(len(ALL)))
def test_every_form_fits_the_narrowest_inspector(opened: Opened, number: int) -> None:
    harness = opened()
    harness.selection.select([harness.keys[number]])
    lists = harness.inspector.findChildren(OptionList)
    for list_ in lists:
        list_.details.show_row(0)
        list_.details._header.setChecked(True)
    inside = harness.inspector.scroll_area.widget()
    assert inside is not None
    assert inside.minimumSizeHint().width() <= 280 - 10


def test_a_hint_is_shown_without_an_error_border(opened: Opened) -> None:
    harness = opened({**WHY, "validation": {"type": "string", "min": 50_000}})
    row = find_named(harness, "Accepted input").parentWidget()
    assert any("50000" in word or "characters" in word for word in label_texts(harness))
    assert row is not None
    assert not find_named(harness, "Accepted input").property(ERROR)


def test_the_mouse_wheel_does_not_change_combo_boxes(opened: Opened) -> None:
    harness = opened(WHY)
    menu = harness.inspector.findChild(FormComboBox)
    assert menu is not None
    before = menu.currentIndex()
    point = menu.rect().center().toPointF()
    none, still = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    wheel_event = QWheelEvent(point, point, QPoint(), QPoint(0, -120), none, PLAIN, still, False)
    QApplication.sendEvent(menu, wheel_event)
    assert not wheel_event.isAccepted()
    assert menu.currentIndex() == before


def test_the_form_of_a_page_follows_the_current_page(opened: Opened) -> None:
    harness = opened(WHY)
    pages: list[Json] = [
        {"rows": [], "id": "one", "colour": "red"},
        {"rows": [], "display_position": "outro"},
        {"rows": [], "id": "three"},
    ]
    harness.study.open(Project("Study", read(pages, random_keys())), None)
    first, second, third = (page.key for page in harness.study.layout.pages)
    harness.selection.show_page(first)
    QTest.keyClicks(find_named(harness, "Page name"), "Begin")
    button(harness, "More").click()
    assert {"one", "colour"} <= set(label_texts(harness))
    harness.selection.show_page(second)
    assert not {"one", "colour"} & set(label_texts(harness))
    assert harness.inspector.findChildren(SegmentedControl)[0].current == "outro"
    QTest.keyClicks(find_named(harness, "Page name"), "End")
    harness.selection.show_page(third)
    assert "three" in label_texts(harness)
    assert harness.study.page_names == {first: "Begin", second: "End"}


def test_examples_in_empty_fields_are_not_cut_off(opened: Opened, qtbot: QtBot) -> None:
    harness = opened()
    harness.inspector.resize(280, 800)  # its width in a window of 1440 pixels
    qtbot.waitUntil(lambda: harness.inspector.width() == 280)
    for key in harness.keys:
        harness.selection.select([key], harness.page)
        assert harness.inspector.form is not None
        qtbot.waitUntil(lambda: all(_shows_example(line) for line in _lines(harness.inspector)))


def _lines(inspector: QWidget) -> list[QLineEdit]:
    return [line for line in inspector.findChildren(QLineEdit) if line.isVisible()]


def _shows_example(line: QLineEdit) -> bool:
    """Whether a field is wide enough for its placeholder."""
    option = QStyleOptionFrame()
    line.initStyleOption(option)
    box = line.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, line)
    return line.fontMetrics().horizontalAdvance(line.placeholderText()) <= box.width()
