"""A callout: a note for newcomers below the control that it is about, with a tail that points at it.

It has a place of its own in the layout, so that it covers nothing, and never takes the keyboard.
"""

from PySide6.QtCore import QPoint, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QPainter, QPaintEvent, QPen, QPolygonF, QShowEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded
from batchwright.ui.widgets.box_layouts import Margins, column, row
from batchwright.ui.widgets.buttons import IconButton
from batchwright.ui.widgets.text import Label

_RADIUS, _TAIL, _WIDTH = 10, 8, 460
"""The radius of the corners, the height of the tail, and the greatest width, in pixels at 100 %."""


class Callout(QWidget):
    """A title, a text and a button that closes it for good; hidden until it is shown.

    Args:
        title: what to do.
        text: why, in a sentence or two.
        close_name: the name of the button, for screen readers.
        target: the control above it that the tail points at.
        margins: around it, the tail included.
        is_trailing: whether it stands at the end of a wide line, and not at its beginning.
    """

    shown = Signal()
    """It is visible for the first time."""

    def __init__(
        self,
        title: str,
        text: str,
        close_name: str,
        target: QWidget,
        *,
        margins: Margins = 0,
        is_trailing: bool = False,
    ) -> None:
        super().__init__()
        self._target, self._was_shown, self._is_dismissed = target, False, False
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        self._note = QWidget()
        close = IconButton("x", close_name, glyph_size=14)
        close.clicked.connect(self.dismiss)
        texts = column(
            Label(title, TextRole.STRONG, wraps=True), Label(text, TextRole.SMALL, wraps=True), gap=2
        )
        inside = row(gap=8, margins=(14, 8 + _TAIL, 8, 10), parent=self._note)
        inside.addLayout(texts, 1)
        inside.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        line = row(gap=0, margins=margins, parent=self)
        if is_trailing:
            line.addStretch(1)
        line.addWidget(self._note, 1000)
        if not is_trailing:
            line.addStretch(1)
        theme().on_changed(self._update_geometry)
        self._update_geometry()
        self.hide()

    @override
    def setVisible(self, visible: bool) -> None:
        """Show it, or hide it for a while; it stays hidden if it was dismissed."""
        super().setVisible(visible and not self._is_dismissed)

    def dismiss(self) -> None:
        """Hide it for good."""
        self._is_dismissed = True
        self.hide()

    def _update_geometry(self) -> None:
        self._note.setMaximumWidth(theme().px(_WIDTH))

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._was_shown:
            self._was_shown = True
            self.shown.emit()
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, px = QPainter(self), theme().tokens, theme().px
        box = self._note.geometry().adjusted(0, px(_TAIL), 0, 0)
        draw_rounded(painter, box, px(_RADIUS), tokens.accent_soft, tokens.accent_border)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tip, half = self._tip(box), px(_TAIL)
        base = [QPointF(tip.x() - half, box.top() + 1), QPointF(tip.x() + half, box.top() + 1)]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tokens.accent_soft)
        painter.drawPolygon(QPolygonF([base[0], tip, base[1]]))
        painter.setPen(QPen(tokens.accent_border, 1))
        painter.drawPolyline(QPolygonF([base[0], tip, base[1]]))

    def _tip(self, box: QRect) -> QPointF:
        """The tip of the tail: below the middle of the target, as far as the note reaches."""
        px = theme().px
        middle = self.mapFromGlobal(self._target.mapToGlobal(QPoint(self._target.width() // 2, 0))).x()
        least, most = box.left() + px(_RADIUS + _TAIL), box.right() - px(_RADIUS + _TAIL)
        return QPointF(max(least, min(middle, most)) + 0.5, box.top() - px(_TAIL) + 0.5)
