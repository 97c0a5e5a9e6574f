"""The editor of rich text: buttons that format, the text as it is written, and how it will look."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.layout.attributes import Attribute
from batchwright.layout.rules.problems import Severity
from batchwright.ui.kit.boxes import column, row
from batchwright.ui.kit.buttons import IconButton
from batchwright.ui.kit.choices import Segments
from batchwright.ui.kit.fields import Field, TextArea
from batchwright.ui.kit.panels import Panel
from batchwright.ui.kit.text import Text
from batchwright.ui.layout.inspector.form import Form, titled
from batchwright.ui.layout.inspector.formatting import Style, Written, converted, formatted
from batchwright.ui.layout.inspector.typed import Typed
from batchwright.ui.layout.shown_rich_text import ShownRichText
from batchwright.ui.theme import Role
from batchwright.words import _

CONTENT, FORMAT = "content", "content_format"

_KEYS: Mapping[Style, tuple[str, Qt.Key]] = {
    Style.BOLD: ("Ctrl+B", Qt.Key.Key_B),
    Style.ITALIC: ("Ctrl+I", Qt.Key.Key_I),
}


def _buttons() -> Mapping[Style, tuple[str, str]]:
    return {
        Style.BOLD: ("text-bolder", _("Bold")),
        Style.ITALIC: ("text-italic", _("Italic")),
        Style.HEADING: ("text-h", _("Heading")),
        Style.BULLETS: ("list-bullets", _("List")),
        Style.NUMBERS: ("list-numbers", _("Numbered list")),
        Style.QUOTE: ("quotes", _("Quote")),
        Style.CODE: ("code", _("Code")),
        Style.LINK: ("link", _("Link")),
    }


class RichTextEditor(QWidget):
    """Content and format of a rich text item."""

    def __init__(self, form: Form, attribute: Attribute) -> None:
        super().__init__()
        self._form = form
        self.area = _Area()
        self.area.setPlaceholderText(_("Write what participants should read"))
        self._typed = Typed(self.area, self._type, form.leave)
        self.area.styled.connect(self.style_chosen)
        self._field = Field(titled(_(attribute.title)), self.area, required=attribute.required)
        self.format = Segments(_("Written as"), [("markdown", _("Markdown"), ""), ("html", _("HTML"), "")])
        self.format.chosen.connect(self._choose_format)
        self.shown = ShownRichText(_("How it will look"))
        sheet = Panel(8)
        column(self.shown, margins=12, parent=sheet)
        looks = Text(_("How it will look"), Role.SMALL_NAME)
        tools = row(gap=0)
        for style, (glyph, name) in _buttons().items():
            button = IconButton(glyph, name, keys=_KEYS[style][0] if style in _KEYS else "")
            button.clicked.connect(lambda _checked=False, style=style: self.style_chosen(style))
            tools.put(button)
        tools.put(None)
        column(row(self.format, None), tools, self._field, looks, sheet, gap=8, parent=self)
        form.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the form as it is now."""
        content, written_as = self._form.text(CONTENT), self._written_as
        self._typed.show_text(content)
        with QSignalBlocker(self.format):
            self.format.choose(written_as)
        self.shown.show_content(content, written_as)
        problem = self._form.problem(CONTENT) or self._form.problem(FORMAT)
        if problem is not None and problem.severity is Severity.ADVICE:
            self._field.show_advice(problem.sentence)
        else:
            self._field.show_error(problem.sentence if problem else "")

    def style_chosen(self, style: Style) -> None:
        """Put the chosen words in a style, or take it from them."""
        cursor = self.area.textCursor()
        before = Written(self.area.toPlainText(), cursor.selectionStart(), cursor.selectionEnd())
        after = formatted(before, style, self._written_as)
        self._form.leave()
        self._form.put(CONTENT, after.text)
        self._typed.show_text(after.text)
        cursor = self.area.textCursor()
        cursor.setPosition(after.start)
        cursor.setPosition(after.end, QTextCursor.MoveMode.KeepAnchor)
        self.area.setTextCursor(cursor)
        self.area.setFocus()

    @property
    def _written_as(self) -> str:
        return "markdown" if self._form.value(FORMAT) == "markdown" else "html"

    def _type(self, text: str) -> None:
        self._form.put(CONTENT, text, typing=CONTENT)

    def _choose_format(self, wanted: str) -> None:
        if wanted == self._written_as:
            return
        content = converted(self._form.text(CONTENT), self._written_as, wanted)
        self._form.put_all({CONTENT: content, FORMAT: wanted})


class _Area(TextArea):
    """The text as it is written; Ctrl with a letter formats."""

    styled = Signal(object)

    def __init__(self) -> None:
        super().__init__(rows=7)

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and _style_of(event) is not None:
            event.accept()
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        style = _style_of(event)
        if style is None:
            super().keyPressEvent(event)
        else:
            self.styled.emit(style)


def _style_of(event: QEvent) -> Style | None:
    if not isinstance(event, QKeyEvent) or event.modifiers() != Qt.KeyboardModifier.ControlModifier:
        return None
    return next((style for style, (_words, key) in _KEYS.items() if event.key() == key), None)
