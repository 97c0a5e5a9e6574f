"""Dialogs: keyboard, live warnings, size and scrolling."""

import asyncio

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QCursor, QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.buttons import Button, ButtonKind
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.dialogs.overlays import ModalOverlay
from batchwright.ui.widgets.fields import InputField, labelled, spin_box
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.surfaces import Surface
from batchwright.ui.widgets.text import Label
from tests.ui.conftest import activate_window, until

pytestmark = pytest.mark.gui


def show_dialog(kind: ButtonKind = ButtonKind.PRIMARY) -> Dialog:
    return Dialog("Set up tasks", "One task for each record.", "Create 398 tasks", kind)


@pytest.mark.parametrize(
    ("kind", "key", "answer"),
    [
        (ButtonKind.PRIMARY, Qt.Key.Key_Return, True),
        (ButtonKind.PRIMARY, Qt.Key.Key_Escape, False),
        (ButtonKind.LIVE, Qt.Key.Key_Escape, False),
    ],
)
async def test_a_dialog_is_accepted_and_rejected_by_keyboard(
    qtbot: QtBot,
    surface: Surface,
    kind: ButtonKind,
    key: Qt.Key,
    answer: bool,
) -> None:
    dialog = show_dialog(kind)
    answer_task = asyncio.ensure_future(dialog.ask(surface))
    await until(dialog.isVisible)
    QTest.keyClick(dialog, key)
    assert await answer_task is answer


async def test_enter_presses_the_focused_button(qtbot: QtBot, surface: Surface) -> None:
    pressed: list[str] = []
    dialog, side_button = show_dialog(), Button("Do not save")
    dialog.add_side_button(side_button)
    dialog.cancel_button.clicked.connect(lambda: pressed.append("cancel"))
    answer_task = asyncio.ensure_future(dialog.ask(surface))
    await until(dialog.isVisible)
    assert dialog.focusWidget() is dialog.accept_button
    dialog.cancel_button.setFocus()
    QTest.keyClick(dialog.cancel_button, Qt.Key.Key_Return)
    assert not await answer_task
    assert pressed == ["cancel"]


async def test_enter_does_not_accept_a_live_dialog(qtbot: QtBot, surface: Surface) -> None:
    dialog = show_dialog(ButtonKind.LIVE)
    dialog.add_warning("This reaches the service. It cannot be undone.", is_live=True)
    answer_task = asyncio.ensure_future(dialog.ask(surface))
    await until(dialog.isVisible)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert not answer_task.done()
    dialog.accept_button.click()
    assert await answer_task


async def test_a_dialog_closes_when_its_task_is_cancelled(surface: Surface) -> None:
    dialog = show_dialog()
    answer_task = asyncio.ensure_future(dialog.ask(surface))
    await until(dialog.isVisible)
    answer_task.cancel()
    await asyncio.gather(answer_task, return_exceptions=True)
    assert surface.findChildren(Dialog) == []


async def test_the_task_of_a_dialog_is_cancelled_after_its_window_was_deleted(qtbot: QtBot) -> None:
    dialog, host = show_dialog(), QWidget()

    asking = asyncio.create_task(dialog.ask(host))
    await until(lambda: dialog.isVisibleTo(host))
    delete(host)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking


async def test_tab_stays_inside_a_dialog(qtbot: QtBot, surface: Surface) -> None:
    row(Button("Behind"), parent=surface)

    dialog = show_dialog()
    answer_task = asyncio.ensure_future(dialog.ask(surface))
    await until(dialog.isVisible)
    visited = set()
    for _step in range(4):
        dialog.focusNextPrevChild(True)
        focused = dialog.focusWidget()
        visited.add(focused.text() if isinstance(focused, Button) else "")
    assert visited == {"Cancel", "Create 398 tasks"}
    dialog.reject()
    await answer_task


def test_a_tall_dialog_scrolls_and_keeps_its_buttons_visible(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(700, 420)
    host.show()
    dialog = Dialog("Title", "What is asked.", "Do it")
    fields = [InputField(f"Field {number}", QLineEdit()) for number in range(12)]
    dialog.add(*fields)
    ModalOverlay(host, dialog)
    QApplication.processEvents()
    assert dialog.height() <= 420 - 32
    assert dialog.accept_button.mapTo(host, dialog.accept_button.rect().bottomLeft()).y() < 420
    assert all(field.control.height() >= 30 for field in fields)
    dialog.reveal(fields[-1])
    qtbot.waitUntil(lambda: not fields[-1].visibleRegion().isEmpty())
    dialog.reject()


def test_a_control_that_gets_the_focus_from_a_button_is_scrolled_into_view(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(600, 300)
    host.show()
    activate_window(host)
    dialog = show_dialog()
    fields = [QLineEdit() for _number in range(12)]
    dialog.add(*(InputField("Name", field) for field in fields))
    ModalOverlay(host, dialog)
    qtbot.waitUntil(lambda: fields[0].hasFocus())

    def is_visible(field: QLineEdit) -> bool:
        return field.visibleRegion().boundingRect().height() == field.height()

    assert not is_visible(fields[-1])
    for _stop in (dialog.accept_button, dialog.cancel_button, fields[-1]):
        QTest.keyClick(host.focusWidget(), Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    assert fields[-1].hasFocus()
    qtbot.waitUntil(lambda: is_visible(fields[-1]))
    for _stop in (dialog.cancel_button, dialog.accept_button, fields[0]):
        QTest.keyClick(host.focusWidget(), Qt.Key.Key_Tab)
    assert fields[0].hasFocus()
    qtbot.waitUntil(lambda: is_visible(fields[0]))


def test_tab_leaves_a_number_field_and_an_editable_list(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(700, 420)
    host.show()
    activate_window(host)
    dialog = show_dialog()
    controls = spin_box(1, 10), spin_box(2, 10), QComboBox()
    controls[-1].setEditable(True)
    dialog.add(*(labelled("Value", control) for control in controls))
    ModalOverlay(host, dialog)
    qtbot.waitUntil(controls[0].hasFocus)
    for expected in (*controls[1:], dialog.cancel_button):
        QTest.keyClick(host.focusWidget(), Qt.Key.Key_Tab)
        assert expected.hasFocus()
    for expected in reversed(controls):
        QTest.keyClick(host.focusWidget(), Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
        assert expected.hasFocus()
    dialog.reject()


def test_a_button_covered_by_a_dialog_is_no_longer_hovered(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    button = Button("Encoding", parent=host)
    host.move(QCursor.pos() + QPoint(50, 50))
    host.resize(700, 420)
    host.show()
    QApplication.sendEvent(button, QEnterEvent(QPointF(1, 1), QPointF(1, 1), QPointF(1, 1)))
    assert button.underMouse()
    dialog = Dialog("Title", "What is asked.", "Do it")
    ModalOverlay(host, dialog)
    dialog.reject()
    assert not button.underMouse()


def test_a_dialog_that_just_fits_has_no_scroll_bar(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(1400, 800)
    host.show()
    line = Label("", TextRole.SMALL, wraps=True)
    dialog = Dialog("Title", "What is asked.", "Do it")
    dialog.add(line)
    text = "The dataset that was uploaded is not changed. The new file"
    ModalOverlay(host, dialog)
    for letters in range(30):  # at some of them the line wraps with a scroll bar only
        line.setText(text + " i" * letters)
        QApplication.processEvents()
        scrolled = dialog.findChild(VerticalScrollArea)
        assert scrolled is not None
        assert not scrolled.verticalScrollBar().isVisible()
        assert not line.visibleRegion().isEmpty()
        assert line.visibleRegion().boundingRect() == line.rect()
    dialog.reject()
