"""The inspector: each type's form shows and changes what the item says, one undo step a field."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from batchwright.base.json_values import Json
from batchwright.layout.item_types.registry import Item, RichText
from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import Project
from batchwright.ui.editor.inspector.answer_limit import AnswerLimit
from batchwright.ui.editor.inspector.fields import TextListField
from batchwright.ui.editor.inspector.formatting import TextStyle
from batchwright.ui.editor.inspector.forms import item_rows
from batchwright.ui.editor.inspector.options.list import OptionList
from batchwright.ui.editor.inspector.rich_text import RichTextEditor
from batchwright.ui.editor.inspector.validation_editor import ValidationEditor
from batchwright.ui.theme import Theme
from batchwright.ui.theme.fields import ERROR
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.ui.widgets.toggles import SegmentedControl, Switch
from tests.samples.each_type import ALL, BETTER, FIELD, IMAGE, RICH, UPLOAD, WHY
from tests.ui.editor.inspector.conftest import Opened
from tests.ui.editor.inspector.interaction import button, entries, named, type_into, words
from tests.ui.test_accessibility import nameless

pytestmark = pytest.mark.gui

LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.mark.parametrize("number", range(len(ALL)))
def test_every_attribute_of_every_type_has_a_row(opened: Opened, number: int) -> None:
    desk = opened()
    desk.selection.select([desk.keys[number]])
    form = desk.inspector.form
    assert form is not None
    assert isinstance(form.node, Item)
    rows = item_rows(form)
    also = {"content_format"}  # in the editor of the content
    assert len(form.node.known_attributes) <= len(rows) - 1 + len(also) + 2
    assert nameless(desk.inspector) == []


def test_typing_into_a_field_is_one_step(opened: Opened) -> None:
    desk = opened(WHY)
    field = named(desk, "Question")
    type_into(field, "What for?")
    assert desk.item()["description"] == "What for?"
    field.clearFocus()
    assert len(desk.study.history.past) == 1
    desk.study.undo()
    assert desk.item() == WHY
    assert isinstance(field, QPlainTextEdit)
    assert field.toPlainText() == "Why?"


def test_leaving_a_field_begins_another_step(opened: Opened) -> None:
    desk = opened(WHY)
    helper = named(desk, "Helper text")
    type_into(helper, "One")
    helper.clearFocus()
    desk.inspector.setFocus()
    type_into(helper, "Two")
    desk.study.undo()
    assert desk.item()["helper_text"] == "One"


def test_an_optional_text_left_empty_is_taken_away(opened: Opened) -> None:
    desk = opened({**WHY, "helper_text": "x"})
    helper = named(desk, "Helper text")
    helper.setFocus()
    QTest.keyClick(helper, Qt.Key.Key_Backspace)
    assert "helper_text" not in desk.item()


def test_a_problem_stands_at_its_attribute(opened: Opened) -> None:
    desk = opened({**IMAGE, "url": "http://a.example/b.png"})
    address = named(desk, "Address")
    assert "https" in address.accessibleDescription()
    type_into(address, "https://a.example/b.png")
    assert address.accessibleDescription() == "An https address."


def test_any_number_of_answers_is_a_switch(opened: Opened) -> None:
    desk = opened(BETTER)
    limit = desk.inspector.findChild(AnswerLimit)
    assert limit is not None
    limit.spin.setValue(2)
    assert desk.item()["answer_limit"] == 2
    limit.any_number.setChecked(True)
    assert desk.item()["answer_limit"] == -1
    assert not limit.spin.isEnabled()


def test_a_switch_writes_only_what_is_no_default(opened: Opened) -> None:
    desk = opened(BETTER)
    switch = next(one for one in desk.inspector.findChildren(Switch) if "never as menu" in one.text())
    switch.setChecked(True)
    assert desk.item()["disable_dropdown"] is True
    switch.setChecked(False)
    assert "disable_dropdown" not in desk.item()


def test_what_may_be_typed_is_chosen_and_bounded(opened: Opened) -> None:
    desk = opened(WHY)
    editor = desk.inspector.findChild(ValidationEditor)
    assert editor is not None
    editor.edited.emit({"type": "number"}, False)
    least = named(desk, "What may be typed, from")
    QTest.keyClicks(least, "0.5")
    assert desk.item()["validation"] == {"type": "number", "min": 0.5}


def test_numbers_of_an_upload_are_numbers_and_their_defaults_are_shown(opened: Opened) -> None:
    desk = opened(UPLOAD)
    most = named(desk, "Most files")
    assert isinstance(most, QLineEdit)
    assert most.placeholderText() == "10"
    QTest.keyClicks(most, "3")
    types = named(desk, "Accepted file types")
    QTest.keyClicks(types, ".pdf, .txt")
    assert desk.item()["max_file_count"] == 3
    assert desk.item()["accepted_file_types"] == [".pdf", ".txt"]


def test_kinds_of_files_are_added_from_a_menu(opened: Opened) -> None:
    desk = opened({**UPLOAD, "accepted_file_types": [".pdf", ".md"]})
    row = desk.inspector.findChild(TextListField)
    assert row is not None
    menu = button(desk, "Add").menu()  # type: ignore[attr-defined]  # a push button, as it has a menu
    next(action for action in menu.actions() if "Documents" in action.text()).trigger()
    assert desk.item()["accepted_file_types"] == [".pdf", ".md", ".docx", ".odt", ".txt"]
    desk.study.undo()
    assert desk.item()["accepted_file_types"] == [".pdf", ".md"]


def test_rich_text_is_formatted_and_shown(opened: Opened) -> None:
    desk = opened(RICH)
    editor = desk.inspector.findChild(RichTextEditor)
    assert editor is not None
    editor.parts.area.selectAll()
    editor.parts.apply_style(TextStyle.HEADING)
    assert desk.item()["content"] == "## Read **both**."
    assert editor.parts.preview.toPlainText().strip() == "Read both."
    editor.parts.format.choose("html")
    assert desk.item()["content_format"] == "html"
    assert "<strong>both</strong>" in desk.item()["content"]


def test_lines_of_new_rich_text_stay_lines(opened: Opened) -> None:
    desk = opened(RichText.new_attributes())
    editor = desk.inspector.findChild(RichTextEditor)
    assert editor is not None
    QTest.keyClicks(editor.parts.area, "Dear reader,")
    QTest.keyClick(editor.parts.area, Qt.Key.Key_Return)
    QTest.keyClicks(editor.parts.area, "look closely.")
    for _ in range(2):
        QTest.keyClick(editor.parts.area, Qt.Key.Key_Return)
    mime = QMimeData()
    mime.setText("Thank you\nvery much")
    editor.parts.area.insertFromMimeData(mime)
    assert desk.item()["content_format"] == "markdown"
    shown = editor.parts.preview.toPlainText().replace("\u2028", "\n").split("\n")
    assert [line.strip() for line in shown if line] == [
        "Dear reader,",
        "look closely.",
        "Thank you",
        "very much",
    ]


def test_a_picture_in_rich_text_is_never_fetched(opened: Opened) -> None:
    desk = opened({**RICH, "content": "![x](https://a.example/b.png) ![y](file:///etc/passwd)"})
    editor = desk.inspector.findChild(RichTextEditor)
    assert editor is not None
    assert editor.parts.preview.loadResource(2, "https://a.example/b.png") is None


def test_a_dataset_field_is_chosen_from_the_schema(opened: Opened) -> None:
    desk = opened({**FIELD, "field": "promt"})
    menu = desk.inspector.findChild(FormComboBox)
    assert menu is not None
    assert menu.currentText() == "promt"
    menu.setCurrentIndex(menu.findData("prompt"))
    menu.activated.emit(menu.currentIndex())
    assert desk.item()["field"] == "prompt"


def test_without_a_schema_a_field_is_typed(opened: Opened) -> None:
    desk = opened(FIELD)
    desk.study.set_schema(None)
    assert isinstance(named(desk, "Dataset field"), QLineEdit)


def test_an_item_of_a_newer_type_keeps_what_it_says(opened: Opened) -> None:
    desk = opened({"type": "video_narration", "speed": 2})
    assert any("newer than Batchwright" in word for word in words(desk))


def test_an_item_of_an_unknown_type_is_an_error_and_keeps_what_it_says(opened: Opened) -> None:
    desk = opened({"type": "hologram", "speed": 2.0})
    assert any("no item type “hologram”" in word for word in words(desk))
    assert [problem.code for problem in desk.study.problems if problem.rejection] == ["LY32"]
    assert desk.item() == {"type": "hologram", "speed": 2.0}


def test_with_nothing_selected_the_page_is_shown_and_named(opened: Opened) -> None:
    desk = opened(WHY)
    desk.selection.select([])
    QTest.keyClicks(named(desk, "Page name"), "Compare both")
    assert desk.study.page_names == {desk.page: "Compare both"}
    desk.inspector.findChildren(SegmentedControl)[0].choose("intro")
    page = desk.study.layout.pages[0]
    assert getattr(page, "attributes", {})["display_position"] == "intro"


def test_several_selected_are_counted(opened: Opened) -> None:
    desk = opened(BETTER, WHY)
    desk.selection.select(desk.keys)
    assert desk.inspector.form is None
    assert "2 items selected" in words(desk)


def test_a_row_can_be_split_from_its_form(opened: Opened) -> None:
    desk = opened(BETTER, WHY)
    row = desk.study.layout.pages[0].children[0]
    desk.selection.select([row.key])
    button(desk, "Split into two columns").click()
    assert len(desk.study.layout.pages[0].children[0].children) == 2
    button(desk, "Merge columns").click()
    assert len(desk.study.layout.pages[0].children[0].children) == 1


def test_an_item_that_goes_takes_its_form_along(opened: Opened) -> None:
    desk = opened(WHY, BETTER)
    desk.inspector._remove()
    assert desk.inspector.form is None
    assert len(list(desk.study.layout.walk())) == 1


def test_a_fix_is_offered_for_the_item_as_a_whole(opened: Opened) -> None:
    desk = opened({**WHY, "order": 3})
    fix = next(one for one in desk.inspector.findChildren(Button) if "order" in one.text())
    fix.click()
    assert desk.item() == WHY


def test_the_first_field_takes_the_keyboard_when_asked(opened: Opened, qtbot: QtBot) -> None:
    desk = opened(WHY)
    desk.inspector.activateWindow()
    desk.selection.edit()
    qtbot.waitUntil(lambda: named(desk, "Question").hasFocus())


def test_the_form_follows_the_text_size(opened: Opened, theme: Theme) -> None:
    desk = opened(BETTER)
    before = entries(desk).table.height()
    theme.set_text_size(150)
    assert entries(desk).table.height() > before
    assert desk.inspector.minimumWidth() == 420


def test_undo_reaches_the_study_from_inside_a_field(opened: Opened, qtbot: QtBot) -> None:
    desk = opened(WHY)
    desk.inspector.addAction(undo := QAction(desk.inspector))
    undo.setShortcut(QKeySequence.StandardKey.Undo)
    undo.triggered.connect(desk.study.undo)
    field = named(desk, "Helper text")
    type_into(field, "One")
    qtbot.waitUntil(field.hasFocus)
    QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert desk.item() == WHY


@pytest.mark.parametrize("number", range(len(ALL)))
def test_every_form_fits_the_narrowest_inspector(opened: Opened, number: int) -> None:
    desk = opened()
    desk.selection.select([desk.keys[number]])
    lists = desk.inspector.findChildren(OptionList)
    for one in lists:
        one.details.show_row(0)
        one.details._header.setChecked(True)
    inside = desk.inspector._scroll.widget()
    assert inside is not None
    assert inside.minimumSizeHint().width() <= 280 - 10


def test_advice_is_told_without_the_line_of_an_error(opened: Opened) -> None:
    desk = opened({**WHY, "validation": {"type": "string", "min": 50_000}})
    row = named(desk, "What may be typed").parentWidget()
    assert any("50000" in word or "characters" in word for word in words(desk))
    assert row is not None
    assert not named(desk, "What may be typed").property(ERROR)


def test_the_wheel_turns_no_menu_in_the_form(opened: Opened) -> None:
    desk = opened(WHY)
    menu = desk.inspector.findChild(FormComboBox)
    assert menu is not None
    before = menu.currentIndex()
    point = menu.rect().center().toPointF()
    none, still = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    turn = QWheelEvent(point, point, QPoint(), QPoint(0, -120), none, PLAIN, still, False)
    QApplication.sendEvent(menu, turn)
    assert not turn.isAccepted()
    assert menu.currentIndex() == before


def test_the_form_of_a_page_turns_with_the_page(opened: Opened) -> None:
    desk = opened(WHY)
    pages: list[Json] = [
        {"rows": [], "id": "one", "colour": "red"},
        {"rows": [], "display_position": "outro"},
        {"rows": [], "id": "three"},
    ]
    desk.study.open(Project("Study", read(pages, random_keys())), None)
    first, second, third = (page.key for page in desk.study.layout.pages)
    desk.selection.show_page(first)
    QTest.keyClicks(named(desk, "Page name"), "Begin")
    button(desk, "More").click()
    assert {"one", "colour"} <= set(words(desk))
    desk.selection.show_page(second)
    assert not {"one", "colour"} & set(words(desk))
    assert desk.inspector.findChildren(SegmentedControl)[0].current == "outro"
    QTest.keyClicks(named(desk, "Page name"), "End")
    desk.selection.show_page(third)
    assert "three" in words(desk)
    assert desk.study.page_names == {first: "Begin", second: "End"}
