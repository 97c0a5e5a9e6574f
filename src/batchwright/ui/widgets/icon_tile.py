"""Icons: a tile with an icon in the colour of its family, and an icon alone."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from batchwright.ui.theme import SOFT, TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded
from batchwright.ui.theme.glyphs import draw_glyph

_GLYPH_SIZES = {24: 16, 28: 18, 30: 18, 36: 20}


class IconTile(QWidget):
    """An icon in the colour of its family on a tinted tile; decorative."""

    def __init__(self, glyph: str, family: str, size: int = 24, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._glyph, self._family, self._size = glyph, family, size
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().on_changed(self.updateGeometry)

    def show_glyph(self, glyph: str, family: str) -> None:
        """Set icon and family."""
        self._glyph, self._family = glyph, family
        self.update()

    @override
    def sizeHint(self) -> QSize:
        side = theme().px(self._size)
        return QSize(side, side)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, px = QPainter(self), theme().tokens, theme().px
        radius = px(9 if self._size >= 30 else 6)
        draw_rounded(painter, self.rect(), radius, tokens.get(SOFT[self._family]))
        size = px(_GLYPH_SIZES.get(self._size, 16))
        draw_glyph(painter, self._glyph, self.rect(), tokens.get(self._family), size)


class Glyph(QWidget):
    """An icon in a token's colour; at least as tall as a line of text in `text_role`."""

    def __init__(
        self,
        glyph: str,
        tone: str,
        size: int = 18,
        parent: QWidget | None = None,
        *,
        text_role: TextRole | None = None,
    ) -> None:
        super().__init__(parent)
        self._glyph, self._tone, self._size, self._text_role = glyph, tone, size, text_role
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().on_changed(self.updateGeometry)

    def show_glyph(self, glyph: str, tone: str) -> None:
        """Set icon and colour."""
        self._glyph, self._tone = glyph, tone
        self.update()

    @override
    def sizeHint(self) -> QSize:
        side = theme().px(self._size)
        line = 0 if self._text_role is None else QFontMetrics(theme().font(self._text_role)).height()
        return QSize(side, max(side, line))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colour = theme().tokens.get(self._tone)
        draw_glyph(QPainter(self), self._glyph, self.rect(), colour, theme().px(self._size))
