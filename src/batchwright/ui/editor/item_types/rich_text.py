"""`rich_text` in the editor. Its form has formatting buttons, the source text, and a preview."""

from collections.abc import Callable, Collection, Mapping

from PySide6.QtCore import QEvent, QMimeData, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.base.json_values import JsonObject
from batchwright.layout.attributes import Attribute
from batchwright.layout.item_types.registry import RichText
from batchwright.layout.item_types.rich_text import RichTextBlock
from batchwright.layout.rules.problems import AttributePath
from batchwright.schema.model import Schema
from batchwright.ui.core.web_media import PreviewMedia
from batchwright.ui.editor.inspector.attribute_focus import FocusOutFilter, focus_field
from batchwright.ui.editor.inspector.fix_button import FixHint, show_problem
from batchwright.ui.editor.inspector.form import NodeForm, capitalized
from batchwright.ui.editor.inspector.formatting import (
    TextSelection,
    TextStyle,
    convert_format,
    preserve_line_breaks,
    toggle_style,
)
from batchwright.ui.editor.inspector.large_editor import LargeEditor, expand_button, show_large
from batchwright.ui.editor.inspector.text_binding import ChunkNavigator, TextBinding
from batchwright.ui.editor.item_types.base import CardBody, ItemEditor, hint_label
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import IconButton
from batchwright.ui.widgets.fields import InputField, TextArea
from batchwright.ui.widgets.rich_text_view import RichTextView
from batchwright.ui.widgets.surfaces import Panel
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.toggles import SegmentedControl

CONTENT, FORMAT = "content", "content_format"

_KEYS: Mapping[TextStyle, tuple[str, Qt.Key]] = {
    TextStyle.BOLD: ("Ctrl+B", Qt.Key.Key_B),
    TextStyle.ITALIC: ("Ctrl+I", Qt.Key.Key_I),
}


def _buttons() -> Mapping[TextStyle, tuple[str, str]]:
    return {
        TextStyle.BOLD: ("text-bolder", _("Bold")),
        TextStyle.ITALIC: ("text-italic", _("Italic")),
        TextStyle.HEADING: ("text-h", _("Heading")),
        TextStyle.BULLETS: ("list-bullets", _("List")),
        TextStyle.NUMBERS: ("list-numbers", _("Numbered list")),
        TextStyle.QUOTE: ("quotes", _("Quote")),
        TextStyle.CODE: ("code", _("Code")),
        TextStyle.LINK: ("link", _("Link")),
    }


class RichTextControls(QObject):
    """The widgets that edit the content and the format of a rich text item. Containers arrange them."""

    def __init__(self, form: NodeForm, parent: QObject, role: TextRole = TextRole.BODY) -> None:
        super().__init__(parent)
        self._form = form
        self.area = _Area(lambda: self._format)
        self.area.setPlaceholderText(_("Write what participants should read"))
        self.binding = TextBinding(self.area, self._type, form.end_typing)
        FocusOutFilter(self.area, lambda: form.record_visit(AttributePath(CONTENT)))
        self.area.style_requested.connect(self.apply_style)
        self.format = SegmentedControl(
            _("Format"), [("markdown", _("Markdown"), ""), ("html", _("HTML"), "")]
        )
        self.format.chosen.connect(self._choose_format)
        self.preview = RichTextView(_("Preview"), role)
        self.preview_panel = Panel(8)
        column(self.preview, None, margins=12, parent=self.preview_panel)
        self.tools = QWidget()
        tools = row(gap=0, parent=self.tools)
        for style, (glyph, name) in _buttons().items():
            button = IconButton(glyph, name, keys=_KEYS[style][0] if style in _KEYS else "")
            button.clicked.connect(lambda _checked=False, style=style: self.apply_style(style))
            tools.add(button)
        tools.add(None)
        form.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the current content and format."""
        content, content_format = self._form.text(CONTENT), self._format
        self.binding.show_text(content)
        with QSignalBlocker(self.format):
            if self.has_unknown_format:
                self.format.clear_choice()
            else:
                self.format.choose(content_format)
        self.preview.show_content(content, content_format)

    @property
    def has_unknown_format(self) -> bool:
        """Whether the format is neither Markdown nor HTML."""
        return self._form.value(FORMAT) not in (None, "html", "markdown")

    def apply_style(self, style: TextStyle) -> None:
        """Apply a style to the selected text, or remove it if the text has it already."""
        cursor = self.area.textCursor()
        before = TextSelection(self.area.toPlainText(), cursor.selectionStart(), cursor.selectionEnd())
        after = toggle_style(before, style, self._format)
        self._form.end_typing()
        content = self.binding.with_chunk(after.text)
        self._form.set(CONTENT, content)
        self.binding.show_text(content)
        cursor = self.area.textCursor()
        cursor.setPosition(after.start)
        cursor.setPosition(after.end, QTextCursor.MoveMode.KeepAnchor)
        self.area.setTextCursor(cursor)
        self.area.setFocus()

    @property
    def _format(self) -> str:
        return "markdown" if self._form.value(FORMAT) == "markdown" else "html"

    def _type(self, text: str) -> None:
        self._form.set(CONTENT, text, typing=CONTENT)

    def _choose_format(self, content_format: str) -> None:
        if content_format == (self._form.value(FORMAT) or "html"):
            return
        content = convert_format(self._form.text(CONTENT), self._format, content_format)
        self._form.set_all({CONTENT: content, FORMAT: content_format})


class RichTextEditor(QWidget):
    """The editor as shown in the inspector: its widgets in one column."""

    def __init__(self, form: NodeForm, attribute: Attribute) -> None:
        super().__init__()
        self._form, self._title = form, capitalized(_(attribute.title))
        self.controls = RichTextControls(form, self)
        larger = expand_button(self, self.open_large_editor)
        self._field = InputField(self._title, self.controls.area, required=attribute.required, corner=larger)
        self._format = InputField(_("Format"), self.controls.format)
        self._fix_hint, self._format_fix_hint = FixHint(form), FixHint(form)
        self._field.add_below(self._fix_hint)
        self._field.add_below(ChunkNavigator(self.controls.binding))
        self._format.add_below(self._format_fix_hint)
        preview_label = Label(_("Preview"), TextRole.SMALL_NAME)
        column(
            self._format,
            self.controls.tools,
            self._field,
            preview_label,
            self.controls.preview_panel,
            gap=8,
            parent=self,
        )
        form.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the current content, format and problems."""
        for name, field, fix_hint in (
            (CONTENT, self._field, self._fix_hint),
            (FORMAT, self._format, self._format_fix_hint),
        ):
            problem, value = self._form.problem(name), self._form.value(name)
            show_problem(field, problem)
            is_unseen = name == FORMAT and self.controls.has_unknown_format
            fix_hint.show_problem(problem, value if is_unseen else None)

    @property
    def attribute_names(self) -> Collection[str]:
        """The attributes for content and format."""
        return (CONTENT, FORMAT)

    def focus_attribute(self, path: AttributePath) -> None:
        """Focus the text, or the format buttons if `path` is the format."""
        focus_field(self.controls.format if path.name == FORMAT else self.controls.area)

    def open_large_editor(self) -> None:
        """Open the large editor: source and preview side by side over the window."""
        show_large(self, LargeRichText(self._form, self._title))


