"""The ring that glows once around what a problem led to (look.md 12)."""

from PySide6.QtCore import QEasingCurve, Qt, QVariantAnimation
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.ui.theme import theme
from batchwright.ui.theme.drawing import rounded

_LASTS = 600
_REACH = 8
_RADIUS = 8
_STRENGTH = 0.55


class Glow(QWidget):
    """Lies over the sheet around one widget, grows and fades; with reduced motion it does not appear."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._share = 0.0
        self._around: QWidget | None = None
        self._motion = QVariantAnimation(self)
        self._motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._motion.setStartValue(0.0)
        self._motion.setEndValue(1.0)
        self._motion.valueChanged.connect(self._grow)
        self._motion.finished.connect(self.hide)
        self.hide()

    @property
    def around(self) -> QWidget | None:
        """What it glowed around last."""
        return self._around

    def start(self, widget: QWidget) -> None:
        """Glow around a widget on the sheet."""
        self._around = widget
        duration = theme().ms(_LASTS)
        if duration:
            self._motion.stop()
            self._motion.setDuration(duration)
            self._motion.start()
            self._grow(0.0)
            self.show()
            self.raise_()

    def _grow(self, share: float) -> None:
        self._share = share
        widget, sheet, reach = self._around, self.parentWidget(), theme().px(_REACH)
        if widget is not None and sheet is not None and sheet.isAncestorOf(widget):
            corner = widget.mapTo(sheet, widget.rect().topLeft())
            self.setGeometry(widget.rect().translated(corner).adjusted(-reach, -reach, reach, reach))
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        px, painter = theme().px, QPainter(self)
        gap = round((1 - self._share) * px(_REACH))
        line = QColor(theme().tokens.accent_text)
        line.setAlphaF(_STRENGTH * (1 - self._share))
        box = self.rect().adjusted(gap, gap, -gap, -gap)
        rounded(painter, box, px(_RADIUS + _REACH) - gap, None, line, px(4))
