"""The picture of what is dragged, below the pointer."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap

from batchwright.ui.editor.dnd.payload import DragPayload
from batchwright.ui.theme import SOFT, TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded, draw_text
from batchwright.ui.theme.glyphs import draw_glyph
from batchwright.ui.theme.shadows import Elevation, draw_shadow

_IMAGE_SIZE_PX = (190, 44)
_IMAGE_MARGIN_PX = 20
"""Margin in pixels of the drag image, for its shadow and the edges of the cards behind it."""

_IMAGE_OFFSET_PX = QPoint(16, 28)
"""Offset of the drag image from the pointer, so that the drop indicator stays visible."""

HOT_SPOT = QPoint(_IMAGE_MARGIN_PX, _IMAGE_MARGIN_PX) - _IMAGE_OFFSET_PX
"""The position of the pointer in the drag image."""


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