class LargeRichText(LargeEditor):
    """The rich text editor with source and preview side by side, as large as the window permits."""

    def __init__(self, form: NodeForm, title: str) -> None:
        self.controls = RichTextControls(form, form, TextRole.PAGE)
        toolbar = row(self.controls.tools, None, self.controls.format)
        super().__init__(
            form,
            title,
            self.controls.area,
            self.controls.binding,
            toolbar=toolbar,
            side_widget=self.controls.preview_panel,
        )
        self.controls.setParent(self)


class _Area(TextArea):
    """The source text. Ctrl with a letter applies a style."""

    style_requested = Signal(object)

    def __init__(self, content_format: Callable[[], str]) -> None:
        super().__init__(rows=7)
        self._written_as = content_format

    @override
    def insertFromMimeData(self, source: QMimeData) -> None:
        """Insert text with markup that preserves its line breaks, which Markdown would otherwise join."""
        if source.hasText():
            self.textCursor().insertText(preserve_line_breaks(source.text(), self._written_as()))
            self.ensureCursorVisible()
        else:
            super().insertFromMimeData(source)

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and _style_of(event) is not None:
            event.accept()
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        style = _style_of(event)
        if style is not None:
            self.style_requested.emit(style)
            return
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._preserve_line_break()
        super().keyPressEvent(event)

    def _preserve_line_break(self) -> None:
        """Add the markup that makes the line break of Enter visible on the page."""
        cursor = self.textCursor()
        line = cursor.block().text()[: cursor.positionInBlock()]
        marked_up = preserve_line_breaks(f"{line}\n.", self._written_as()).partition("\n")[0]
        if marked_up != line and not cursor.hasSelection():
            cursor.insertText(marked_up.removeprefix(line) if marked_up.startswith(line) else "")


def _style_of(event: QEvent) -> TextStyle | None:
    if not isinstance(event, QKeyEvent) or event.modifiers() != Qt.KeyboardModifier.ControlModifier:
        return None
    return next((style for style, (_words, key) in _KEYS.items() if event.key() == key), None)


def _block_widget(block: RichTextBlock, _media: PreviewMedia) -> QWidget:
    view = RichTextView(_("Text"), TextRole.PAGE)
    view.show_content(block.content, block.content_format)
    return view


def _card_body(item: RichText, _schema: Schema | None, _record: JsonObject | None) -> CardBody:
    content = item.text("content")
    if not content.strip():
        return [hint_label(_("Write the text at the right."))]
    shown = RichTextView(_("Rich text"))
    shown.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    shown.show_content(content, item.format)
    return [shown]


EDITOR = ItemEditor(
    RichText,
    glyph="article",
    family="content",
    card_body=_card_body,
    fields={"content": RichTextEditor},
    blocks={RichTextBlock: _block_widget},
)
