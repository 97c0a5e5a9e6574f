"""The navigation rail: a button per stage, with the number of running jobs."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.core.formatting import number
from batchwright.ui.shell.stages import Stage
from batchwright.ui.shell.state import DocumentTitle
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded, draw_text
from batchwright.ui.theme.focus import RING
from batchwright.ui.theme.glyphs import code_points, draw_glyph
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.surfaces import Edge, Separator, Surface

_WIDE, _NARROW = 92, 56
_ENTRY = QSize(76, 56)
_LEAST_HEIGHT = {True: 32, False: 50}
"""Smallest height of a button, by whether the rail is narrow (icons only)."""
_RADIUS = 9


class RailButton(QAbstractButton):
    """Icon above text; the current one has a background and a bar at the window edge."""

    def __init__(self, stage: Stage, parent: QWidget) -> None:
        super().__init__(parent)
        self.stage = stage
        self._count, self._is_narrow = 0, False
        self._disabled_reason = ""
        self.setText(stage.title)
        self.setAccessibleName(stage.title)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setProperty(RING, _RADIUS)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def show_count(self, count: int) -> None:
        """Show the number of running jobs."""
        self._count = count
        self.setAccessibleDescription(_("{count} running").format(count=number(count)) if count else "")
        self.update()

    def set_narrow(self, *, is_narrow: bool) -> None:
        """Hide or show the text; if hidden, it is in the tooltip."""
        self._is_narrow = is_narrow
        self._update_tooltip()
        self.updateGeometry()

    def set_disabled_reason(self, reason: str) -> None:
        """Disable the button with a reason, or enable it if that is empty."""
        self._disabled_reason = reason
        self.setEnabled(not reason)
        self._update_tooltip()

    def _update_tooltip(self) -> None:
        self.setToolTip(self._disabled_reason or (self.stage.title if self._is_narrow else ""))

    @override
    def sizeHint(self) -> QSize:
        px = theme().px
        if self._is_narrow:
            return QSize(px(40), px(_ENTRY.height()))
        text_width = QFontMetrics(theme().font(TextRole.HEAD)).horizontalAdvance(self.text())
        return QSize(max(px(_ENTRY.width()), text_width + px(6)), px(_ENTRY.height()))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(self.sizeHint().width(), theme().px(_LEAST_HEIGHT[self._is_narrow]))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, px, box = QPainter(self), theme().tokens, theme().px, self.rect()
        chosen = self.isChecked()
        if chosen:
            draw_rounded(painter, box, px(_RADIUS), tokens.chosen_tile, tokens.border)
        elif self.underMouse() and self.isEnabled():
            draw_rounded(painter, box, px(_RADIUS), tokens.hover)
        colour = tokens.text if chosen else tokens.text2
        icon_colour = tokens.accent_text if chosen else tokens.text2
        if not self.isEnabled():
            colour = icon_colour = tokens.disabled
        top = (box.height() - px(22)) // 2 if self._is_narrow else px(8)
        square = QRect((box.width() - px(22)) // 2, top, px(22), px(22))
        draw_glyph(painter, self._glyph(), square, icon_colour, px(22))
        if not self._is_narrow:
            font = theme().font(TextRole.HEAD)
            text_box = QRect(0, px(32), box.width(), px(17))
            draw_text(painter, text_box, self.text(), font, colour, Qt.AlignmentFlag.AlignHCenter)
        if self._count:
            self._paint_count(painter, square)

    def _glyph(self) -> str:
        filled = f"{self.stage.glyph}-fill"
        return filled if self.isChecked() and filled in code_points() else self.stage.glyph

    def _paint_count(self, painter: QPainter, square: QRect) -> None:
        tokens, px, font = theme().tokens, theme().px, theme().font(TextRole.COUNTER)
        text = str(self._count) if self._count < 100 else "99+"
        width = max(px(16), QFontMetrics(font).horizontalAdvance(text) + px(8))
        left = min(square.right() - px(4), self.width() - width - 2)
        at = QRectF(left, square.top() - px(4), width, px(16))
        draw_rounded(painter, at.adjusted(-2, -2, 2, 2), px(10), tokens.rail)
        draw_rounded(painter, at, px(8), tokens.accent)
        draw_text(painter, at, text, font, tokens.on_accent, Qt.AlignmentFlag.AlignHCenter)


class NavigationRail(Surface):
    """All stage buttons; the arrow keys move between and select them."""

    chosen = Signal(str)

    def __init__(self, stages: Sequence[Stage], parent: QWidget | None = None) -> None:
        super().__init__("rail", Edge.RIGHT, parent)
        self.setAccessibleName(_("Stages"))
        self._group = QButtonGroup(self)
        self._entries = [RailButton(stage, self) for stage in stages]
        self._is_narrow = False
        self._lines = column(gap=4, margins=(8, 10, 8, 10), parent=self)
        self._add_entries()
        self._group.buttonClicked.connect(self._on_button_clicked)
        theme().on_changed(self._update_geometry)
        self._update_geometry()

    def show_chosen(self, id: str) -> None:
        """Mark the current stage."""
        for button in self._entries:
            if button.stage.id == id:
                button.setChecked(True)
        self.update()

    def show_study(self, document: DocumentTitle | None) -> None:
        """Enable the stages that can be shown with the open study."""
        for button in self._entries:
            button.set_disabled_reason(button.stage.disabled_reason(document))

    def show_jobs(self, count: int) -> None:
        """Show the number of running jobs."""
        for button in self._entries:
            if button.stage.counts_jobs:
                button.show_count(count)

    def set_narrow(self, *, is_narrow: bool) -> None:
        """Show icons only in a narrow window."""
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            self._update_geometry()

    def _add_entries(self) -> None:
        is_apart = False
        for at, button in enumerate(self._entries):
            if button.stage.is_below_separator and not is_apart and at:
                self._lines.add(row(Separator(self), margins=(16, 9, 16, 9)))
            is_apart = button.stage.is_below_separator
            self._group.addButton(button, at)
            self._lines.add(button)
        self._lines.add(None)

    def _update_geometry(self) -> None:
        for button in self._entries:
            button.set_narrow(is_narrow=self._is_narrow)
        px = theme().px
        widest = max((button.sizeHint().width() for button in self._entries), default=0)
        self.setFixedWidth(px(_NARROW) if self._is_narrow else max(px(_WIDE), widest + px(16)))

    def _on_button_clicked(self, button: QAbstractButton) -> None:
        if isinstance(button, RailButton):
            self.chosen.emit(button.stage.id)
            self.update()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
        step = steps.get(Qt.Key(event.key()))
        allowed = [button for button in self._entries if button.isEnabled()]
        at = [number for number, button in enumerate(allowed) if button.hasFocus()]
        if step is None or not at:
            super().keyPressEvent(event)
            return
        button = allowed[(at[0] + step) % len(allowed)]
        button.setFocus(Qt.FocusReason.TabFocusReason)
        button.click()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        px = theme().px
        for button in self._entries:
            if button.isChecked():
                at = button.pos() + QPoint(0, (button.height() - px(24)) // 2)
                bar = QRectF(2, at.y(), 3, px(24))
                draw_rounded(QPainter(self), bar, 1.5, theme().tokens.accent_text)
