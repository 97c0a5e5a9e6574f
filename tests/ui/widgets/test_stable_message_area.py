"""Error messages below a field do not move the controls that the user is about to click."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QLineEdit, QListWidget, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.fields import InputField

pytestmark = pytest.mark.gui
LONG = "This is not a valid value, and the message has more than one line. Choose something else instead."


class Form:
    """A field above another control in a scroll area."""

    def __init__(self, qtbot: QtBot) -> None:
        self._qtbot = qtbot
        self.control, self.below = QLineEdit(), QLineEdit()
        self.field = InputField("Amount", self.control)
        inside = QWidget()
        self._lines = column(self.field, self.below, None, parent=inside)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setWidget(inside)
        self.area.resize(300, 300)
        qtbot.addWidget(self.area)
        self.area.show()
        self.area.activateWindow()
        qtbot.waitUntil(self.area.isActiveWindow)

    def point_at(self, widget: QWidget) -> None:
        """Move the pointer to the middle of a control."""
        QCursor.setPos(widget.mapToGlobal(widget.rect().center()))

    def put_below(self, widget: QWidget) -> None:
        """Add a widget below the lower control."""
        self._lines.add(widget)
        widget.show()
        QApplication.processEvents()

    def moved(self, operation: Callable[[], object]) -> int:
        """How far a function moves the lower control down, in pixels."""
        before = self.below.y()
        operation()
        for _time in range(4):
            QApplication.processEvents()
        return self.below.y() - before

    def has_moved_from(self, top: int) -> None:
        """Wait until the lower control has moved."""
        self._qtbot.waitUntil(lambda: self.below.y() != top, timeout=30_000)


@pytest.fixture
def form(qtbot: QtBot) -> Iterator[Form]:
    before = QCursor.pos()
    form = Form(qtbot)
    form.point_at(form.control)
    yield form
    QCursor.setPos(before)


def test_a_message_adds_and_removes_space_at_once_without_focus_or_pointer(form: Form) -> None:
    form.below.setFocus()
    assert form.moved(lambda: form.field.show_error(LONG)) > 0
    assert form.moved(lambda: form.field.show_error("")) < 0


@pytest.mark.parametrize("had_error", [False, True])
def test_a_control_under_the_pointer_moves_only_after_the_pointer_left(form: Form, had_error: bool) -> None:
    form.below.setFocus()
    form.moved(lambda: form.field.show_error(LONG if had_error else ""))
    form.point_at(form.below)
    top = form.below.y()
    assert form.moved(lambda: form.field.show_error("" if had_error else LONG)) == 0
    form.point_at(form.control)
    form.has_moved_from(top)


def test_a_message_that_is_cut_off_is_shown_in_full_once_the_pointer_rests(form: Form) -> None:
    form.below.setFocus()
    form.point_at(form.below)
    top = form.below.y()
    assert form.moved(lambda: form.field.show_error(LONG)) == 0
    form.has_moved_from(top)


def test_a_list_under_the_pointer_does_not_move(form: Form) -> None:
    rows = QListWidget()
    form.put_below(rows)
    form.below.setFocus()
    form.point_at(rows.viewport())
    assert form.moved(lambda: form.field.show_error(LONG)) == 0


def test_messages_that_appear_and_disappear_while_typing_keep_their_space(form: Form) -> None:
    form.control.setFocus()
    form.moved(lambda: form.field.show_error(LONG))
    top = form.below.y()
    assert form.moved(lambda: form.field.show_error("")) == 0
    assert form.moved(lambda: form.field.show_error(LONG)) == 0
    form.field.show_error("")
    form.below.setFocus()
    form.has_moved_from(top)


def test_a_resized_form_is_laid_out_again_under_the_pointer(form: Form) -> None:
    form.moved(lambda: form.field.show_error(LONG))
    form.point_at(form.below)
    assert form.moved(lambda: form.area.resize(200, 300)) > 0
