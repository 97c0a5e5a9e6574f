"""The highlight ring that appears once around the node of a problem."""

from collections.abc import Callable

from PySide6.QtCore import QEasingCurve, Qt, QVariantAnimation
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.ui.theme import theme
from batchwright.ui.theme.drawing import draw_rounded

_DURATION_MS = 600
_MARGIN_PX = 8
_RADIUS_PX = 8
_OPACITY = 0.55


class HighlightPulse(QWidget):
    """An overlay ring that shrinks to a widget and fades out; it does not appear with reduced motion.

    It stores the key of a node and looks up the widget at each frame, because the node may be removed
    meanwhile.
    """

    def __init__(self, parent: QWidget, widget_of: Callable[[str], QWidget | None]) -> None:
        super().__init__(parent)
        self._widget_of = widget_of
        self._key = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._progress = 0.0
        self._motion = QVariantAnimation(self)
        self._motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._motion.setStartValue(0.0)
        self._motion.setEndValue(1.0)
        self._motion.valueChanged.connect(self._on_value_changed)
        self._motion.finished.connect(self.hide)
        self.hide()

    @property
    def target(self) -> QWidget | None:
        """The widget of the node highlighted last, or None if it no longer exists."""
        return self._widget_of(self._key)

    def start(self, key: str) -> None:
        """Highlight a node of the page."""
        self._key = key
        duration = theme().ms(_DURATION_MS)
        if duration:
            self._motion.stop()
            self._motion.setDuration(duration)
            self._motion.start()
            self._on_value_changed(0.0)
            self.show()
            self.raise_()

    def _on_value_changed(self, share: float) -> None:
        self._progress = share
        widget, sheet, margin = self.target, self.parentWidget(), theme().px(_MARGIN_PX)
        if widget is None or sheet is None:
            self._motion.stop()
            self.hide()
            return
        corner = widget.mapTo(sheet, widget.rect().topLeft())
        self.setGeometry(widget.rect().translated(corner).adjusted(-margin, -margin, margin, margin))
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        px, painter = theme().px, QPainter(self)
        gap = round((1 - self._progress) * px(_MARGIN_PX))
        line = QColor(theme().tokens.accent_text)
        line.setAlphaF(_OPACITY * (1 - self._progress))
        box = self.rect().adjusted(gap, gap, -gap, -gap)
        draw_rounded(painter, box, px(_RADIUS_PX + _MARGIN_PX) - gap, None, line, px(4))
