"""The badge for rehearsal or live, which differ by text, icon, colour and shape."""

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_dashed, draw_rounded, draw_text
from batchwright.ui.theme.glyphs import draw_glyph

_RADIUS = 6
_HEIGHT = 26


def badge_text(*, is_live: bool) -> str:
    """The text of the badge."""
    return _("LIVE") if is_live else _("REHEARSAL")


def badge_size(*, is_live: bool) -> QSize:
    """The size of the badge."""
    px, font = theme().px, theme().font(TextRole.BADGE)
    width = QFontMetrics(font).horizontalAdvance(badge_text(is_live=is_live))
    return QSize(width + px(10 + 16 + 6 + 9), px(_HEIGHT))


def paint_badge(painter: QPainter, box: QRect, *, is_live: bool) -> None:
    """Paint the badge: live is filled, rehearsal is tinted with a dashed border."""
    tokens, px = theme().tokens, theme().px
    colour = tokens.on_live if is_live else tokens.reh
    if is_live:
        draw_rounded(painter, box, px(_RADIUS), tokens.live)
    else:
        draw_rounded(painter, box, px(_RADIUS), tokens.reh_soft)
        draw_dashed(painter, box, px(_RADIUS), tokens.reh_border, 1.4, [3.4, 2.0])
    glyph = "broadcast-fill" if is_live else "flask-fill"
    draw_glyph(painter, glyph, QRect(box.x() + px(9), box.y(), px(16), box.height()), colour, px(16))
    text_box = box.adjusted(px(10 + 16 + 3), 0, 0, 0)
    draw_text(painter, text_box, badge_text(is_live=is_live), theme().font(TextRole.BADGE), colour)


class ConnectionBadge(QLabel):
    """The badge as a widget."""

    def __init__(self, *, is_live: bool, parent: QWidget | None = None) -> None:
        super().__init__(badge_text(is_live=is_live), parent)
        self._is_live = is_live
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().on_changed(self.updateGeometry)

    @override
    def sizeHint(self) -> QSize:
        return badge_size(is_live=self._is_live)

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        paint_badge(QPainter(self), self.rect(), is_live=self._is_live)
