"""Input fields with label, hint and error; fields to search and to filter."""

import math
from collections.abc import Mapping

from PySide6.QtCore import QEvent, QRect, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QPalette, QStandardItemModel
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit, QSizePolicy, QSpinBox, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.fields import ERROR, SOFT, line_edit_width
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.theme.glyphs import draw_glyph, icon
from batchwright.ui.widgets.box_layouts import ScaledBoxLayout, column, row
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.stable_message_area import StableMessageArea
from batchwright.ui.widgets.text import Label


class InputField(QWidget):
    """A control with a label above and a hint below; an error replaces the hint."""

    def __init__(
        self,
        label: str,
        control: QWidget,
        *,
        hint: str = "",
        required: bool = False,
        corner: QWidget | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """Create a field; `corner` is placed at the right of the label."""
        super().__init__(parent)
        self.control = control
        self._hint, self._is_locked = hint, False
        name = Label(label, TextRole.SMALL_NAME, wraps=True)
        name.setBuddy(control)
        control.setAccessibleName(sanitize_line(label))
        head = row()
        head.addWidget(name, 1)
        if required:
            head.add(Label(_("required"), TextRole.CAPTION, "text3"))
        if corner is not None:
            head.add(corner)
        self._icon = Glyph("warning-circle-fill", "err", 14, text_role=TextRole.CAPTION)
        self._message = Label(hint, TextRole.CAPTION, "text2", wraps=True)
        self._message.setAlignment(Qt.AlignmentFlag.AlignTop)  # level with the icon if there is more space
        below = row(gap=7)
        below.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        below.addWidget(self._message, 1)
        self._message_area = StableMessageArea(control, below)
        column(column(head, control, gap=5), self._message_area, gap=0, parent=self)
        self.show_error("")

    def add_below(self, widget: QWidget) -> None:
        """Add a widget below the hint."""
        self._message_area.add(widget)

    def show_error(self, message: str) -> None:
        """Show an error; an empty one shows the hint again."""
        self._icon.setVisible(bool(message) or self._is_locked)
        self._icon.show_glyph(*(("warning-circle-fill", "err") if message else ("lock-simple", "text2")))
        self._show_message(message, "err")
        mark_error(self.control, has_error=bool(message))

    def show_advice(self, message: str) -> None:
        """Show a warning."""
        self._icon.setVisible(True)
        self._icon.show_glyph("warning-fill", "warn")
        self._show_message(message, "warn")
        mark_error(self.control, has_error=False)

    def lock(self, reason: str) -> None:
        """Disable the control, and show in place of the hint why it cannot be changed."""
        self._hint, self._is_locked = reason, True
        self.control.setEnabled(False)
        self.show_error("")
        theme().on_changed(self._update_locked_colour)
        self._update_locked_colour()

    def _update_locked_colour(self) -> None:
        """Leave the value readable: unlike that of other disabled fields, it has an effect."""
        palette = self.control.palette()
        palette.setColor(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text, theme().tokens.text2)
        self.control.setPalette(palette)

    def set_hint(self, hint: str) -> None:
        """Set the hint, which is shown while there is no error."""
        if self._message.text() == self._hint:
            self._show_message(hint, "text2")
        self._hint = hint

    def _show_message(self, message: str, tone: str) -> None:
        before, text = self._message.text(), message or self._hint
        self._message.setText(text)
        self._message.set_tone(tone if message and message != self._hint else "text2")
        self._message.setVisible(bool(text))
        if text != before:
            self._message_area.settle()
        self.control.setAccessibleDescription(sanitize(text))


def mark_error(control: QWidget, *, has_error: bool) -> None:
    """Draw the border of a field as an error, or normally."""
    control.setProperty(ERROR, has_error)
    control.update()


class SearchField(QLineEdit):
    """A search field with icon and clear button; Escape clears it."""

    def __init__(self, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty(SOFT, True)
        self.setPlaceholderText(sanitize_line(placeholder))
        self.setAccessibleName(sanitize_line(placeholder))
        self.setTextMargins(theme().px(24), 0, 0, 0)
        self._clear = self.addAction(icon("x"), QLineEdit.ActionPosition.TrailingPosition)
        self._clear.setText(_("Clear"))
        self._clear.setToolTip(_("Clear"))
        self._clear.triggered.connect(self.clear)
        self._clear.setVisible(False)
        self.textChanged.connect(self._on_text_changed)
        theme().on_changed(self._update_margins)

    @override
    def sizeHint(self) -> QSize:
        text, margins = self.fontMetrics().horizontalAdvance(self.placeholderText()), self.textMargins()
        width = line_edit_width(theme(), text + margins.left() + margins.right())
        return super().sizeHint().expandedTo(QSize(width, 0))

    def _on_text_changed(self, text: str) -> None:
        self._clear.setVisible(bool(text))

    def _update_margins(self) -> None:
        self.setTextMargins(theme().px(24), 0, 0, 0)

    def _is_cleared_by(self, event: QKeyEvent) -> bool:
        return event.key() == Qt.Key.Key_Escape and bool(self.text())

    @override
    def event(self, event: QEvent) -> bool:
        """Take Escape before a shortcut of the window while there is something to clear."""
        is_shortcut = event.type() is QEvent.Type.ShortcutOverride
        if is_shortcut and isinstance(event, QKeyEvent) and self._is_cleared_by(event):
            event.accept()
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._is_cleared_by(event):
            self.clear()
            return
        super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        px = theme().px
        box = QRect(px(11), 0, px(16), self.height())
        draw_glyph(QPainter(self), "magnifying-glass", box, theme().tokens.text2, px(16))


class TextArea(QPlainTextEdit):
    """A multi-line field; Tab moves the focus."""

    def __init__(self, rows: int = 3, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = rows
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )  # lines wrap, but the caret may be beyond the edge
        self.setFrameStyle(QPlainTextEdit.Shape.StyledPanel | QPlainTextEdit.Shadow.Plain)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.viewport().setAutoFillBackground(False)
        theme().on_changed(self._update_margin)
        self._update_margin()

    def _update_margin(self) -> None:
        self.document().setDocumentMargin(theme().px(7))

    @override
    def sizeHint(self) -> QSize:
        lines = math.ceil(QFontMetricsF(self.font()).lineSpacing()) * self._rows
        around = 2 * (round(self.document().documentMargin()) + self.frameWidth())
        return QSize(theme().px(200), lines + around + 1)  # one more, as Qt scrolls at exactly this height

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(80), self.sizeHint().height())

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self.updateGeometry()


_FILTER_MAX_WIDTH, _FILTER_MIN_WIDTH = 190, 84
_FILTER_MARGIN = 48
"""The space beside the text of a filter, with its arrow."""
_POPUP_MAX_WIDTH, _POPUP_MARGIN = 520, 24


class FilterCombo(QComboBox):
    """A combo box that filters by one value; its first entry means all values.

    The values are added at once, since there may be many.
    """

    def __init__(self, name: str, everything: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._everything, self._ids = everything, tuple[str, ...]()
        self._note = ""
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.addItem(everything)
        theme().on_changed(self._update_geometry)
        self._update_geometry()

    @property
    def chosen(self) -> str | None:
        """The id of the selected value, which may be empty; None for all."""
        number = self.currentIndex() - 1
        return self._ids[number] if 0 <= number < len(self._ids) else None

    def set_choices(self, choices: Mapping[str, str], chosen: str | None, note: str = "") -> None:
        """Set the values, as texts by id, and a note below them that cannot be selected.

        Emits no signal, since the user has not selected anything.
        """
        with QSignalBlocker(self):
            if (self._ids, self._note) != (ids := tuple(choices), note):
                self._ids, self._note = ids, note
                self.clear()
                texts = (sanitize_line(text) or _("(empty)") for text in choices.values())
                self.addItems([self._everything, *texts])
                if note:
                    self._add_note(note)
            self.setCurrentIndex(ids.index(chosen) + 1 if chosen in choices else 0)

    @override
    def showPopup(self) -> None:
        """Open the list, wide enough for its texts up to a maximum: they may be longer than the field."""
        view, px = self.view(), theme().px
        view.setMinimumWidth(min(view.sizeHintForColumn(0) + px(_POPUP_MARGIN), px(_POPUP_MAX_WIDTH)))
        super().showPopup()

    def _add_note(self, note: str) -> None:
        self.addItem(note)
        model = self.model()
        if isinstance(model, QStandardItemModel):
            model.item(self.count() - 1).setFlags(Qt.ItemFlag.NoItemFlags)

    def _update_geometry(self) -> None:
        px = theme().px
        self.setMinimumWidth(px(_FILTER_MIN_WIDTH))
        full_width = self.fontMetrics().horizontalAdvance(self._everything) + px(_FILTER_MARGIN)
        self.setMaximumWidth(max(px(_FILTER_MAX_WIDTH), full_width))


_SPIN_WIDTH = 110
MAX_SPIN_VALUE = 2**31 - 1
"""The largest number that a number field can contain."""


def spin_box(value: int, most: int, *, least: int = 1, suffix: str = "") -> QSpinBox:
    """A number field from `least` to `most`, with a unit after the number, as wide as `most` needs.

    A larger `value` is shown as `most`.
    """
    spin = QSpinBox()
    spin.setRange(least, most)
    spin.setValue(min(value, most))
    spin.setSuffix(suffix)
    spin.setFixedWidth(max(theme().px(_SPIN_WIDTH), spin.sizeHint().width()))
    return spin


def labelled(text: str, control: QWidget, lock_reason: str = "") -> ScaledBoxLayout:
    """A row with a label and its control; a reason to lock it disables the control, and is shown below."""
    name = Label(text, TextRole.NAME)
    name.setBuddy(control)
    control.setAccessibleName(text)
    if not lock_reason:
        return row(name, None, control)
    control.setEnabled(False)
    control.setAccessibleDescription(sanitize(lock_reason))
    return column(row(name, None, control), lock_note(lock_reason), gap=4)


def lock_note(reason: str) -> ScaledBoxLayout:
    """A line below a control that says why it cannot be changed."""
    note, icon = row(gap=7), Glyph("lock-simple", "text2", 14, text_role=TextRole.CAPTION)
    note.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
    note.addWidget(Label(reason, TextRole.CAPTION, "text2", wraps=True), 1)
    return note
