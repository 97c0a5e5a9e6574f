"""Form fields that ignore the mouse wheel, so that scrolling a form does not change them."""

from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSpinBox
from typing_extensions import override

from batchwright.ui.theme.foreign import sanitize_line


class FormComboBox(QComboBox):
    """A combo box for forms."""

    def add(self, text: str, value: object) -> None:
        """Add an entry; its text is sanitized, as it may come from a file or service."""
        self.addItem(sanitize_line(text), value)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class FormDoubleSpinBox(QDoubleSpinBox):
    """A spin box for forms, with decimal places."""

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class FormSpinBox(QSpinBox):
    """A spin box for forms."""

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
