"""Switches, filter chips and segmented controls."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QCheckBox,
    QFrame,
    QRadioButton,
    QSizePolicy,
    QStyleOptionButton,
    QWidget,
)
from typing_extensions import override

from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.check_controls import paint_switch
from batchwright.ui.theme.drawing import draw_rounded, draw_text
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.theme.glyphs import draw_glyph
from batchwright.ui.widgets.box_layouts import ScaledBoxLayout, column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.text import Label


class Switch(QCheckBox):
    """A check box shown as a switch, for settings that apply immediately."""

    @override
    def sizeHint(self) -> QSize:
        px = theme().px
        text_width = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(px(32) + (px(10) + text_width if self.text() else 0), px(24))

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        option, px, painter = QStyleOptionButton(), theme().px, QPainter(self)
        self.initStyleOption(option)
        box = QRect(0, (self.height() - px(18)) // 2, px(32), px(18))
        paint_switch(theme(), option, painter, box)
        tokens = theme().tokens
        text_box = self.rect().adjusted(px(42), 0, 0, 0)
        draw_text(
            painter, text_box, self.text(), self.font(), tokens.text if self.isEnabled() else tokens.disabled
        )


class Chip(Button):
    """A filter button in an exclusive group."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, ButtonKind.QUIET, height=ButtonSize.NOTICE, parent=parent)
        self.setCheckable(True)
        self.setAutoExclusive(True)


_RADIO_TEXT_INDENT = 26
"""The text of a radio button begins at this many pixels."""


def explained_choice(choice: QRadioButton, meaning: str | Label) -> ScaledBoxLayout:
    """A radio button with an explanation below it."""
    label = Label(meaning, TextRole.SMALL, "text2", wraps=True) if isinstance(meaning, str) else meaning
    choice.setAccessibleDescription(label.text())
    below = column(label, margins=(_RADIO_TEXT_INDENT, 0, 0, 0))
    return column(choice, below, gap=3)


class _Segment(Button):
    """A segment of a segmented control."""

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        tokens, px, painter = theme().tokens, theme().px, QPainter(self)
        if self.isChecked():
            draw_rounded(painter, self.rect(), px(5), tokens.chosen_segment, tokens.border)
        colour = tokens.text if self.isChecked() else tokens.text2
        colour = colour if self.isEnabled() else tokens.disabled
        glyph, font = self.property("glyph"), theme().font(TextRole.SMALL_NAME)
        icon_width = px(22) if glyph else 0
        box = self.rect().adjusted(px(12), 0, -px(12), 0)
        excess = box.width() - icon_width - QFontMetrics(font).horizontalAdvance(self.text())
        box.adjust(max(0, excess) // 2, 0, 0, 0)
        if glyph:
            draw_glyph(painter, glyph, QRect(box.x(), box.y(), px(16), box.height()), colour, px(16))
        draw_text(painter, box.adjusted(icon_width, 0, 0, 0), self.text(), font, colour)


_AROUND = 3
"""Space in pixels between the frame of a segmented control and its segments."""


class SegmentedControl(QFrame):
    """A group of segments, one of which is selected; the arrow keys move between them.

    Segments share the width equally where there is more than they need, and are below each other where there
    is less.
    """

    chosen = Signal(str)

    def __init__(
        self, name: str, segments: list[tuple[str, str, str]], parent: QWidget | None = None
    ) -> None:
        """Create a control with an accessible name and (id, text, icon) segments; the first is selected."""
        super().__init__(parent)
        self.setAccessibleName(sanitize_line(name))
        self._group = QButtonGroup(self)
        self._ids = [id for id, _text, _glyph in segments]
        self._box: ScaledBoxLayout = row(gap=0, margins=_AROUND, parent=self)
        for number, (_id, text, glyph) in enumerate(segments):
            button = _Segment(text, glyph=glyph, height=ButtonSize.SMALL)
            button.setCheckable(True)
            button.setAutoExclusive(True)
            button.setAccessibleDescription(sanitize(name))
            button.setSizePolicy(QSizePolicy.Policy.MinimumExpanding, QSizePolicy.Policy.Fixed)
            self._group.addButton(button, number)
            self._box.addWidget(button, 1)
        self.choose(self._ids[0])
        self._group.idToggled.connect(self._on_toggled)

    @override
    def sizeHint(self) -> QSize:
        return QSize(sum(self._widths()), self._height())

    @override
    def minimumSizeHint(self) -> QSize:
        around, *widths = self._widths()
        return QSize(around + max(widths, default=0), self._height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_wide = self.width() >= self.sizeHint().width()
        direction = QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom
        if direction is not self._box.direction():
            self._box.setDirection(direction)
            self.updateGeometry()

    def _widths(self) -> list[int]:
        """The widths of the space around the segments, and of each segment that is shown."""
        shown = (button for button in self._group.buttons() if not button.isHidden())
        return [2 * theme().px(_AROUND), *(button.sizeHint().width() for button in shown)]

    def _height(self) -> int:
        is_row = self._box.direction() is QBoxLayout.Direction.LeftToRight
        lines = 1 if is_row else len(self._widths()) - 1
        return lines * theme().px(int(ButtonSize.SMALL)) + 2 * theme().px(_AROUND)

    @property
    def current(self) -> str:
        """The id of the selected segment; empty if none is."""
        number = self._group.checkedId()
        return self._ids[number] if number >= 0 else ""

    def choose(self, id: str) -> None:
        """Select a segment by its id.

        Raises:
            ValueError: there is no segment with this id.
        """
        self._group.button(self._ids.index(id)).setChecked(True)
        self._update_tab_stop()

    def set_segment_visible(self, id: str, *, is_visible: bool) -> None:
        """Show or hide a segment; a hidden one can still be selected by its id."""
        self._group.button(self._ids.index(id)).setVisible(is_visible)

    def clear_choice(self) -> None:
        """Select no segment, for a value without one."""
        self._group.setExclusive(False)
        for button in self._group.buttons():
            button.setChecked(False)
        self._group.setExclusive(True)
        self._update_tab_stop()

    def _update_tab_stop(self) -> None:
        """Make the selected or first segment the tab stop; Qt does so only after it had the focus."""
        chosen = self._group.checkedButton() or self._group.button(0)
        for button in self._group.buttons():
            is_stop = button is chosen
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if is_stop else Qt.FocusPolicy.ClickFocus)

    def _on_toggled(self, number: int, is_on: bool) -> None:
        if is_on:
            self._update_tab_stop()
            self.chosen.emit(self._ids[number])

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        draw_rounded(QPainter(self), self.rect(), theme().px(7), theme().tokens.hover)
