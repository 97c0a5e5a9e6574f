"""Two widgets beside each other, or below each other where there is no space."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.ui.theme import theme
from batchwright.ui.widgets.box_layouts import row

_NARROW_BELOW = 760
_GAP = 32


class SideBySide(QWidget):
    """The first widget is wider than the second one."""

    def __init__(self, first: QWidget, second: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        for widget in (first, second):
            widget.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._layout = row(gap=_GAP, parent=self)
        self._layout.addWidget(first, 3, Qt.AlignmentFlag.AlignTop)
        self._layout.addWidget(second, 2, Qt.AlignmentFlag.AlignTop)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < theme().px(_NARROW_BELOW)
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._layout.setDirection(down if is_narrow else across)
