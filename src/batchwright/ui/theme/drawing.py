"""Drawing primitives: rounded rectangles, circles, dashed borders and elided text."""

import math
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPainter, QPainterPath, QPen, QPixmap

from batchwright.base.text import runs_right_to_left
from batchwright.ui.theme.foreign import sanitize_line


def draw_rounded(
    painter: QPainter,
    box: QRect | QRectF,
    radius: float,
    fill: QColor | None = None,
    border: QColor | None = None,
    width: float = 1.0,
    style: Qt.PenStyle = Qt.PenStyle.SolidLine,
) -> None:
    """Draw a rounded rectangle with its border inside the box."""
    is_solid = style is Qt.PenStyle.SolidLine
    if is_solid and isinstance(box, QRect) and _can_use_corners(painter, box, radius, width):
        corner = _Corner(math.ceil(radius), radius, _rgba(fill), _rgba(border), int(width))
        _draw_with_cached_corners(painter, box, corner)
    else:
        _draw_path(painter, box, radius, fill, border, width, style)


def _draw_path(
    painter: QPainter,
    box: QRect | QRectF,
    radius: float,
    fill: QColor | None,
    border: QColor | None,
    width: float,
    style: Qt.PenStyle,
) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    rect = QRectF(box)
    if border is not None:
        half = width / 2
        rect.adjust(half, half, -half, -half)
        radius = max(0.0, radius - half)
        painter.setPen(QPen(border, width, style))
    else:
        painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(fill) if fill is not None else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect, radius, radius)
    painter.restore()


class _Corner(NamedTuple):
    """The cache key of corners: side, radius, colours and border width."""

    side: int
    radius: float
    fill: int | None
    line: int | None
    width: int


_corners: dict[tuple[_Corner, float], QPixmap] = {}


def _rgba(colour: QColor | None) -> int | None:
    return None if colour is None else colour.rgba()


def _can_use_corners(painter: QPainter, box: QRect, radius: float, width: float) -> bool:
    """Whether cached corners and edges join without a seam: on whole pixels and large enough."""
    is_on_pixels = width == int(width) and painter.device().devicePixelRatio() % 1 == 0
    is_large_enough = min(box.width(), box.height()) > 2 * math.ceil(radius) and radius > width
    moved = painter.transform()
    return is_on_pixels and is_large_enough and not moved.isScaling() and not moved.isRotating()


def _draw_with_cached_corners(painter: QPainter, box: QRect, corner: _Corner) -> None:
    """Draw cached corners and fill the rest, which is much faster than an antialiased path."""
    ratio, side = painter.device().devicePixelRatio(), corner.side
    pixmap = _corner_pixmap(corner, ratio)
    piece = int(side * ratio)
    left, top = box.x(), box.y()
    right, bottom = left + box.width() - side, top + box.height() - side
    for x, source_x in ((left, 0), (right, piece)):
        for y, source_y in ((top, 0), (bottom, piece)):
            painter.drawPixmap(x, y, side, side, pixmap, source_x, source_y, piece, piece)
    across, along = box.width() - 2 * side, box.height() - 2 * side
    edge = corner.width if corner.line is not None else 0
    if corner.fill is not None:
        fill = QColor.fromRgba(corner.fill)
        painter.fillRect(left + side, top + edge, across, box.height() - 2 * edge, fill)
        painter.fillRect(left + edge, top + side, side - edge, along, fill)
        painter.fillRect(right, top + side, side - edge, along, fill)
    if corner.line is not None:
        border = QColor.fromRgba(corner.line)
        painter.fillRect(left + side, top, across, edge, border)
        painter.fillRect(left + side, bottom + side - edge, across, edge, border)
        painter.fillRect(left, top + side, edge, along, border)
        painter.fillRect(right + side - edge, top + side, edge, along, border)


def _corner_pixmap(corner: _Corner, ratio: float) -> QPixmap:
    """All four corners in one pixmap of twice their side."""
    if (corner, ratio) not in _corners:
        side = 2 * corner.side
        pixmap = QPixmap(QSize(side, side) * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        fill = None if corner.fill is None else QColor.fromRgba(corner.fill)
        border = None if corner.line is None else QColor.fromRgba(corner.line)
        painter = QPainter(pixmap)
        square = QRectF(0, 0, side, side)
        _draw_path(painter, square, corner.radius, fill, border, corner.width, Qt.PenStyle.SolidLine)
        painter.end()
        _corners[corner, ratio] = pixmap
    return _corners[corner, ratio]


def draw_dashed(
    painter: QPainter, box: QRect | QRectF, radius: float, border: QColor, width: float, dashes: list[float]
) -> None:
    """Draw a dashed outline inside the box; dashes and gaps in units of the width."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(border, width)
    pen.setDashPattern(dashes)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    half = width / 2
    painter.drawRoundedRect(QRectF(box).adjusted(half, half, -half, -half), radius - half, radius - half)
    painter.restore()


def draw_circle(
    painter: QPainter,
    centre: QPointF,
    radius: float,
    fill: QColor | None,
    border: QColor | None = None,
    width: float = 1.0,
) -> None:
    """Draw a circle with its border inside the radius."""
    box = QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
    draw_rounded(painter, box, radius, fill, border, width)


def draw_bottom_border(painter: QPainter, box: QRect, colour: QColor) -> None:
    """Draw a 1-pixel line along the lower edge of a box."""
    painter.fillRect(box.x(), box.bottom(), box.width(), 1, colour)


def draw_text(
    painter: QPainter,
    box: QRect | QRectF,
    text: str,
    font: QFont,
    colour: QColor,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    around: Qt.LayoutDirection = Qt.LayoutDirection.LeftToRight,
) -> None:
    """Draw one line of text, vertically centered and elided to the width; `around` is that of its layout."""
    rect = QRectF(box)
    painter.setFont(font)
    painter.setPen(colour)
    shown = sanitize_line(text)
    elided = painter.fontMetrics().elidedText(shown, elide, int(rect.width()) + 1)
    flags = (
        align | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute | Qt.TextFlag.TextSingleLine
    )
    # The dots are at the end, which is at the left of a text that is written from right to left.
    painter.drawText(rect, int(flags) | direction_flag(shown, around), elided)


def direction_flag(text: str, around: Qt.LayoutDirection) -> int:
    """The flag with which a text is drawn in its direction; `around` is that of its layout."""
    is_mirrored = runs_right_to_left(text, in_mirrored_layout=around is Qt.LayoutDirection.RightToLeft)
    return int(Qt.TextFlag.TextForceRightToLeft) if is_mirrored else 0


def rounded_path(box: QRect | QRectF, radius: float) -> QPainterPath:
    """The path of a rounded rectangle."""
    path = QPainterPath()
    path.addRoundedRect(QRectF(box), radius, radius)
    return path
