"""How the small words at the pointer look (look.md 8)."""

from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOption, QWidget

from batchwright.ui.theme.theme import Theme


def paint_tip(theme: Theme, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    """Paint the ground of a tooltip, square: its window has no transparent corners."""
    painter.fillRect(option.rect, theme.tokens.border)
    painter.fillRect(option.rect.adjusted(1, 1, -1, -1), theme.tokens.surface)
