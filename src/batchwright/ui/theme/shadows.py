"""Shadows in three elevations, rendered once to a pixmap and drawn as nine slices."""

from enum import Enum

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap

from batchwright.ui.theme.drawing import draw_rounded

_DARK_SCHEME_FACTOR = 2.4
"""Factor for the opacity in the dark scheme."""


class Elevation(Enum):
    """Blur and vertical offset in pixels, opacity, and corner radius of the box."""

    SHEET = (4, 1, 0.07, 12)
    LIFTED = (14, 4, 0.11, 10)
    DIALOG = (34, 10, 0.17, 14)

    @property
    def extent(self) -> int:
        """The pixels from the edge to where it ends, the way down included."""
        return int(self.value[0]) + int(self.value[1])


_pixmaps: dict[tuple[Elevation, float, bool], QPixmap] = {}


def draw_shadow(
    painter: QPainter, box: QRect, elevation: Elevation, colour: QColor, *, is_dark: bool
) -> None:
    """Draw the shadow of a rounded box; draw the box afterwards."""
    ratio = painter.device().devicePixelRatio()
    key = (elevation, ratio, is_dark)
    if key not in _pixmaps:
        _pixmaps[key] = _render(elevation, ratio, colour, _DARK_SCHEME_FACTOR if is_dark else 1.0)
    _nine_slices(painter, box, elevation, _pixmaps[key])


def _corner(elevation: Elevation) -> int:
    """The side of the corner slice: extent outside, radius, and extent inside."""
    return 2 * elevation.extent + int(elevation.value[3])


def _render(elevation: Elevation, ratio: float, colour: QColor, factor: float) -> QPixmap:
    spread, down, alpha, radius = elevation.value
    side = 2 * _corner(elevation) + 1
    pixmap = QPixmap(QSize(side, side) * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    box = QRectF(
        elevation.extent, elevation.extent + down, side - 2 * elevation.extent, side - 2 * elevation.extent
    )
    shadow_colour = QColor(colour)
    steps = int(spread)
    for step in range(steps, -steps // 2, -1):
        shadow_colour.setAlphaF(min(1.0, alpha * factor / steps))
        draw_rounded(painter, box.adjusted(-step, -step, step, step), max(1.0, radius + step), shadow_colour)
    painter.end()
    return pixmap


def _nine_slices(painter: QPainter, box: QRect, elevation: Elevation, pixmap: QPixmap) -> None:
    extent, corner, ratio = elevation.extent, _corner(elevation), pixmap.devicePixelRatio()
    outer = box.adjusted(-extent, -extent, extent, extent)
    width, height = min(corner, outer.width() // 2), min(corner, outer.height() // 2)
    side = pixmap.width() / ratio
    across = ((0, 0, width), (width, corner, outer.width() - 2 * width), (outer.width() - width, -1, width))
    along = (
        (0, 0, height),
        (height, corner, outer.height() - 2 * height),
        (outer.height() - height, -1, height),
    )
    for x, from_x, w in across:
        for y, from_y, h in along:
            if w <= 0 or h <= 0:
                continue
            source = QRectF(
                side - w if from_x < 0 else from_x,
                side - h if from_y < 0 else from_y,
                1 if from_x == corner else w,
                1 if from_y == corner else h,
            )
            scaled = QRectF(
                source.x() * ratio, source.y() * ratio, source.width() * ratio, source.height() * ratio
            )
            painter.drawPixmap(QRectF(outer.x() + x, outer.y() + y, w, h), pixmap, scaled)
