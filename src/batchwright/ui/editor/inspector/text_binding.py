"""Binds text fields to the study: every keystroke changes the study, and Undo is that of the study.

While an input method composes, the field keeps its text: Qt would discard what is composed. A change of the
study meanwhile is shown when the composition was cancelled; one that is committed is an edit of its own.

Qt needs seconds to minutes to lay out a paragraph of a million characters. A text with a paragraph longer
than Qt lays out without delay is therefore shown and edited in chunks, wherever a `TextBinding` shows it.
"""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QTimer, Signal
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.core.formatting import number
from batchwright.ui.theme import TextRole
from batchwright.ui.theme.foreign import is_too_long
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.buttons import ButtonSize, IconButton
from batchwright.ui.widgets.text import Label

_CHUNK_CHARACTERS = 4_000
"""Characters of one chunk. It can grow well beyond this while typing before it is divided again."""
_LONGEST_CHUNK = 2 * _CHUNK_CHARACTERS


class ForwardUndoShortcuts(QObject):
    """Event filter that forwards Undo and Redo from a field to the window: typing is a step of the study's
    history.
    """

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Prevent the field from handling the Undo and Redo shortcuts itself."""
        if event.type() is not QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        if not (event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)):
            return False
        event.ignore()
        return True


class TextBinding(QObject):
    """Shows a text in a field; calls `on_typed` with each edited text, and `on_focus_lost`.

    If the text is too long, the field shows one chunk, and typing changes that chunk.
    """

    chunk_changed = Signal()
    """Another chunk is shown, or the chunk was edited."""

    def __init__(
        self,
        control: QLineEdit | QPlainTextEdit,
        on_typed: Callable[[str], None],
        on_focus_lost: Callable[[], None],
    ) -> None:
        super().__init__(control)
        self._control, self._on_typed, self._on_focus_lost = control, on_typed, on_focus_lost
        self._before = self._after = ""
        """The text before and after the chunk that the field shows."""
        self._shown = "", ""
        """The chunk shown last, and its text as read back from the field, which replaces some line endings.
        """
        self._known = self._chunk
        """The text of the field after the last change: Qt reports changes while it is composed, too."""
        self._is_composing = False
        self._delayed: str | None = None
        """The text to show once nothing is composed any more."""
        self._undo = ForwardUndoShortcuts(self)
        control.installEventFilter(self._undo)
        control.installEventFilter(self)
        if isinstance(control, QLineEdit):
            control.textEdited.connect(self._on_edited)
        else:
            control.setUndoRedoEnabled(False)
            control.textChanged.connect(self._on_edited)

    @property
    def text(self) -> str:
        """The whole text, including what was typed."""
        return self.with_chunk(self._chunk)

    def with_chunk(self, chunk: str) -> str:
        """The whole text with the current chunk replaced."""
        return self._before + chunk + self._after

    @property
    def is_chunked(self) -> bool:
        """Whether the field shows only a chunk of the text."""
        return bool(self._before or self._after)

    @property
    def chunk_label(self) -> str:
        """The position of the chunk, such as `Characters 4,001 to 8,000 of 1,000,000`."""
        start = len(self._before)
        end = start + len(self._chunk)
        return _("Characters {first} to {last} of {count}").format(
            first=number(start + 1), last=number(end), count=number(end + len(self._after))
        )

    @property
    def has_previous(self) -> bool:
        """Whether a chunk precedes the current one."""
        return bool(self._before)

    @property
    def has_next(self) -> bool:
        """Whether a chunk follows the current one."""
        return bool(self._after)

    def show_previous(self) -> None:
        """Show the previous chunk."""
        self._on_focus_lost()
        text, end = self.text, len(self._before)
        self._show_chunk(text, _cut(text, max(0, end - _CHUNK_CHARACTERS)), end)

    def show_next(self) -> None:
        """Show the next chunk."""
        self._on_focus_lost()
        text = self.text
        self._show_chunk(text, len(text) - len(self._after), None)

    def show_text(self, text: str) -> None:
        """Show a text. Chunk and cursor are unchanged if the text equals what was typed."""
        self._delayed = text if self._is_composing else None
        if self._is_composing or self.text == text:
            return
        if not is_too_long(text):
            self._show_chunk(text, 0, len(text))
            return
        start, end = len(self._before), len(text) - len(self._after)
        is_same_chunk = text.startswith(self._before) and text.endswith(self._after)
        if is_same_chunk and self.is_chunked and start <= end <= start + _LONGEST_CHUNK:
            self._show_chunk(text, start, end)
        else:
            self._show_chunk(text, 0, None)

    def _show_chunk(self, text: str, start: int, end: int | None) -> None:
        """Show the chunk from `start` to `end`, or of the default length if `end` is None."""
        if end is None:
            end = _cut(text, start + _CHUNK_CHARACTERS)
        chunk = text[start:end]
        self._before, self._after = text[:start], text[end:]
        if chunk != self._chunk and self._shown != (chunk, self._chunk):
            with QSignalBlocker(self._control):
                if isinstance(self._control, QLineEdit):
                    self._control.setText(chunk)
                else:
                    self._control.setPlainText(chunk)
            self._shown = chunk, self._chunk
        self._known = self._chunk
        self.chunk_changed.emit()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Report when the field loses the keyboard focus; notice whether an input method composes."""
        if isinstance(event, QInputMethodEvent):
            self._is_composing = bool(event.preeditString())
            QTimer.singleShot(0, self, self._show_delayed)  # after the field has got a text that is committed
        if event.type() is QEvent.Type.FocusOut:
            self._on_focus_lost()
        return False

    @property
    def _chunk(self) -> str:
        control = self._control
        return control.text() if isinstance(control, QLineEdit) else control.toPlainText()

    def _show_delayed(self) -> None:
        if self._delayed is not None and not self._is_composing:
            self.show_text(self._delayed)

    def _on_edited(self) -> None:
        if self._chunk == self._known:
            return
        self._known, self._delayed = self._chunk, None
        self._on_typed(self.text)
        if self.is_chunked:
            self.chunk_changed.emit()


class ChunkNavigator(QWidget):
    """Buttons for the previous and next chunk of a long text; hidden if the text is shown whole."""

    def __init__(self, binding: TextBinding) -> None:
        super().__init__()
        self._binding = binding
        self._label = Label("", TextRole.CAPTION, "text2", wraps=True)
        self._previous = IconButton("caret-left", _("Previous part"), glyph_size=14, height=ButtonSize.TINY)
        self._next = IconButton("caret-right", _("Next part"), glyph_size=14, height=ButtonSize.TINY)
        self._previous.clicked.connect(binding.show_previous)
        self._next.clicked.connect(binding.show_next)
        layout = row(gap=4, parent=self)
        layout.addWidget(self._label, 1)
        layout.add(self._previous, self._next)
        self.hide()
        binding.chunk_changed.connect(self._refresh)
        if binding.is_chunked:
            self._refresh()

    def _refresh(self) -> None:
        self.setVisible(self._binding.is_chunked)
        self._label.setText(self._binding.chunk_label if self._binding.is_chunked else "")
        self._previous.setEnabled(self._binding.has_previous)
        self._next.setEnabled(self._binding.has_next)


def _cut(text: str, position: int) -> int:
    """The nearest position at which a text can be divided: not inside a two-character line ending."""
    position = min(position, len(text))
    return position - 1 if text[position - 1 : position + 1] == "\r\n" else position
