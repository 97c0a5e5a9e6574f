"""Overlays and animations on the canvas: drop indicator and its gap, dragged nodes, highlight ring."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEasingCurve, QPoint, QPointF, QRect, QRectF, Qt, QVariantAnimation
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget
from shiboken6 import isValid
from typing_extensions import override

from batchwright.ui.editor.canvas.hit_testing import DropIndicatorGeometry, IndicatorShape
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_circle, draw_dashed, draw_rounded, draw_text

_HIGHLIGHT_MS = 600
_MARGIN_PX = 8
_RADIUS_PX = 8
_OPACITY = 0.55


class HighlightPulse(QWidget):
    """A ring that shrinks to the node of a problem and fades out; it does not appear with reduced motion.

    It stores the key of a node and looks up the widget at each frame, because the node may be removed
    meanwhile.
    """

    def __init__(self, parent: QWidget, widget_of: Callable[[str], QWidget | None]) -> None:
        super().__init__(parent)
        self._widget_of = widget_of
        self._key = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._progress = 0.0
        self._animation = QVariantAnimation(self)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.valueChanged.connect(self._on_value_changed)
        self._animation.finished.connect(self.hide)
        self.hide()

    @property
    def target(self) -> QWidget | None:
        """The widget of the node highlighted last, or None if it no longer exists."""
        return self._widget_of(self._key)

    def start(self, key: str) -> None:
        """Highlight a node of the page."""
        self._key = key
        duration = theme().ms(_HIGHLIGHT_MS)
        if duration:
            self._animation.stop()
            self._animation.setDuration(duration)
            self._animation.start()
            self._on_value_changed(0.0)
            self.show()
            self.raise_()

    def _on_value_changed(self, progress: float) -> None:
        self._progress = progress
        widget, parent, margin = self.target, self.parentWidget(), theme().px(_MARGIN_PX)
        if widget is None or parent is None:
            self._animation.stop()
            self.hide()
            return
        top_left = widget.mapTo(parent, widget.rect().topLeft())
        self.setGeometry(widget.rect().translated(top_left).adjusted(-margin, -margin, margin, margin))
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        px, painter = theme().px, QPainter(self)
        gap = round((1 - self._progress) * px(_MARGIN_PX))
        line = QColor(theme().tokens.accent_text)
        line.setAlphaF(_OPACITY * (1 - self._progress))
        box = self.rect().adjusted(gap, gap, -gap, -gap)
        draw_rounded(painter, box, px(_RADIUS_PX + _MARGIN_PX) - gap, None, line, px(4))


_LINE_WIDTH_PX = 3
_RING_DIAMETER_PX = 10
_HINT_HEIGHT_PX = 24
_HINT_ABOVE_PX = 40
"""Pixels above the pointer at which a rejection is shown: the drag image below the pointer would cover it."""
_HINT_BELOW_PX = 84
"""Pixels below the pointer, below the drag image, if there is no space above."""
INDICATOR_GAP_PX = 22
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
        cover = QColor(tokens.get(self._background))
        cover.setAlphaF(0.68)
        for rect in self.dragged_rects():
            draw_rounded(painter, rect, px(8), cover)
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
    if geometry.shape is IndicatorShape.BOX:
        draw_rounded(painter, rect, px(12), None, tokens.accent_text, _LINE_WIDTH_PX)
        return
    thick, ring = px(_LINE_WIDTH_PX), px(_RING_DIAMETER_PX) / 2
    if geometry.shape is IndicatorShape.HORIZONTAL_LINE:
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
    width = min(QFontMetrics(font).horizontalAdvance(hint) + px(20), within.width() - 4)
    left = min(max(centre.x() - width / 2, within.left() + 2), within.right() - width - 2)
    hint_rect = QRectF(left, centre.y() - px(_HINT_HEIGHT_PX) / 2, width, px(_HINT_HEIGHT_PX))
    if covered is not None and hint_rect.intersects(QRectF(covered)):
        hint_rect.moveRight(max(covered.left() - px(8), within.left() + width + 2))
    draw_rounded(painter, hint_rect, px(_HINT_HEIGHT_PX) / 2, tokens.accent)
    inner = hint_rect.adjusted(px(8), 0, -px(8), 0)
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
        width = QFontMetrics(theme().font(TextRole.SMALL_NAME)).horizontalAdvance(reason) + px(24)
        left = min(at.x() + px(16), host.right() - width - px(4))
        above, below = at.y() - px(_HINT_ABOVE_PX), at.y() + px(_HINT_BELOW_PX)
        self.setGeometry(max(px(4), left), above if above >= px(4) else below, width, px(30))
        self.show()
        self.raise_()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, px = QPainter(self), theme().tokens, theme().px
        draw_rounded(painter, self.rect(), px(7), tokens.err_soft, tokens.err)
        box = self.rect().adjusted(px(12), 0, -px(8), 0)
        draw_text(painter, box, self.text(), theme().font(TextRole.SMALL_NAME), tokens.err)


_GAP_ANIMATION_MS = 120


class GapAnimation:
    """The animation that moves rows apart for the drop indicator; it closes the previous gap at once."""

    def __init__(self, parent: QWidget, shift_row: Callable[[int, int], None]) -> None:
        """`shift_row` is called with a row index and an offset in pixels."""
        self._shift_row = shift_row
        self.index: int | None = None
        self.pixels = 0
        self._animation = QVariantAnimation(parent)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.valueChanged.connect(self._on_value_changed)

    def open_at(self, index: int | None) -> None:
        """Open a gap before the row with this index; None closes the gap."""
        if index == self.index:
            return
        if self.index is not None:
            self._animation.stop()
            self._on_value_changed(0)
        self.index = index
        if index is None:
            return
        pixels, duration = theme().px(INDICATOR_GAP_PX), theme().ms(_GAP_ANIMATION_MS)
        if not duration:
            self._on_value_changed(pixels)
            return
        self._animation.setDuration(duration)
        self._animation.setStartValue(0)
        self._animation.setEndValue(pixels)
        self._animation.start()

    def _on_value_changed(self, pixels: int) -> None:
        self.pixels = pixels
        if self.index is not None:
            self._shift_row(self.index, pixels)
