"""Texts are cut before they are laid out."""

from collections.abc import Callable
from functools import partial
from unittest.mock import NonCallableMock

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from batchwright.layout.model import Page
from batchwright.layout.rules.examples import FREE_TEXT, page, with_attributes
from batchwright.layout.serialization import read, sequential_keys
from batchwright.local.projects import StudyKind
from batchwright.ui.content.answer_previews import FieldPreview, OptionPreview
from batchwright.ui.editor.pages.thumbnails import ThumbnailRenderer
from batchwright.ui.editor.preview.answer_inputs import answer_area, line_input
from batchwright.ui.editor.preview.state import PreviewState
from batchwright.ui.study.details_dialog import DetailsDialog
from batchwright.ui.theme.foreign import MAX_LAYOUT_CHARACTERS, sanitize, sanitize_line
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.fields import InputField, TextArea
from batchwright.ui.widgets.long_texts import fill
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.ui.widgets.rows import geometry
from batchwright.ui.widgets.text import ElidedLabel, Label, literal
from batchwright.wire.batches import TaskDetails

pytestmark = pytest.mark.gui


def test_short_texts_stay_as_they_are() -> None:
    assert sanitize("one\ntwo") == "one\ntwo"


@pytest.mark.parametrize("text", ["x" * 1_000_000, "a\n" * 500_000])
def test_long_texts_and_many_lines_are_cut(qtbot: QtBot, text: str) -> None:
    for label in (Label(text, wraps=True), ElidedLabel(text)):
        qtbot.addWidget(label)
        assert len(label.text()) <= MAX_LAYOUT_CHARACTERS + 1
        assert label.text().endswith("…")
        assert label.text().count("\n") <= 500


def test_a_thumbnail_lays_out_the_beginning_of_a_long_question(qtbot: QtBot) -> None:
    owner = QWidget()
    qtbot.addWidget(owner)
    item = with_attributes(FREE_TEXT, description="word " * 200_000)
    (first,) = read([page(item)], sequential_keys()).pages
    assert isinstance(first, Page)
    renderer = ThumbnailRenderer(owner)
    with qtbot.waitSignal(renderer.thumbnail_created):
        renderer.thumbnail(first, 1.0)
    longest = max(len(label.text()) for label in owner.findChildren(QLabel))
    assert 1000 < longest <= 2 * MAX_LAYOUT_CHARACTERS


LONG = "x" * 1_000_000


def test_every_text_of_files_is_cut_where_it_is_sanitized(qtbot: QtBot) -> None:
    assert len(sanitize(LONG)) == len(sanitize_line(LONG)) == MAX_LAYOUT_CHARACTERS + 1
    assert len(literal(LONG)) <= 400, "a menu is at most as wide as the screen"
    option, field, combo = OptionPreview(LONG), FieldPreview(LONG, is_menu=True), FormComboBox()
    combo.add(LONG, 1)
    for widget in (option, field, combo):
        qtbot.addWidget(widget)
    assert len(option.text()) == len(field.text()) == len(combo.itemText(0)) == MAX_LAYOUT_CHARACTERS + 1


def test_long_values_of_a_change_are_measured_by_their_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = []

    def breakable(text: str) -> str:
        measured.append(len(text))
        return text

    monkeypatch.setattr(geometry, "breakable", breakable)
    assert geometry.text_height(LONG, 300) > 0
    assert measured == [MAX_LAYOUT_CHARACTERS + 1]


@pytest.mark.parametrize("control", [QLineEdit, TextArea])
def test_a_long_text_in_a_dialog_stays_as_it_is_until_it_is_replaced(
    qtbot: QtBot, control: Callable[[], QLineEdit | TextArea]
) -> None:
    field = InputField("Name", control())
    qtbot.addWidget(field)
    edit = field.control
    assert isinstance(edit, QLineEdit | TextArea)
    entered = fill(field, LONG)
    assert edit.isReadOnly()
    assert len(edit.text() if isinstance(edit, QLineEdit) else edit.toPlainText()) < 20_000
    assert entered() == LONG
    (button,) = field.findChildren(Button)
    assert button.text() == "Replace the text"
    assert "1000000 characters" in edit.accessibleDescription()
    button.click()
    assert not edit.isReadOnly()
    assert entered() == ""
    QTest.keyClicks(edit, "New")
    assert entered() == "New"
    assert button.isHidden()


def test_task_details_with_a_long_text_are_accepted_unchanged(qtbot: QtBot) -> None:
    details = TaskDetails(task_name="Task", task_introduction=LONG, task_steps=LONG + "\nend")
    dialog = DetailsDialog("Study", details, StudyKind.BATCH)
    qtbot.addWidget(dialog)
    dialog.accept()
    assert dialog.entered == ("Study", details)


@pytest.mark.parametrize("create", [line_input, partial(answer_area, rows=2)])
def test_a_long_answer_is_shown_by_its_beginning_and_stays_as_it_is(
    qtbot: QtBot, create: Callable[..., QLineEdit | TextArea]
) -> None:
    state = NonCallableMock(spec=PreviewState)
    field = create(state, "q1", LONG, "")
    qtbot.addWidget(field)
    assert field.isReadOnly()
    QTest.keyClicks(field, "more")
    state.set_answer.assert_not_called()
