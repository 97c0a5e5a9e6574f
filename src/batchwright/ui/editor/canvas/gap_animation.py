"""The animation that moves rows apart for the drop indicator."""

from collections.abc import Callable

from PySide6.QtCore import QEasingCurve, QVariantAnimation
from PySide6.QtWidgets import QWidget

from batchwright.ui.editor.canvas.drop_indicator import GAP_PX
from batchwright.ui.theme import theme

_DURATION_MS = 120


class GapAnimation:
    """Opens a gap at one row while it closes the previous gap."""

    def __init__(self, sheet: QWidget, open_by: Callable[[int, int], None]) -> None:
        """`open_by` is called with a row index and an offset in pixels. The animation is owned by `sheet`."""
        self._shift_row = open_by
        self.index: int | None = None
        self.pixels = 0
        self._motion = QVariantAnimation(sheet)
        self._motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._motion.valueChanged.connect(self._on_value_changed)

    def open_at(self, index: int | None) -> None:
        """Open a gap before the row with this index; None closes the gap."""
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
