"""Texts are cut before they are laid out."""

from collections.abc import Callable
from functools import partial
from unittest.mock import NonCallableMock

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot
from typing_extensions import override

from batchwright.layout.item_types.registry import FreeText
from batchwright.layout.model import Page
from batchwright.layout.rules.examples import FREE_TEXT, page, with_attributes
from batchwright.layout.serialization import read, sequential_keys
from batchwright.local.projects import StudyKind
from batchwright.ui.content.answer_previews import FieldPreview, OptionPreview
from batchwright.ui.editor.item_types import choice
from batchwright.ui.editor.item_types.base import MAX_CARD_CHARACTERS, question_labels
from batchwright.ui.editor.item_types.choice import CheckTile, RadioTile
from batchwright.ui.editor.pages.thumbnails import ThumbnailRenderer
from batchwright.ui.editor.preview.answer_inputs import answer_area, line_input
from batchwright.ui.editor.preview.state import PreviewState
from batchwright.ui.study.details_dialog import DetailsDialog
from batchwright.ui.theme.foreign import MAX_LAYOUT_CHARACTERS, MAX_LINE_CHARACTERS, sanitize, sanitize_line
from batchwright.ui.widgets.box_layouts import column
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
    assert len(sanitize(LONG)) == MAX_LAYOUT_CHARACTERS + 1
    assert len(sanitize_line(LONG)) == MAX_LINE_CHARACTERS + 1
    assert len(literal(LONG)) <= 400, "a menu is at most as wide as the screen"
    option, field, combo = OptionPreview(LONG), FieldPreview(LONG, is_menu=True), FormComboBox()
    combo.add(LONG, 1)
    for widget in (option, field, combo):
        qtbot.addWidget(widget)
    assert len(option.text()) == len(field.text()) == len(combo.itemText(0)) == MAX_LINE_CHARACTERS + 1


class MeasuredLabel(Label):
    """A label that counts how often its text is laid out for a width."""

    def __init__(self, text: str) -> None:
        self.measured: list[int] = []
        super().__init__(text, wraps=True)

    @override
    def heightForWidth(self, width: int) -> int:
        self.measured.append(width)
        return super().heightForWidth(width)


def test_the_preferred_size_of_a_long_text_is_estimated(qtbot: QtBot) -> None:
    label, short = MeasuredLabel("word " * 1500), Label("word " * 150, wraps=True)
    for widget in (label, short):
        qtbot.addWidget(widget)
    size, least = label.sizeHint(), label.minimumSizeHint()
    assert label.measured == []
    assert size.height() == pytest.approx(label.heightForWidth(size.width()), rel=0.3)
    assert least.width() < size.width() / 4


def test_a_long_text_is_as_high_as_its_width_needs(qtbot: QtBot) -> None:
    label, parent = MeasuredLabel("word " * 1500), QWidget()
    qtbot.addWidget(parent)
    column(label, parent=parent)
    parent.resize(400, parent.heightForWidth(400))
    parent.show()
    assert label.width() == 400
    assert label.height() == QLabel.heightForWidth(label, 400)


@pytest.mark.parametrize("type", [RadioTile, CheckTile])
def test_an_option_in_the_preview_is_measured_once_for_each_width(
    qtbot: QtBot, type: Callable[[str], QAbstractButton], monkeypatch: pytest.MonkeyPatch
) -> None:
    tile = type("word " * 300)
    qtbot.addWidget(tile)
    high = tile.heightForWidth(300)
    monkeypatch.setattr(choice, "QFontMetrics", None)
    assert tile.heightForWidth(300) == high


def test_a_card_lays_out_the_beginning_of_its_texts(qtbot: QtBot) -> None:
    question = FreeText("a", with_attributes(FREE_TEXT, description=LONG, helper_text=LONG))
    labels = [label for label in question_labels(question) if isinstance(label, Label)]
    for label in labels:
        qtbot.addWidget(label)
    assert [len(label.text()) for label in labels] == [MAX_CARD_CHARACTERS] * 2


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
    assert dialog.entered == ("Study", details, "")


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
