"""Painting of charts: in the window, and as images at print size."""

from collections.abc import Callable
from functools import cache

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen

from batchwright.analysis.charts import (
    Anchor,
    Chart,
    Circle,
    Line,
    Rectangle,
    Role,
    Shape,
    Text,
    Weight,
)
from batchwright.ui.theme import Scheme, Tokens
from batchwright.ui.theme.typography import FAMILY

TOKENS = {
    Role.TEXT: "text",
    Role.SECONDARY: "text2",
    Role.AXIS: "border_strong",
    Role.GRID: "border",
    Role.TRACK: "choice",
    Role.HALO: "surface",
    Role.INTERVAL: "text",
    Role.BAND: "accent_border",
    Role.SERIES_1: "c1",
    Role.SERIES_2: "c2",
    Role.SERIES_3: "c3",
    Role.SERIES_4: "c4",
    Role.NEUTRAL: "text3",
}
"""The colour tokens of the roles."""
_WEIGHTS = {
    Weight.NORMAL: QFont.Weight.Normal,
    Weight.MEDIUM: QFont.Weight.Medium,
    Weight.BOLD: QFont.Weight.DemiBold,
}
_DPI, _CSS_DPI = 300, 96
_METRE = 0.0254
_MARGIN = 8.0
"""Space around an image, for lines at its edge."""


def paint_chart(painter: QPainter, chart: Chart, tokens: Tokens) -> None:
    """Paint a chart."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    colours = {role: tokens.get(name) for role, name in TOKENS.items()}
    for shape in chart.shapes:
        _PAINT[type(shape)](painter, shape, colours[shape.role])


def chart_image(chart: Chart) -> QImage:
    """A chart as an image of 300 dots per inch in light colours; takes about 50 ms."""
    scale, tokens = _DPI / _CSS_DPI, Tokens.of(Scheme.LIGHT)
    width, height = (round((length + 2 * _MARGIN) * scale) for length in (chart.width, chart.height))
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(tokens.get(TOKENS[Role.HALO]))
    painter = QPainter(image)
    painter.scale(scale, scale)
    painter.translate(_MARGIN, _MARGIN)
    paint_chart(painter, chart, tokens)
    painter.end()
    image.setDotsPerMeterX(round(_DPI / _METRE))
    image.setDotsPerMeterY(round(_DPI / _METRE))
    return image


def png(image: QImage) -> bytes:
    """An image as PNG; takes a fraction of a second."""
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # the stub expects bytes, the call a string
    return bytes(content.data())


def _paint_rectangle(painter: QPainter, shape: Rectangle, colour: QColor) -> None:
    box = QRectF(shape.x, shape.y, shape.width, shape.height)
    if shape.opacity < 1:
        colour = QColor(colour)
        colour.setAlphaF(shape.opacity)
    if shape.radius == 0:
        painter.fillRect(box, colour)
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRoundedRect(box, shape.radius, shape.radius)


def _paint_line(painter: QPainter, shape: Line, colour: QColor) -> None:
    half = shape.width / 2
    if shape.y1 == shape.y2:
        painter.fillRect(QRectF(shape.x1, shape.y1 - half, shape.x2 - shape.x1, shape.width), colour)
    elif shape.x1 == shape.x2:
        painter.fillRect(QRectF(shape.x1 - half, shape.y1, shape.width, shape.y2 - shape.y1), colour)
    else:
        painter.setPen(QPen(colour, shape.width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(QLineF(shape.x1, shape.y1, shape.x2, shape.y2))


def _paint_circle(painter: QPainter, shape: Circle, colour: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawEllipse(QPointF(shape.x, shape.y), shape.radius, shape.radius)


def _paint_text(painter: QPainter, shape: Text, colour: QColor) -> None:
    font, metrics = _font(shape.size, shape.weight, is_tabular=shape.anchor is Anchor.END)
    x = shape.x
    if shape.anchor is not Anchor.START:
        advance = metrics.horizontalAdvance(shape.text)
        x -= advance if shape.anchor is Anchor.END else advance / 2
    painter.setPen(colour)
    painter.setFont(font)
    painter.drawText(QPointF(x, shape.y), shape.text)


_PAINT: dict[type[Shape], Callable[[QPainter, Shape, QColor], None]] = {
    Rectangle: _paint_rectangle,  # type: ignore[dict-item]  # each function gets the shapes of its key
    Line: _paint_line,  # type: ignore[dict-item]
    Circle: _paint_circle,  # type: ignore[dict-item]
    Text: _paint_text,  # type: ignore[dict-item]
}


@cache
def _font(size: float, weight: Weight, *, is_tabular: bool) -> tuple[QFont, QFontMetricsF]:
    """The font of a text with its metrics; in columns of numbers, digits have the same width."""
    font = QFont(FAMILY)
    font.setPixelSize(round(size))
    font.setWeight(_WEIGHTS[weight])
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    if is_tabular:
        font.setFeature(QFont.Tag("tnum"), 1)
    return font, QFontMetricsF(font)
