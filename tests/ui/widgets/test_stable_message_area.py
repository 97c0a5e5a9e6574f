"""Errors that come and go below a field move nothing that somebody is about to press (look.md 8)."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QLineEdit, QListWidget, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.fields import InputField

pytestmark = pytest.mark.gui
LONG = "This is not what was asked for, and more than one line says so. Choose something else instead."


class Form:
    """A field above another control, in something that scrolls."""

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
        """Put the pointer on the middle of a control."""
        QCursor.setPos(widget.mapToGlobal(widget.rect().center()))

    def put_below(self, widget: QWidget) -> None:
        """Show something more, below the lower control."""
        self._lines.add(widget)
        widget.show()
        QApplication.processEvents()

    def moved(self, operation: Callable[[], object]) -> int:
        """How far a deed moves the lower control down, once all is laid out."""
        before = self.below.y()
        operation()
        for _time in range(4):
            QApplication.processEvents()
        return self.below.y() - before

    def has_moved_from(self, top: int) -> None:
        """Wait until the lower control is elsewhere."""
        self._qtbot.waitUntil(lambda: self.below.y() != top, timeout=30_000)


@pytest.fixture
def form(qtbot: QtBot) -> Iterator[Form]:
    before = QCursor.pos()
    form = Form(qtbot)
    form.point_at(form.control)
    yield form
    QCursor.setPos(before)


def test_room_is_given_and_taken_back_at_once_while_no_one_is_there(form: Form) -> None:
    form.below.setFocus()
    assert form.moved(lambda: form.field.show_error(LONG)) > 0
    assert form.moved(lambda: form.field.show_error("")) < 0


@pytest.mark.parametrize("was_wrong", [False, True])
def test_what_the_pointer_is_on_stays_there_until_it_leaves(form: Form, was_wrong: bool) -> None:
    form.below.setFocus()
    form.moved(lambda: form.field.show_error(LONG if was_wrong else ""))
    form.point_at(form.below)
    top = form.below.y()
    assert form.moved(lambda: form.field.show_error("" if was_wrong else LONG)) == 0
    form.point_at(form.control)
    form.has_moved_from(top)


def test_a_list_the_pointer_is_on_stays_there(form: Form) -> None:
    rows = QListWidget()
    form.put_below(rows)
    form.below.setFocus()
    form.point_at(rows.viewport())
    assert form.moved(lambda: form.field.show_error(LONG)) == 0


def test_errors_that_come_and_go_with_each_letter_take_room_once(form: Form) -> None:
    form.control.setFocus()
    form.moved(lambda: form.field.show_error(LONG))
    top = form.below.y()
    assert form.moved(lambda: form.field.show_error("")) == 0
    assert form.moved(lambda: form.field.show_error(LONG)) == 0
    form.field.show_error("")
    form.below.setFocus()
    form.has_moved_from(top)


def test_a_form_as_wide_as_its_window_is_wrapped_again_under_the_pointer(form: Form) -> None:
    form.moved(lambda: form.field.show_error(LONG))
    form.point_at(form.below)
    assert form.moved(lambda: form.area.resize(200, 300)) > 0
