"""Icons of the bundled font, drawn by name in any colour and size, and as `QIcon`s that follow the theme.

`QRawFont` is used so that the font is not registered with the system and no system font can replace it.
Rendered glyphs are cached as pixmaps.
"""

import json
from functools import cache

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QIcon,
    QIconEngine,
    QPainter,
    QPainterPath,
    QPixmap,
    QRawFont,
    QTransform,
)
from typing_extensions import override

from batchwright.base.resources import resource
from batchwright.ui.theme.theme import theme

_EM = 256.0
"""The font size at which outlines are read, in pixels; they are scaled when drawn."""

_MARGIN = 1 / 16
"""Margin around the em square, relative to the size; it matches the weight of text of the same size."""


class UnknownGlyph(LookupError):
    """The bundled font has no such glyph. To add one, edit and run `packaging/icons.py`."""


@cache
def code_points() -> dict[str, int]:
    """The code points of all glyphs by name.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    points: dict[str, int] = json.loads(resource("icons", "phosphor.json").read_text(encoding="utf-8"))
    return points


@cache
def _font() -> QRawFont:
    return QRawFont(str(resource("icons", "phosphor.ttf")), _EM, QFont.HintingPreference.PreferNoHinting)


@cache
def outline(name: str) -> QPainterPath:
    """The outline of a glyph in a unit square.

    Raises:
        UnknownGlyph: there is no glyph with this name.
    """
    try:
        character = chr(code_points()[name])
    except KeyError:
        raise UnknownGlyph(name) from None
    font = _font()
    path = font.pathForGlyph(font.glyphIndexesForString(character)[0])
    path.translate(0, font.ascent())
    square = QTransform.fromScale(1 / _EM, 1 / _EM).map(path)
    square.setFillRule(Qt.FillRule.WindingFill)
    return square


_pixmaps: dict[tuple[str, int, int, float], QPixmap] = {}


def glyph_pixmap(name: str, size: int, colour: QColor, ratio: float) -> QPixmap:
    """A glyph as a pixmap of `size` logical pixels for a device pixel ratio."""
    key = (name, size, colour.rgba(), ratio)
    if key not in _pixmaps:
        _pixmaps[key] = _painted(name, size, colour, ratio)
    return _pixmaps[key]


def _painted(name: str, size: int, colour: QColor, ratio: float) -> QPixmap:
    pixmap = QPixmap(QSize(size, size) * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(size * _MARGIN, size * _MARGIN)
    painter.scale(size * (1 - 2 * _MARGIN), size * (1 - 2 * _MARGIN))
    painter.fillPath(outline(name), colour)
    painter.end()
    return pixmap


def draw_glyph(painter: QPainter, name: str, box: QRectF | QRect, colour: QColor, size: int) -> None:
    """Draw a glyph of `size` pixels in the center of a box."""
    ratio = painter.device().devicePixelRatio()
    centre = QRectF(box).center()
    corner = QPointF(round(centre.x() - size / 2), round(centre.y() - size / 2))
    painter.drawPixmap(corner, glyph_pixmap(name, size, colour, ratio))


class GlyphEngine(QIconEngine):
    """Paints a glyph in a token's colour, or in that of `disabled`."""

    def __init__(self, name: str, tone: str) -> None:
        super().__init__()
        self._name = name
        self._tone = tone

    @override
    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        tokens = theme().tokens
        colour = tokens.disabled if mode is QIcon.Mode.Disabled else tokens.get(self._tone)
        draw_glyph(painter, self._name, rect, colour, min(rect.width(), rect.height()))

    @override
    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    @override
    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(0, 0, size.width(), size.height()), mode, state)
        painter.end()
        return pixmap

    @override
    def clone(self) -> QIconEngine:
        return GlyphEngine(self._name, self._tone)


def icon(name: str, tone: str = "text2") -> QIcon:
    """The icon of a glyph in a token's colour."""
    return QIcon(GlyphEngine(name, tone))
