"""`QIcon`s for menus, actions and system dialogs; their colour follows the theme."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap
from typing_extensions import override

from batchwright.ui.icons.glyphs import draw_glyph
from batchwright.ui.theme.theme import theme


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
