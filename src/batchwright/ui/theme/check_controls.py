"""Painting of check boxes, radio buttons and switches."""

from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyle, QStyleOption, QWidget

from batchwright.ui.theme.drawing import draw_circle, draw_rounded
from batchwright.ui.theme.glyphs import draw_glyph
from batchwright.ui.theme.theme import Theme

State = QStyle.StateFlag


def paint_box(theme: Theme, option: QStyleOption, painter: QPainter, _widget: QWidget | None) -> None:
    """Paint the indicator of a check box."""
    tokens, box = theme.tokens, _square(theme, option.rect)
    marked = bool(option.state & (State.State_On | State.State_NoChange))
    if not marked:
        draw_rounded(painter, box, 4, tokens.input, _ring(theme, option), 1.5)
        return
    draw_rounded(painter, box, 4, _fill(theme, option))
    glyph = "minus-bold" if option.state & State.State_NoChange else "check-bold"
    draw_glyph(painter, glyph, box, tokens.on_accent, theme.px(12))


def paint_ring(theme: Theme, option: QStyleOption, painter: QPainter, _widget: QWidget | None) -> None:
    """Paint the indicator of a radio button."""
    box = QRectF(_square(theme, option.rect))
    ring(theme, painter, box, is_on=bool(option.state & State.State_On), colour=_fill(theme, option))


def ring(theme: Theme, painter: QPainter, box: QRectF, *, is_on: bool, colour: QColor) -> None:
    """Paint a radio indicator into a square."""
    tokens, radius = theme.tokens, box.width() / 2
    if is_on:
        draw_circle(painter, box.center(), radius, colour)
        draw_circle(painter, box.center(), radius * 0.36, tokens.on_accent)
    else:
        draw_circle(painter, box.center(), radius, tokens.input, tokens.border_strong, 1.3)


def paint_switch(theme: Theme, option: QStyleOption, painter: QPainter, box: QRect) -> None:
    """Paint a switch: track and knob."""
    tokens, height = theme.tokens, box.height()
    is_on = bool(option.state & State.State_On)
    draw_rounded(painter, box, height / 2, _fill(theme, option) if is_on else _ring(theme, option))
    inset = height / 2
    x = box.x() + (box.width() - inset if is_on else inset)
    draw_circle(painter, QPointF(x, box.y() + inset), inset - theme.px(2), tokens.on_accent)


def _square(theme: Theme, box: QRect) -> QRect:
    side = theme.px(16)
    return QRect(box.x() + (box.width() - side) // 2, box.y() + (box.height() - side) // 2, side, side)


def _fill(theme: Theme, option: QStyleOption) -> QColor:
    tokens = theme.tokens
    if not option.state & State.State_Enabled:
        return tokens.disabled
    return tokens.accent_hover if option.state & State.State_MouseOver else tokens.accent


def _ring(theme: Theme, option: QStyleOption) -> QColor:
    return theme.tokens.border_strong if option.state & State.State_Enabled else theme.tokens.disabled
