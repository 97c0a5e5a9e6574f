"""The bar below the menu bar: dashed for rehearsal, solid for live."""

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.ui.theme import theme

_HEIGHT = 3
_DASH, _GAP = 10, 6


class LiveIndicator(QWidget):
    """Differs by shape as well as colour; decorative, the badge says the same in text."""

    def __init__(self, *, is_live: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_live = is_live
        self.setFixedHeight(_HEIGHT)

    def set_live(self, *, is_live: bool) -> None:
        """Set whether the connection is live."""
        self._is_live = is_live
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, box = QPainter(self), theme().tokens, self.rect()
        painter.fillRect(box, tokens.live if self._is_live else tokens.reh_soft)
        if not self._is_live:
            for x in range(0, box.width(), _DASH + _GAP):
                painter.fillRect(x, 0, _DASH, box.height(), tokens.reh)
