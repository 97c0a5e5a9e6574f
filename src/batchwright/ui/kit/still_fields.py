"""Fields that the wheel does not turn: they stand in forms that scroll under the pointer."""

from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QSpinBox
from typing_extensions import override


class Menu(QComboBox):
    """One of several texts."""

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class Number(QSpinBox):
    """A whole number."""

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
