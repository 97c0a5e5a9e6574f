"""A simulated user of the window, who finds elements by accessible name and uses mouse and keyboard."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from unittest import mock

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleInterface,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QMouseEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialogButtonBox,
    QFileDialog,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from batchwright.app.window import WindowControllers, program_dependencies
from batchwright.local.paths import Folders
from batchwright.ui.program.application import Application
from batchwright.ui.shell.window import Window
from tests.ui.conftest import focused

_TIMEOUT_S = 60.0
_POLL_INTERVAL_S = 0.01
"""The shortest time between two checks of a condition; more if a check takes more work, so that what is
waited for gets its turn."""
MAX_CHILDREN = 1000
ACCEPT_ROLE = QDialogButtonBox.ButtonRole.AcceptRole
LEFT_BUTTON, NO_MODIFIER = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


class User:
    """A user of one window, with a count of clicks."""

    def __init__(self, program: Application, window: Window, running: "asyncio.Task[None]") -> None:
        self.program = program
        self.window = window
        self.running = running
        """The task that runs the program until it ends."""
        self.clicks = 0

    async def wait_for(self, *texts: str) -> QAccessibleInterface:
        """Wait until an element is visible whose name contains these texts."""
        matches: list[QAccessibleInterface] = []

        def is_reached() -> bool:
            matches[:] = [
                element for element in self._shown() if all(text in name(element) for text in texts)
            ]
            return bool(matches)

        await until(is_reached, " ".join(texts))
        return matches[0]

    async def click(self, text: str) -> None:
        """Press the control with this name as soon as it can be pressed."""
        widget, point = position_of(await self._pressable(text))
        self.clicks += 1
        widget.activateWindow()  # a window manager does so; the offscreen platform has none
        QTest.mouseClick(widget, LEFT_BUTTON, NO_MODIFIER, point)

    async def drag(self, text: str, target: str) -> None:
        """Drag the control with this name to the right edge of another.

        The offscreen platform has no drag and drop: the MIME data of the started drag is delivered by the
        events that a real drag sends.
        """
        source, at = position_of(await self._pressable(text))
        goal, middle = position_of(await self._pressable(target))
        end = QPoint(goal.width() - 12, middle.y())
        under = goal
        while not under.acceptDrops():
            parent = under.parentWidget()
            assert parent is not None, f"nothing accepts drops at {target}"
            end, under = under.mapTo(parent, end), parent
        self.clicks += 1

        def deliver(_source: QWidget, mime: QMimeData) -> None:
            action = Qt.DropAction.CopyAction
            QApplication.sendEvent(under, QDragEnterEvent(end, action, mime, LEFT_BUTTON, NO_MODIFIER))
            QApplication.sendEvent(under, QDragMoveEvent(end, action, mime, LEFT_BUTTON, NO_MODIFIER))
            QApplication.sendEvent(under, QDropEvent(QPointF(end), action, mime, LEFT_BUTTON, NO_MODIFIER))

        with mock.patch("batchwright.ui.editor.start_drag.run_drag", deliver):
            QTest.mousePress(source, LEFT_BUTTON, NO_MODIFIER, at)
            pulled = QPointF(at + QPoint(40, 0))
            away = QPointF(source.mapToGlobal(at + QPoint(40, 0)))
            kind = QEvent.Type.MouseMove
            QApplication.sendEvent(
                source, QMouseEvent(kind, pulled, away, LEFT_BUTTON, LEFT_BUTTON, NO_MODIFIER)
            )
            QTest.mouseRelease(source, LEFT_BUTTON, NO_MODIFIER, at + QPoint(40, 0))

    async def write(self, text: str, field: str = "") -> None:
        """Wait until a field, or the one with this name, has the focus; replace its text."""
        await self.wait_for_field(field)
        await self.press(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(focused(), text)

    async def wait_for_field(self, name: str = "") -> None:
        """Wait until a field, or the one with this name, has the focus."""

        def is_reached() -> bool:
            return self._has_focus() and is_text_field_focused() and name in ("", focused().accessibleName())

        await until(is_reached, f"a field to write in {name}")

    async def choose(self, text: str) -> None:
        """Choose an entry of the open list of a combo box."""
        await until(lambda: QApplication.activePopupWidget() is not None, "a list")
        popup = QApplication.activePopupWidget()
        view = popup.findChild(QAbstractItemView) if popup else None
        assert view is not None
        state = view.model()
        rows = [state.index(number, 0) for number in range(state.rowCount())]
        row = next(row for row in rows if row.data() == text)
        self.clicks += 1
        view.setCurrentIndex(row)
        QTest.keyClick(view, Qt.Key.Key_Return)
        await until(lambda: QApplication.activePopupWidget() is None, "the end of the list")

    async def edit_cell(self, texts: str, text: str) -> None:
        """Replace the text of a table cell, named by row and column."""
        element = await self.wait_for(texts)
        widget, point = position_of(element)
        self.clicks += 1
        QTest.mouseDClick(widget, LEFT_BUTTON, NO_MODIFIER, point)
        await self.write(text)

    async def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = NO_MODIFIER) -> None:
        """Press a key in the focused widget."""
        await until(self._has_focus, "something that has the keyboard")
        QTest.keyClick(focused(), key, modifier)
        await asyncio.sleep(0)

    async def choose_file(self, path: Path) -> None:
        """Enter a path in the file dialog: counts as a click into the name and one to confirm."""
        dialogs: list[QFileDialog] = []

        def is_reached() -> bool:
            dialogs[:] = [dialog for dialog in self.window.findChildren(QFileDialog) if dialog.isVisible()]
            return bool(dialogs)

        await until(is_reached, "a file dialog")
        field = dialogs[0].findChild(QLineEdit, "fileNameEdit")
        assert field is not None
        self.clicks += 2
        QTest.mouseClick(field, LEFT_BUTTON)
        field.selectAll()
        field.insert(str(path))  # as pasted: typed text opens a completion list over the dialog
        box = dialogs[0].findChild(QDialogButtonBox)
        assert box is not None
        confirm = next(button for button in box.buttons() if box.buttonRole(button) == ACCEPT_ROLE)
        asyncio.get_running_loop().call_soon(
            QTest.mouseClick, confirm, LEFT_BUTTON
        )  # Qt may ask in a loop of its own
        try:
            await until(lambda: not any(map(_is_shown, dialogs)), "the end of the file dialog")
        except AssertionError:
            question = QApplication.activeModalWidget()
            if isinstance(question, QMessageBox):
                question.reject()
                raise AssertionError(question.text()) from None
            raise

    async def _pressable(self, text: str) -> QAccessibleInterface:
        """Wait for an enabled control with this name."""
        matches: list[QAccessibleInterface] = []

        def is_reached() -> bool:
            matches[:] = [
                element for element in self._shown() if name(element) == text and is_pressable(element)
            ]
            return bool(matches)

        await until(is_reached, text)
        return matches[0]

    def names(self) -> list[str]:
        """The names of all visible elements."""
        return [name(element) for element in self._shown() if name(element)]

    def _has_focus(self) -> bool:
        if QApplication.activeWindow() is None:
            # The offscreen platform does not activate the previous window.
            (QApplication.activeModalWidget() or self.window).activateWindow()
        return QApplication.focusWidget() is not None

    def _shown(self) -> Iterator[QAccessibleInterface]:
        for widget in QApplication.topLevelWidgets():
            top = QAccessible.queryAccessibleInterface(widget)
            if widget.isVisible() and top is not None:
                yield from below(top)


def _is_shown(dialog: QFileDialog) -> bool:
    try:
        return dialog.isVisible()
    except RuntimeError:
        return False  # Qt has deleted it


def below(interface: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    """Yield a visible interface and its visible descendants, except the cells of large tables."""
    if interface.state().invisible:
        return
    yield interface
    if interface.childCount() > MAX_CHILDREN:
        return
    for number in range(interface.childCount()):
        child = interface.child(number)
        if child is not None:
            yield from below(child)


def name(element: QAccessibleInterface) -> str:
    """The accessible name; of a combo box, Qt on Linux would return its current text instead."""
    widget = element.object()
    if isinstance(widget, QComboBox):
        return widget.accessibleName()
    return element.text(QAccessible.Text.Name)


def is_pressable(element: QAccessibleInterface) -> bool:
    """Whether an element is enabled, and neither static text nor a menu title."""
    if element.state().disabled or element.role() == QAccessible.Role.StaticText:
        return False
    parent = element.parent()
    return parent is None or parent.role() != QAccessible.Role.MenuBar


def position_of(element: QAccessibleInterface) -> tuple[QWidget, QPoint]:
    """The widget of an element, and the centre of the element in the widget."""
    owner = element
    while not isinstance(owner.object(), QWidget):
        owner = owner.parent()
    widget = owner.object()
    assert isinstance(widget, QWidget)
    viewport = getattr(widget, "viewport", None)
    target = viewport() if viewport is not None and owner is not element else widget
    return target, target.mapFromGlobal(element.rect().center())


def is_text_field_focused() -> bool:
    """Whether a text field has the focus."""
    return isinstance(QApplication.focusWidget(), QLineEdit | QPlainTextEdit | QTextEdit)


async def until(condition: Callable[[], bool], what: str) -> None:
    """Wait for a condition; fail with a description of it after the timeout."""
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            started_at = time.thread_time()
            while not condition():
                await asyncio.sleep(max(_POLL_INTERVAL_S, time.thread_time() - started_at))
                started_at = time.thread_time()
    except TimeoutError:
        raise AssertionError(f"Waited in vain for: {what}") from None


@asynccontextmanager
async def run_program(profile: Path, *files: Path) -> AsyncIterator[User]:
    """Run the whole program on a profile, and yield a user of its window."""
    folders = Folders(profile / "data", profile / "cache")
    folders.create()
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    was_active = QAccessible.isActive()
    QAccessible.setActive(True)  # as with a screen reader: otherwise Qt reports rows that have moved
    program = Application(app, program_dependencies(folders, WindowControllers(folders)))
    program.open_first_windows(files)
    window = program.windows[-1]
    running = asyncio.create_task(program.run_until_closed())
    try:
        yield User(program, window, running)
    finally:
        program.ended.emit()
        await running
        QAccessible.setActive(was_active)
