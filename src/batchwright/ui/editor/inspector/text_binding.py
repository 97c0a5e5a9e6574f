"""Fields that are typed into: each letter changes the study, and Undo is the study's.

Qt needs seconds to minutes to lay out a paragraph of a million characters. A text with a longer paragraph
than Qt lays out at once is therefore shown and edited in parts, wherever a `TextBinding` shows it.
"""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.core.formatting import number
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.buttons import ButtonSize, IconButton
from batchwright.ui.widgets.text import Label

_MAX_PARAGRAPH = 8_000
_MAX_TEXT = 200_000
"""Characters of one paragraph and of a whole text that Qt lays out in less than 30 ms."""
_CHUNK_CHARACTERS = 4_000
"""Characters of one part, so that something can be typed into it before it is cut again."""


def is_too_long(text: str) -> bool:
    """Whether Qt needs noticeably long to lay out a text."""
    if len(text) <= _MAX_PARAGRAPH:
        return False
    return len(text) > _MAX_TEXT or max(map(len, text.split("\n"))) > _MAX_PARAGRAPH


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
    """Shows a text in a field, and passes on what is typed into it and when it is left.

    Of a text that is too long the field shows one part, and what is typed changes that part.
    """

    chunk_changed = Signal()
    """Another part is shown, or the part was typed into."""

    def __init__(
        self,
        control: QLineEdit | QPlainTextEdit,
        on_typed: Callable[[str], None],
        on_focus_lost: Callable[[], None],
    ) -> None:
        super().__init__(control)
        self._control, self._on_typed, self._leave = control, on_typed, on_focus_lost
        self._before = self._after = ""
        """The text before and after the part that the field shows."""
        self._shown = "", ""
        """The part shown last, and what the field made of it: it replaces some line ends by others."""
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
        """The whole text as it is typed so far."""
        return self.with_chunk(self._part)

    def with_chunk(self, chunk: str) -> str:
        """The whole text with the shown part replaced."""
        return self._before + chunk + self._after

    @property
    def is_chunked(self) -> bool:
        """Whether the field shows a part of the text only."""
        return bool(self._before or self._after)

    @property
    def chunk_label(self) -> str:
        """Which characters of how many are shown: `Characters 4,001 to 8,000 of 1,000,000`."""
        start = len(self._before)
        end = start + len(self._part)
        return _("Characters {first} to {last} of {count}").format(
            first=number(start + 1), last=number(end), count=number(end + len(self._after))
        )

    @property
    def has_previous(self) -> bool:
        """Whether a part comes before the one that is shown."""
        return bool(self._before)

    @property
    def has_next(self) -> bool:
        """Whether a part comes after the one that is shown."""
        return bool(self._after)

    def show_previous(self) -> None:
        """Show the part before."""
        self._leave()
        text, end = self.text, len(self._before)
        self._show_chunk(text, _cut(text, max(0, end - _CHUNK_CHARACTERS)), end)

    def show_next(self) -> None:
        """Show the part after."""
        self._leave()
        text = self.text
        self._show_chunk(text, len(text) - len(self._after), None)

    def show_text(self, text: str) -> None:
        """Show a text; part and cursor stay where they are while the text is only typed into."""
        if self.text == text:
            return
        if not is_too_long(text):
            self._show_chunk(text, 0, len(text))
            return
        start, end = len(self._before), len(text) - len(self._after)
        is_same_chunk = text.startswith(self._before) and text.endswith(self._after)
        if is_same_chunk and self.is_chunked and start <= end <= start + _MAX_PARAGRAPH:
            self._show_chunk(text, start, end)
        else:
            self._show_chunk(text, 0, None)

    def _show_chunk(self, text: str, start: int, end: int | None) -> None:
        """Show a part; with no end given, it has the usual length."""
        if end is None:
            end = _cut(text, start + _CHUNK_CHARACTERS)
        chunk = text[start:end]
        self._before, self._after = text[:start], text[end:]
        if chunk != self._part and self._shown != (chunk, self._part):
            with QSignalBlocker(self._control):
                if isinstance(self._control, QLineEdit):
                    self._control.setText(chunk)
                else:
                    self._control.setPlainText(chunk)
            self._shown = chunk, self._part
        self.chunk_changed.emit()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice when the field loses the keyboard."""
        if event.type() is QEvent.Type.FocusOut:
            self._leave()
        return False

    @property
    def _part(self) -> str:
        control = self._control
        return control.text() if isinstance(control, QLineEdit) else control.toPlainText()

    def _on_edited(self) -> None:
        self._on_typed(self.text)
        if self.is_chunked:
            self.chunk_changed.emit()


class ChunkNavigator(QWidget):
    """Leads through the parts of a text that is too long to be shown at once; hidden for any other."""

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
    """A position at which a text can be cut: not within a line end of two characters."""
    position = min(position, len(text))
    return position - 1 if text[position - 1 : position + 1] == "\r\n" else position
