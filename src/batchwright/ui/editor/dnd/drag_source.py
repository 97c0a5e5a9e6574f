"""Starting and running drags, and the image at the pointer."""

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QCursor, QDrag, QMouseEvent, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from batchwright.ui.editor.dnd.external_drops import LayoutMimeData
from batchwright.ui.editor.dnd.payload import DragPayload
from batchwright.ui.icons import draw_glyph
from batchwright.ui.theme import SOFT, TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded, draw_text
from batchwright.ui.theme.shadows import Elevation, draw_shadow

_IMAGE_SIZE_PX = (190, 44)
_IMAGE_MARGIN_PX = 20
"""Margin in pixels of the drag image, for its shadow and the edges of the cards behind it."""

_REDRAW_DELAY_MS = 100
"""Milliseconds after a drop until the page is laid out again."""

_IMAGE_OFFSET_PX = QPoint(16, 28)
"""Offset of the drag image from the pointer, so that the drop indicator stays visible."""


def exceeds_drag_distance(event: QMouseEvent, start: QPoint | None) -> bool:
    """Whether the pointer has moved far enough from `start` to begin a drag."""
    if start is None or not event.buttons() & Qt.MouseButton.LeftButton:
        return False
    return (event.position().toPoint() - start).manhattanLength() >= QApplication.startDragDistance()


def run_drag(source: QWidget, mime: LayoutMimeData) -> None:
    """Run a drag until it is dropped or cancelled."""
    drag = QDrag(source)
    drag.setMimeData(mime)
    drag.setPixmap(drag_image(mime.payload, source.devicePixelRatioF()))
    drag.setHotSpot(QPoint(_IMAGE_MARGIN_PX - _IMAGE_OFFSET_PX.x(), _IMAGE_MARGIN_PX - _IMAGE_OFFSET_PX.y()))
    supported_actions = Qt.DropAction.MoveAction | Qt.DropAction.CopyAction
    drag.exec(
        supported_actions, Qt.DropAction.CopyAction if mime.payload.is_new else Qt.DropAction.MoveAction
    )
    if isValid(source):
        window = source.window()
        end_hover(window)
        QTimer.singleShot(
            _REDRAW_DELAY_MS, window, lambda: end_hover(window)
        )  # a drop moves other widgets under the pointer


def end_hover(window: QWidget) -> None:
    """Send leave events to widgets that the pointer has left, because Qt sends none during a drag."""
    for widget in window.findChildren(QWidget):
        is_hovered = widget.rect().contains(widget.mapFromGlobal(QCursor.pos()))
        if widget.testAttribute(Qt.WidgetAttribute.WA_UnderMouse) and not is_hovered:
            widget.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
            QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))


def image_rect(pointer: QPoint) -> QRect:
    """The rectangle that the drag image covers when the pointer is at a point."""
    return QRect(
        pointer + _IMAGE_OFFSET_PX, QSize(theme().px(_IMAGE_SIZE_PX[0]), theme().px(_IMAGE_SIZE_PX[1]))
    )


def drag_image(payload: DragPayload, ratio: float) -> QPixmap:
    """The drag image: a small card with the title.

    For several nodes, it has two edges behind it and a count.
    """
    px, tokens = theme().px, theme().tokens
    size = QRect(
        0, 0, px(_IMAGE_SIZE_PX[0]) + 2 * _IMAGE_MARGIN_PX, px(_IMAGE_SIZE_PX[1]) + 2 * _IMAGE_MARGIN_PX
    ).size()
    pixmap = QPixmap(size * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    box = QRect(_IMAGE_MARGIN_PX, _IMAGE_MARGIN_PX, px(_IMAGE_SIZE_PX[0]), px(_IMAGE_SIZE_PX[1]))
    for behind in (8, 4) if payload.count > 1 else ():
        edge = box.translated(behind, behind)
        draw_rounded(painter, edge, px(8), tokens.surface, tokens.accent_border)
    draw_shadow(painter, box, Elevation.LIFTED, tokens.shadow, is_dark=theme().is_dark)
    draw_rounded(painter, box, px(8), tokens.surface, tokens.accent_text, 1.5)
    tile = QRect(box.left() + px(10), box.top() + px(10), px(24), px(24))
    draw_rounded(painter, tile, px(6), tokens.get(SOFT[payload.label.family]))
    draw_glyph(painter, payload.label.glyph, tile, tokens.get(payload.label.family), px(16))
    text_rect = box.adjusted(px(44), 0, -px(42 if payload.count > 1 else 10), 0)
    draw_text(painter, text_rect, payload.label.title, theme().font(TextRole.NAME), tokens.text)
    if payload.count > 1:
        _paint_count(painter, box, payload.count)
    painter.end()
    return pixmap


def _paint_count(painter: QPainter, box: QRect, count: int) -> None:
    px, tokens = theme().px, theme().tokens
    pill = QRect(box.right() - px(36), box.top() + px(12), px(28), px(20))
    draw_rounded(painter, pill, px(10), tokens.accent)
    centre = Qt.AlignmentFlag.AlignHCenter
    draw_text(painter, pill, str(count), theme().font(TextRole.HEAD), tokens.on_accent, centre)
