"""A person at the window: finds things by the name that is read out, and uses mouse and keys alone."""

import asyncio
import os
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
from batchwright.ui.application import Application
from batchwright.ui.shell.window import Window

_PATIENCE = 30.0
_LOOK = 0.01
MOST_CHILDREN = 1000
ACCEPTS = QDialogButtonBox.ButtonRole.AcceptRole
LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


class Person:
    """Someone in front of one window, who counts their clicks."""

    def __init__(self, program: Application, window: Window, living: "asyncio.Task[None]") -> None:
        self.program = program
        self.window = window
        self.living = living
        """Done when the program has ended."""
        self.clicks = 0

    async def sees(self, *words: str) -> QAccessibleInterface:
        """Wait until something is shown whose name holds these words."""
        matches: list[QAccessibleInterface] = []

        def look() -> bool:
            matches[:] = [
                element for element in self._shown() if all(word in name(element) for word in words)
            ]
            return bool(matches)

        await until(look, " ".join(words))
        return matches[0]

    async def click(self, text: str) -> None:
        """Press the control with this name as soon as it can be pressed."""
        widget, point = place(await self._pressable(text))
        self.clicks += 1
        widget.activateWindow()  # a window manager does so; the offscreen platform has none
        QTest.mouseClick(widget, LEFT, PLAIN, point)

    async def drag(self, text: str, beside: str) -> None:
        """Drag the control with this name to the right edge of another, which drops it beside that.

        The platform of the tests has no drags of its own: what the control gives away when it is pulled at
        is brought to the other by the events that a drag sends.
        """
        source, at = place(await self._pressable(text))
        goal, middle = place(await self._pressable(beside))
        end = QPoint(goal.width() - 12, middle.y())
        under = goal
        while not under.acceptDrops():
            parent = under.parentWidget()
            assert parent is not None, f"nothing is taken at {beside}"
            end, under = under.mapTo(parent, end), parent
        self.clicks += 1

        def bring(_source: QWidget, mime: QMimeData) -> None:
            action = Qt.DropAction.CopyAction
            QApplication.sendEvent(under, QDragEnterEvent(end, action, mime, LEFT, PLAIN))
            QApplication.sendEvent(under, QDragMoveEvent(end, action, mime, LEFT, PLAIN))
            QApplication.sendEvent(under, QDropEvent(QPointF(end), action, mime, LEFT, PLAIN))

        with mock.patch("batchwright.ui.editor.dnd.start_drag.run_drag", bring):
            QTest.mousePress(source, LEFT, PLAIN, at)
            pulled = QPointF(at + QPoint(40, 0))
            away = QPointF(source.mapToGlobal(at + QPoint(40, 0)))
            kind = QEvent.Type.MouseMove
            QApplication.sendEvent(source, QMouseEvent(kind, pulled, away, LEFT, LEFT, PLAIN))
            QTest.mouseRelease(source, LEFT, PLAIN, at + QPoint(40, 0))

    async def write(self, text: str, field: str = "") -> None:
        """Write in place of what is in the field that has the keyboard; wait until it is the one named."""
        await self.finds_field(field)
        await self.press(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(focused(), text)

    async def finds_field(self, name: str = "") -> None:
        """Wait until the keyboard is in a field, or in the one of a name."""

        def look() -> bool:
            return self._has_keyboard() and is_writing() and name in ("", focused().accessibleName())

        await until(look, f"a field to write in {name}")

    async def choose(self, text: str) -> None:
        """Take an entry of the list that a combo box has just opened."""
        await until(lambda: QApplication.activePopupWidget() is not None, "a list")
        popup = QApplication.activePopupWidget()
        view = popup.findChild(QAbstractItemView) if popup else None
        assert view is not None
        model = view.model()
        rows = [model.index(number, 0) for number in range(model.rowCount())]
        row = next(row for row in rows if row.data() == text)
        self.clicks += 1
        view.setCurrentIndex(row)
        QTest.keyClick(view, Qt.Key.Key_Return)
        await until(lambda: QApplication.activePopupWidget() is None, "the end of the list")

    async def edit_cell(self, words: str, text: str) -> None:
        """Write into a cell of a table, named by row and column."""
        element = await self.sees(words)
        widget, point = place(element)
        self.clicks += 1
        QTest.mouseDClick(widget, LEFT, PLAIN, point)
        await self.write(text)

    async def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = PLAIN) -> None:
        """Press a key where the keyboard is."""
        await until(self._has_keyboard, "something that has the keyboard")
        QTest.keyClick(focused(), key, modifier)
        await asyncio.sleep(0)

    async def answer_files(self, path: Path) -> None:
        """Name a file in the dialog that asks for one: a click for the name, one to confirm it."""
        dialogs: list[QFileDialog] = []

        def look() -> bool:
            dialogs[:] = [dialog for dialog in self.window.findChildren(QFileDialog) if dialog.isVisible()]
            return bool(dialogs)

        await until(look, "a file dialog")
        field = dialogs[0].findChild(QLineEdit, "fileNameEdit")
        assert field is not None
        self.clicks += 2
        QTest.mouseClick(field, LEFT)
        field.selectAll()
        field.insert(str(path))  # as pasted: what is typed opens a list of proposals over the dialog
        box = dialogs[0].findChild(QDialogButtonBox)
        assert box is not None
        confirm = next(button for button in box.buttons() if box.buttonRole(button) == ACCEPTS)
        asyncio.get_running_loop().call_soon(
            QTest.mouseClick, confirm, LEFT
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
        """Wait for a control with this name that can be pressed."""
        matches: list[QAccessibleInterface] = []

        def look() -> bool:
            matches[:] = [
                element for element in self._shown() if name(element) == text and can_press(element)
            ]
            return bool(matches)

        await until(look, text)
        return matches[0]

    def names(self) -> list[str]:
        """Everything that is shown, by name."""
        return [name(element) for element in self._shown() if name(element)]

    def _has_keyboard(self) -> bool:
        if QApplication.activeWindow() is None:
            # The offscreen platform gives no window back its place.
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
        return False  # it has ended, and is no more


def below(interface: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    """What is shown of an interface and all below it, but the cells of large tables."""
    if interface.state().invisible:
        return
    yield interface
    if interface.childCount() > MOST_CHILDREN:
        return
    for number in range(interface.childCount()):
        child = interface.child(number)
        if child is not None:
            yield from below(child)


def name(element: QAccessibleInterface) -> str:
    """What a screen reader calls a thing; for a combo box Qt tells its choice instead on Linux."""
    widget = element.object()
    if isinstance(widget, QComboBox):
        return widget.accessibleName()
    return element.text(QAccessible.Text.Name)


def can_press(element: QAccessibleInterface) -> bool:
    """Whether it takes part: it is not disabled, and more than words or the title of a menu."""
    if element.state().disabled or element.role() == QAccessible.Role.StaticText:
        return False
    parent = element.parent()
    return parent is None or parent.role() != QAccessible.Role.MenuBar


def place(element: QAccessibleInterface) -> tuple[QWidget, QPoint]:
    """The widget that a thing is part of, and the middle of the thing on it."""
    owner = element
    while not isinstance(owner.object(), QWidget):
        owner = owner.parent()
    widget = owner.object()
    assert isinstance(widget, QWidget)
    viewport = getattr(widget, "viewport", None)
    target = viewport() if viewport is not None and owner is not element else widget
    return target, target.mapFromGlobal(element.rect().center())


def focused() -> QWidget:
    """What has the keyboard."""
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def is_writing() -> bool:
    """Whether the keyboard is in a field."""
    return isinstance(QApplication.focusWidget(), QLineEdit | QPlainTextEdit | QTextEdit)


async def until(condition: Callable[[], bool], what: str) -> None:
    """Wait for a condition, and fail when it does not come."""
    try:
        async with asyncio.timeout(_PATIENCE):
            while not condition():  # noqa: ASYNC110 - Qt state sets no event
                await asyncio.sleep(_LOOK)
    except TimeoutError:
        raise AssertionError(f"Waited in vain for: {what}") from None


@asynccontextmanager
async def person_at(profile: Path, *files: Path) -> AsyncIterator[Person]:
    """The whole program on a profile, and a person in front of its window."""
    folders = Folders(profile / "data", profile / "cache")
    folders.create()
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    QAccessible.setActive(True)  # as with a screen reader: else Qt goes on telling of rows that have moved
    program = Application(app, program_dependencies(folders, WindowControllers(folders)))
    window = program.open_window(files)
    living = asyncio.create_task(program.run_until_closed())
    try:
        yield Person(program, window, living)
    finally:
        program.ended.emit()
        await living
        QAccessible.setActive(False)
