"""Progress bars with percentage."""

from PySide6.QtCore import QEasingCurve, QRectF, QSize, QVariantAnimation
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded, rounded_path
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.text import ElidedLabel, Label

_STEPS = 1000
_SEGMENT_SHARE = 0.3
_CYCLE_MS = 1200


class ProgressBar(QProgressBar):
    """A thin progress bar with one or more segments, or indeterminate."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._segments: tuple[tuple[float, str], ...] = ()
        self._animation_value = 0.0
        self._animation: QVariantAnimation | None = None
        self.setAccessibleName(sanitize_line(name))
        self.setTextVisible(False)
        self.setRange(0, _STEPS)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().on_changed(self.updateGeometry)

    def show_fraction(self, fraction: float, tone: str = "accent") -> None:
        """Show a fraction from 0 to 1."""
        self.show_segments((fraction, tone))

    def show_segments(self, *segments: tuple[float, str]) -> None:
        """Show consecutive segments: each a fraction from 0 to 1 and a colour token."""
        self._stop_animation()
        self._segments = segments
        self.setRange(0, _STEPS)
        self.setValue(round(sum(fraction for fraction, _tone in segments) * _STEPS))
        self.update()

    def show_indeterminate(self) -> None:
        """Show progress of unknown duration."""
        if self._animation is not None:
            return
        self._segments = ()
        self.setRange(0, 0)
        self._animation = QVariantAnimation(self)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.setDuration(_CYCLE_MS)
        self._animation.setLoopCount(-1)
        self._animation.setEasingCurve(QEasingCurve.Type.InOutQuad)
        self._animation.valueChanged.connect(self._on_animation_value_changed)
        if theme().ms(_CYCLE_MS):
            self._animation.start()

    def _stop_animation(self) -> None:
        if self._animation is not None:
            self._animation.stop()
            self._animation.deleteLater()
            self._animation = None

    def _on_animation_value_changed(self, at: float) -> None:
        self._animation_value = at
        if self.isVisible():
            self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(theme().px(110), theme().px(6))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(40), theme().px(6))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._animation is None:
            paint_meter(painter, QRectF(self.rect()), self._segments)
            return
        box, radius = QRectF(self.rect()), self.height() / 2
        draw_rounded(painter, box, radius, theme().tokens.track)
        length = box.width() * _SEGMENT_SHARE
        piece = QRectF(
            box.x() + (box.width() - length) * self._animation_value, box.y(), length, box.height()
        )
        draw_rounded(painter, piece, radius, theme().tokens.accent)


def paint_meter(painter: QPainter, box: QRectF, segments: tuple[tuple[float, str], ...]) -> None:
    """Paint a bar, also for table delegates. 0 paints only the track."""
    tokens, radius = theme().tokens, box.height() / 2
    draw_rounded(painter, box, radius, tokens.track)
    total = min(1.0, sum(fraction for fraction, _tone in segments))
    if total <= 0:
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    filled = QRectF(box.x(), box.y(), max(box.width() * total, box.height()), box.height())
    painter.setClipPath(rounded_path(filled, radius))
    left = box.x()
    for fraction, tone in segments:
        painter.fillRect(QRectF(left, box.y(), box.width() * fraction + 0.5, box.height()), tokens.get(tone))
        left += box.width() * fraction
    painter.restore()


def per_cent(fraction: float) -> str:
    """A fraction as text; 100 % only if it is complete."""
    return _("{number} %").format(number=100 if fraction >= 1 else min(99, round(fraction * 100)))


class ProgressRow(QWidget):
    """A text with percentage, and a progress bar below."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ElidedLabel("", TextRole.SMALL, "text2", tabular=True)
        self._percentage = Label("", TextRole.SMALL_NAME, tabular=True)
        self._bar = ProgressBar(name)
        head = row()
        head.addWidget(self._text, 1)
        head.addWidget(self._percentage)
        column(head, self._bar, gap=6, parent=self)

    def show_progress(self, text: str, fraction: float | None) -> None:
        """Show a text and a fraction from 0 to 1, or None if unknown."""
        self._text.setText(text)
        self._percentage.setText("" if fraction is None else per_cent(fraction))
        if fraction is None:
            self._bar.show_indeterminate()
        else:
            self._bar.show_fraction(fraction)
