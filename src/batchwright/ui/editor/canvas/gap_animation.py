"""Rows that open for the landing line of a drag (look.md 7 and 12)."""

from collections.abc import Callable

from PySide6.QtCore import QEasingCurve, QVariantAnimation
from PySide6.QtWidgets import QWidget

from batchwright.ui.editor.canvas.drop_indicator import GAP_PX
from batchwright.ui.theme import theme

_DURATION_MS = 120


class GapAnimation:
    """Opens the rows at one gap and closes them at another, in a moment (look.md 12)."""

    def __init__(self, sheet: QWidget, open_by: Callable[[int, int], None]) -> None:
        """Open the rows of a sheet; the motion ends with it."""
        self._open_by = open_by
        self.at: int | None = None
        self.pixels = 0
        self._motion = QVariantAnimation(sheet)
        self._motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._motion.valueChanged.connect(self._moved)

    def open_at(self, index: int | None) -> None:
        """Open the rows before the one with this number; None for nowhere."""
        if index == self.at:
            return
        if self.at is not None:
            self._motion.stop()
            self._moved(0)
        self.at = index
        if index is None:
            return
        pixels, duration = theme().px(GAP_PX), theme().ms(_DURATION_MS)
        if not duration:
            self._moved(pixels)
            return
        self._motion.setDuration(duration)
        self._motion.setStartValue(0)
        self._motion.setEndValue(pixels)
        self._motion.start()

    def _moved(self, pixels: int) -> None:
        self.pixels = pixels
        if self.at is not None:
            self._open_by(self.at, pixels)
