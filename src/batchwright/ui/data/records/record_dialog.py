"""A record in full: its values as in the file or formatted, and what their addresses lead to."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.base.json_values import Json
from batchwright.base.urls import is_https_url
from batchwright.data_files.profiling import as_text, cells
from batchwright.data_files.rows import ParsedRecord
from batchwright.layout.item_types.content_blocks import ImageBlock
from batchwright.schema.model import FieldType
from batchwright.schema.record_validator import RecordError
from batchwright.ui.core.formatting import number
from batchwright.ui.core.sliced_work import SlicedWork
from batchwright.ui.core.web_media import ImageView, PreviewMedia
from batchwright.ui.data.labels import position_text
from batchwright.ui.data.records.records_model import RowsModel
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.accessibility.accessible_interfaces import Accessible, accessible_with
from batchwright.ui.widgets.box_layouts import ScaledBoxLayout, column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize, IconButton, browser_button
from batchwright.ui.widgets.dialogs.dialog import WIDE, Dialog
from batchwright.ui.widgets.fields import InputField, TextArea
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.rich_text_view import RichTextView
from batchwright.ui.widgets.surfaces import Surface
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.text_direction import update_direction
from batchwright.ui.widgets.toggles import SegmentedControl

_RECORD_HEIGHT = 420
_MAX_CHARS = 20_000
"""Characters shown of a value."""
_CHARS_PER_LINE = 70
_MAX_VALUES = 100
"""Values shown of a record."""


class ValueForm(StrEnum):
    """How the values of a record are shown."""

    SOURCE = "source"
    """As in the file."""
    MARKDOWN = "markdown"
    HTML = "html"


@dataclass(frozen=True)
class ShownRecord:
    """A record, why it would be rejected if so, and whether there are others before and after it."""

    entry: ParsedRecord[Json]
    reason: str
    has_previous: bool
    has_next: bool


class RecordDialog(Dialog):
    """Shows every field of a record, read-only, and leads to the records beside it."""

    help_address = "data.md#checks"

    step_requested = Signal(int)
    """The next record (1) or the previous one (-1) is to be shown."""

    def __init__(
        self,
        shown: ShownRecord,
        model: RowsModel,
        media: PreviewMedia,
        form: ValueForm,
        *,
        counts_lines: bool,
    ) -> None:
        super().__init__(
            _("Record"),
            _("All values. Alt+Up and Alt+Down lead to the records beside it."),
            _("Close"),
            width=WIDE,
        )
        self.cancel_button.hide()
        self._shown, self._model, self._media, self._counts_lines = shown, model, media, counts_lines
        self._position = Label("", TextRole.STRONG, tabular=True)
        self._previous = IconButton("caret-up", _("Previous record"), keys="Alt+Up", glyph_size=16)
        self._next = IconButton("caret-down", _("Next record"), keys="Alt+Down", glyph_size=16)
        segments = [
            (str(ValueForm.SOURCE), _("As in the file"), ""),
            (str(ValueForm.MARKDOWN), _("As Markdown"), ""),
            (str(ValueForm.HTML), _("As HTML"), ""),
        ]
        self.form = form
        """How the values are shown."""
        self._form = SegmentedControl(_("Values"), segments)
        self._form.choose(form)
        self._reason = _Reason()
        self._scroll = _Scroll()
        self._values = SlicedWork(self)
        self.add(row(self._previous, self._next, self._position, None, self._form, gap=6))
        self.add(self._reason, self._scroll)
        self.set_shrinking(self._scroll, self._scroll.preferred_height)
        self._previous.clicked.connect(lambda: self.step_requested.emit(-1))
        self._next.clicked.connect(lambda: self.step_requested.emit(1))
        for keys, button in (("Alt+Up", self._previous), ("Alt+Down", self._next)):
            QShortcut(QKeySequence(keys), self).activated.connect(button.click)
        self._form.chosen.connect(self._on_form_chosen)
        self.show_record(shown)

    def show_record(self, shown: ShownRecord) -> None:
        """Show another record."""
        self._shown = shown
        position = position_text(shown.entry.line, counts_lines=self._counts_lines)
        self._position.setText(position)
        self._reason.show_text(shown.reason)
        self.setAccessibleDescription(sanitize_line(f"{position}. {shown.reason}"))
        self._previous.set_disabled_reason("" if shown.has_previous else _("This is the first record"))
        self._next.set_disabled_reason("" if shown.has_next else _("This is the last record"))
        self._show_values()

    @override
    def set_initial_focus(self) -> None:
        """Focus the record, so that the keys scroll it."""
        self._scroll.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_form_chosen(self, id: str) -> None:
        self.form = ValueForm(id)
        self._show_values()

    def _show_values(self) -> None:
        self._values.start(self._created_values())

    def _created_values(self) -> Iterator[None]:
        """Create the values, a step for each, and show them together: Qt lays all out for each one added."""
        inner = Surface("surface", parent=self)
        lines = column(gap=14, margins=(0, 0, 12, 0), parent=inner)
        yield from self._add_values(lines)
        lines.add(None)
        self._scroll.setWidget(inner)

    def _add_values(self, lines: ScaledBoxLayout) -> Iterator[None]:
        content = self._shown.entry.content
        if isinstance(content, RecordError):
            lines.add(_text_value(_("Whole record"), content.reason))
            return
        values = cells(self._model.columns, content)
        for position, (name, value) in enumerate(values[:_MAX_VALUES], 1):
            title = name or _("Cell {number}, without a column").format(number=position)
            text = "" if value is None else as_text(value)
            lines.add(self._value(title, text, self._model.type_of(name)))
            yield
        if len(values) > _MAX_VALUES:
            text = _("The first {shown} of {count} values are shown.")
            text = text.format(shown=number(_MAX_VALUES), count=number(len(values)))
            lines.add(Label(text, TextRole.SMALL, "text2", wraps=True))

    def _value(self, name: str, text: str, type: FieldType | None) -> QWidget:
        """A value; below an address, a button for what it leads to."""
        is_formatted = self.form is not ValueForm.SOURCE and text
        field = _formatted_value(name, text, self.form) if is_formatted else _text_value(name, text)
        if is_https_url(text):
            is_picture = type is FieldType.IMAGE_URL
            field.add_below(
                _Picture(name, text, self._media) if is_picture else _link(name, text, self._media)
            )
        return field


class _Reason(QWidget):
    """Why the record would be rejected; hidden if it would not."""

    def __init__(self) -> None:
        super().__init__()
        self._text = Label("", TextRole.SMALL, wraps=True)
        line = row(gap=8, parent=self)
        line.addWidget(Glyph("x-circle-fill", "err", 16), 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self._text, 1)

    def show_text(self, reason: str) -> None:
        """Show a reason."""
        self._text.setText(reason)
        self.setVisible(bool(reason))


class _Picture(QWidget):
    """Loads the picture of an address when it is asked for, never before."""

    def __init__(self, name: str, address: str, media: PreviewMedia) -> None:
        super().__init__()
        self._block, self._media = ImageBlock(name, address, name), media
        self._show = Button(_("Show the picture"), ButtonKind.LINK, glyph="image", height=ButtonSize.SMALL)
        self._show.setAccessibleName(_("Show the picture of {field}").format(field=sanitize_line(name)))
        self._show.clicked.connect(self._load)
        self._lines = column(row(self._show, None), parent=self)

    def _load(self) -> None:
        had_focus = self._show.hasFocus()
        picture = ImageView(self._block, self._media)
        self._lines.add(picture)
        self._show.hide()
        if had_focus:
            picture.setFocus()


class _AccessibleValues(Accessible):
    """The accessibility interface of the values."""

    role_of_class = QAccessible.Role.Document


@accessible_with(_AccessibleValues)
class _Scroll(QScrollArea):
    """A scroll area as high as its content, up to the maximum for a dialog; scrolls by keys."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(_("Values of the record"))
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)

    def preferred_height(self) -> int:
        """The height in pixels if the window is large enough."""
        return theme().px(_RECORD_HEIGHT)

    @override
    def sizeHint(self) -> QSize:
        return QSize(theme().px(WIDE), self.preferred_height())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(240), theme().px(120))


def _text_value(name: str, text: str) -> InputField:
    shown = text[:_MAX_CHARS].encode("utf-8", "replace").decode()
    rows = sum(1 + len(line) // _CHARS_PER_LINE for line in shown.splitlines()) or 1
    area = _Value(min(rows, 8))
    update_direction(area.document(), shown, area.layoutDirection())
    area.setPlainText(shown)
    area.setPlaceholderText(_("empty"))
    return InputField(name, area)


def _formatted_value(name: str, text: str, form: ValueForm) -> InputField:
    view = RichTextView(name)
    view.show_content(text.encode("utf-8", "replace").decode(), form)
    return InputField(name, view)


def _link(name: str, address: str, media: PreviewMedia) -> QWidget:
    """A button that opens an address in the browser."""
    line, button = QWidget(), browser_button(name)
    button.clicked.connect(lambda: media.open(address))
    row(button, None, parent=line)
    return line


class _Value(TextArea):
    """A value that can be selected and copied; without the frame of an editable field."""

    def __init__(self, rows: int) -> None:
        super().__init__(rows)
        self.setReadOnly(True)
        self.setFrameStyle(QFrame.Shape.NoFrame)
        self.document().setDocumentMargin(0)
