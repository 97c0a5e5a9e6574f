"""Rows that open for the drop line of a drag."""

from collections.abc import Callable

from PySide6.QtCore import QEasingCurve, QVariantAnimation
from PySide6.QtWidgets import QWidget

from batchwright.ui.editor.canvas.drop_indicator import GAP_PX
from batchwright.ui.theme import theme

_DURATION_MS = 120


class GapAnimation:
    """Opens the rows at one gap and closes them at another, in a moment."""

    def __init__(self, sheet: QWidget, open_by: Callable[[int, int], None]) -> None:
        """Open the rows of a sheet; the motion ends with it."""
        self._shift_row = open_by
        self.index: int | None = None
        self.pixels = 0
        self._motion = QVariantAnimation(sheet)
        self._motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._motion.valueChanged.connect(self._on_value_changed)

    def open_at(self, index: int | None) -> None:
        """Open the rows before the one with this number; None for nowhere."""
        if index == self.index:
            return
        if self.index is not None:
            self._motion.stop()
            self._on_value_changed(0)
        self.index = index
        if index is None:
            return
        pixels, duration = theme().px(GAP_PX), theme().ms(_DURATION_MS)
        if not duration:
            self._on_value_changed(pixels)
            return
        self._motion.setDuration(duration)
        self._motion.setStartValue(0)
        self._motion.setEndValue(pixels)
        self._motion.start()

    def _on_value_changed(self, pixels: int) -> None:
        self.pixels = pixels
        if self.index is not None:
            self._shift_row(self.index, pixels)
