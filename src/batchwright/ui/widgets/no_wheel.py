"""Fields that the wheel does not turn: they stand in forms that scroll under the pointer."""

from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QSpinBox
from typing_extensions import override

from batchwright.ui.theme.foreign import sanitize_line


class FormComboBox(QComboBox):
    """One of several texts."""

    def add(self, text: str, value: object) -> None:
        """Offer a text, which may come from a file or a service, for a value."""
        self.addItem(sanitize_line(text), value)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class FormSpinBox(QSpinBox):
    """A whole number."""

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
