"""One option of a choice question, as participants see it: a large tile with a radio button or a checkbox."""

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QRadioButton, QSizePolicy
from typing_extensions import override

from batchwright.ui.icons import draw_glyph
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.check_controls import ring
from batchwright.ui.theme.drawing import draw_rounded
from batchwright.ui.theme.focus import RING
from batchwright.ui.widgets.text import show_literal

_HEIGHT, _SIGN, _LEFT, _RIGHT = 46, 20, 46, 14
_RADIUS = 8


class RingTile(QRadioButton):
    """An option of a question with a single answer."""

    def __init__(self, text: str) -> None:
        super().__init__()
        show_literal(self, text)
        _dress(self)

    @override
    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    @override
    def heightForWidth(self, width: int) -> int:
        return _height(self, width)

    @override
    def sizeHint(self) -> QSize:
        return _size(self)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(90), theme().px(_HEIGHT))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        sign = _paint_tile(self, painter)
        ring(theme(), painter, sign, is_on=self.isChecked(), colour=theme().tokens.accent)


class BoxTile(QCheckBox):
    """An option of a question with several answers."""

    def __init__(self, text: str) -> None:
        super().__init__()
        show_literal(self, text)
        _dress(self)

    @override
    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    @override
    def heightForWidth(self, width: int) -> int:
        return _height(self, width)

    @override
    def sizeHint(self) -> QSize:
        return _size(self)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(90), theme().px(_HEIGHT))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, px = QPainter(self), theme().tokens, theme().px
        sign = _paint_tile(self, painter)
        if self.isChecked():
            draw_rounded(painter, sign, px(5), tokens.accent)
            draw_glyph(painter, "check-bold", sign, tokens.on_accent, px(14))
        else:
            draw_rounded(painter, sign, px(5), tokens.input, tokens.border_strong, 1.5)


def _dress(tile: QAbstractButton) -> None:
    policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    policy.setHeightForWidth(True)
    tile.setSizePolicy(policy)
    tile.setProperty(RING, _RADIUS)
    tile.setAttribute(Qt.WidgetAttribute.WA_Hover)
    tile.setFont(theme().font(TextRole.PAGE))


def _height(tile: QAbstractButton, width: int) -> int:
    """The height in pixels for the wrapped label, at least `_HEIGHT` at the current text size."""
    px = theme().px
    rect = QRect(0, 0, max(px(40), width - px(_LEFT) - px(_RIGHT)), 10_000)
    text = QFontMetrics(tile.font()).boundingRect(rect, int(Qt.TextFlag.TextWordWrap), tile.text())
    return max(px(_HEIGHT), text.height() + px(22))


def _size(tile: QAbstractButton) -> QSize:
    width = theme().px(180)
    return QSize(width, _height(tile, width))


def _paint_tile(tile: QAbstractButton, painter: QPainter) -> QRectF:
    """Paint background and label; returns the square in which the radio button or checkbox is painted."""
    tokens, px, box = theme().tokens, theme().px, tile.rect()
    if tile.isChecked():
        draw_rounded(painter, box, px(_RADIUS), tokens.accent_soft, tokens.accent_text, 2)
    else:
        fill = tokens.sunken if tile.underMouse() else tokens.surface
        draw_rounded(painter, box, px(_RADIUS), fill, tokens.border_strong)
    painter.setFont(tile.font())
    painter.setPen(tokens.text)
    rect = box.adjusted(px(_LEFT), 0, -px(_RIGHT), 0)
    flags = int(Qt.TextFlag.TextWordWrap) | int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
    painter.drawText(rect, flags, tile.text())
    return QRectF(px(15), (box.height() - px(_SIGN)) / 2, px(_SIGN), px(_SIGN))
