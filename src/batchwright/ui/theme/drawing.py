"""Drawing what the whole look is made of: rounded shapes, exact to the half pixel (look.md 15)."""

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPainter, QPainterPath, QPen


def rounded(
    painter: QPainter,
    box: QRect | QRectF,
    radius: float,
    fill: QColor | None = None,
    line: QColor | None = None,
    width: float = 1.0,
    style: Qt.PenStyle = Qt.PenStyle.SolidLine,
) -> None:
    """Draw a rounded rectangle whose line lies inside the box."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    rect = QRectF(box)
    if line is not None:
        half = width / 2
        rect.adjust(half, half, -half, -half)
        radius = max(0.0, radius - half)
        painter.setPen(QPen(line, width, style))
    else:
        painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(fill) if fill is not None else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect, radius, radius)
    painter.restore()


def dashed(
    painter: QPainter, box: QRect | QRectF, radius: float, line: QColor, width: float, dashes: list[float]
) -> None:
    """Draw a dashed outline inside the box; dashes and gaps in units of the width."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(line, width)
    pen.setDashPattern(dashes)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    half = width / 2
    painter.drawRoundedRect(QRectF(box).adjusted(half, half, -half, -half), radius - half, radius - half)
    painter.restore()


def circle(
    painter: QPainter,
    centre: QPointF,
    radius: float,
    fill: QColor | None,
    line: QColor | None = None,
    width: float = 1.0,
) -> None:
    """Draw a disc or a ring whose line lies inside the radius."""
    box = QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
    rounded(painter, box, radius, fill, line, width)


def line_below(painter: QPainter, box: QRect, colour: QColor) -> None:
    """Draw a hairline along the lower edge of a box."""
    painter.fillRect(box.x(), box.bottom(), box.width(), 1, colour)


def write(
    painter: QPainter,
    box: QRect | QRectF,
    text: str,
    font: QFont,
    colour: QColor,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:
    """Write one line, in the middle of the box's height, cut to its width."""
    rect = QRectF(box)
    painter.setFont(font)
    painter.setPen(colour)
    fitting = painter.fontMetrics().elidedText(text, elide, int(rect.width()) + 1)
    painter.drawText(rect, int(align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), fitting)


def rounded_path(box: QRect | QRectF, radius: float) -> QPainterPath:
    """The shape of a rounded rectangle, for clipping."""
    path = QPainterPath()
    path.addRoundedRect(QRectF(box), radius, radius)
    return path
