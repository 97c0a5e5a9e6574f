"""The overlay of a drag: the drop indicator with its hint, and outlines of the dragged nodes."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget
from shiboken6 import isValid
from typing_extensions import override

from batchwright.ui.editor.canvas.hit_testing import DropIndicatorGeometry, IndicatorShape
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_circle, draw_dashed, draw_rounded, draw_text

_LINE_PX = 3
_RING_PX = 10
_PILL_PX = 24
_HINT_ABOVE_PX = 40
"""Pixels above the pointer at which a rejection is shown: the drag image below the pointer would cover it."""
_HINT_BELOW_PX = 84
"""Pixels below the pointer, below the drag image, if there is no space above."""
GAP_PX = 22
"""Pixels by which rows move apart for the indicator."""


class DropIndicator(QWidget):
    """An overlay on the page that ignores mouse events."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._indicator: DropIndicatorGeometry | None = None
        self._hint = ""
        self._covered = QRect()
        self._dragged: Sequence[QWidget] = ()
        self._background = "surface"
        self.hide()

    @property
    def hint(self) -> str:
        """The text of the hint; empty without an indicator."""
        return self._hint if self._indicator is not None else ""

    @property
    def indicator(self) -> DropIndicatorGeometry | None:
        """The geometry of the indicator, or None if it is hidden."""
        return self._indicator

    def show_dragged(self, widgets: Sequence[QWidget]) -> None:
        """Show widgets as outlines at their current positions, because they are being dragged."""
        self._dragged = widgets
        self._refresh()

    def dragged_rects(self) -> list[QRect]:
        """The rectangles of the outlines."""
        dragged = (widget for widget in self._dragged if isValid(widget))
        return [QRect(self.mapFromGlobal(widget.mapToGlobal(QPoint())), widget.size()) for widget in dragged]

    def show_indicator(
        self, geometry: DropIndicatorGeometry | None, hint: str = "", covered: QRect | None = None
    ) -> None:
        """Show the indicator and its hint; None hides them.

        The hint avoids the rectangle `covered` by the drag image.
        """
        self._indicator, self._hint, self._covered = geometry, hint, covered or QRect()
        self.setAccessibleName(self.hint)
        self._refresh()

    def _refresh(self) -> None:
        self.setVisible(self._indicator is not None or bool(self._dragged))
        self.raise_()
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, px = QPainter(self), theme().tokens, theme().px
        veil = QColor(tokens.get(self._background))
        veil.setAlphaF(0.68)
        for rect in self.dragged_rects():
            draw_rounded(painter, rect, px(8), veil)
            draw_rounded(painter, rect, px(8), None, tokens.get(self._background), 3)
            draw_dashed(painter, rect, px(8), tokens.border_strong, 1.0, [4, 3])
        if self._indicator is not None:
            paint_indicator(painter, self._indicator)
            paint_hint(
                painter, QPointF(self._indicator.rect.center()), self._hint, self.rect(), self._covered
            )


def paint_indicator(painter: QPainter, geometry: DropIndicatorGeometry) -> None:
    """Paint an insertion point: a line with a ring at both ends, or a box."""
    tokens, px = theme().tokens, theme().px
    rect = QRectF(geometry.rect)
    if geometry.shape is IndicatorShape.WHOLE:
        draw_rounded(painter, rect, px(12), None, tokens.accent_text, _LINE_PX)
        return
    thick, ring = px(_LINE_PX), px(_RING_PX) / 2
    if geometry.shape is IndicatorShape.ACROSS:
        line = QRectF(rect.left() + ring, rect.top() - thick / 2, rect.width() - 2 * ring, thick)
        ends = (QPointF(rect.left() + ring, rect.top()), QPointF(rect.right() - ring, rect.top()))
    else:
        line = QRectF(rect.left() - thick / 2, rect.top() + ring, thick, rect.height() - 2 * ring)
        ends = (QPointF(rect.left(), rect.top() + ring), QPointF(rect.left(), rect.bottom() - ring))
    draw_rounded(painter, line, thick / 2, tokens.accent_text)
    for end in ends:
        draw_circle(painter, end, ring, tokens.surface, tokens.accent_text, 2)


def paint_hint(
    painter: QPainter, centre: QPointF, hint: str, within: QRect, covered: QRect | None = None
) -> None:
    """Paint the hint on the line, to the left of the covered rectangle if there is space."""
    if not hint:
        return
    tokens, px, font = theme().tokens, theme().px, theme().font(TextRole.HEAD)
    wide = min(QFontMetrics(font).horizontalAdvance(hint) + px(20), within.width() - 4)
    left = min(max(centre.x() - wide / 2, within.left() + 2), within.right() - wide - 2)
    pill = QRectF(left, centre.y() - px(_PILL_PX) / 2, wide, px(_PILL_PX))
    if covered is not None and pill.intersects(QRectF(covered)):
        pill.moveRight(max(covered.left() - px(8), within.left() + wide + 2))
    draw_rounded(painter, pill, px(_PILL_PX) / 2, tokens.accent)
    inner = pill.adjusted(px(8), 0, -px(8), 0)
    draw_text(painter, inner, hint, font, tokens.on_accent, Qt.AlignmentFlag.AlignHCenter)


class DropRejectedHint(QLabel):
    """A tooltip near the pointer that explains why a drop would be rejected."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._host = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_reason(self, reason: str, pointer: QPoint) -> None:
        """Show the reason near a point in screen coordinates; an empty reason hides the tooltip."""
        if self.text() != reason:
            self.setText(reason)
        if not reason:
            self.hide()
            return
        px, host, at = theme().px, self._host.rect(), self._host.mapFromGlobal(pointer)
        wide = QFontMetrics(theme().font(TextRole.SMALL_NAME)).horizontalAdvance(reason) + px(24)
        left = min(at.x() + px(16), host.right() - wide - px(4))
        above, below = at.y() - px(_HINT_ABOVE_PX), at.y() + px(_HINT_BELOW_PX)
        self.setGeometry(max(px(4), left), above if above >= px(4) else below, wide, px(30))
        self.show()
        self.raise_()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, px = QPainter(self), theme().tokens, theme().px
        draw_rounded(painter, self.rect(), px(7), tokens.err_soft, tokens.err)
        box = self.rect().adjusted(px(12), 0, -px(8), 0)
        draw_text(painter, box, self.text(), theme().font(TextRole.SMALL_NAME), tokens.err)
