"""Fields that are typed into: each letter changes the study, and Undo is the study's."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QSignalBlocker
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit
from typing_extensions import override


class ForwardUndoShortcuts(QObject):
    """Lets the window's Undo and Redo reach the study from a field: typing is a step of its history."""

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep a field from taking Undo and Redo for itself."""
        if event.type() is not QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        if not (event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)):
            return False
        event.ignore()
        return True


class TextBinding(QObject):
    """A text field that follows a text and tells what is typed; told of leaving, too."""

    def __init__(
        self, control: QLineEdit | QPlainTextEdit, type: Callable[[str], None], leave: Callable[[], None]
    ) -> None:
        super().__init__(control)
        self._control, self._type, self._leave = control, type, leave
        self._shown = "", ""
        """What was to be shown last, and what the field made of it: some line ends become others there."""
        self._undo = ForwardUndoShortcuts(self)
        control.installEventFilter(self._undo)
        control.installEventFilter(self)
        if isinstance(control, QLineEdit):
            control.textEdited.connect(type)
        else:
            control.setUndoRedoEnabled(False)
            control.textChanged.connect(self._tell)

    @property
    def text(self) -> str:
        """What stands in the field."""
        control = self._control
        return control.text() if isinstance(control, QLineEdit) else control.toPlainText()

    def show_text(self, text: str) -> None:
        """Show a text; the cursor stays where it is when it is shown already."""
        if self.text == text or self._shown == (text, self.text):
            return
        control = self._control
        if isinstance(control, QLineEdit):
            control.setText(text)
        else:
            with QSignalBlocker(control):
                control.setPlainText(text)
        self._shown = text, self.text

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """See when the field is left."""
        if event.type() is QEvent.Type.FocusOut:
            self._leave()
        return False

    def _tell(self) -> None:
        self._type(self.text)
