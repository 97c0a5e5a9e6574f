"""Form fields that ignore the mouse wheel, so that scrolling a form does not change them."""

import re

from PySide6.QtGui import QValidator, QWheelEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSpinBox
from typing_extensions import override

from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.entered_numbers import with_decimal_sign


class FormComboBox(QComboBox):
    """A combo box for forms."""

    def add(self, text: str, value: object) -> None:
        """Add an entry; its text is sanitized, as it may come from a file or service."""
        self.addItem(sanitize_line(text), value)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class FormDoubleSpinBox(QDoubleSpinBox):
    """A spin box for forms, with decimal places: a point or comma before them is the decimal sign."""

    @override
    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        state, _text, position = super().validate(self._in_locale(text), position)
        return state, text, position

    @override
    def valueFromText(self, text: str) -> float:
        return super().valueFromText(self._in_locale(text))

    def _in_locale(self, text: str) -> str:
        """The text with the decimal sign of the locale; with more digits behind it, it groups them."""
        number = text.removesuffix(self.suffix())
        decimals = re.search("[.,]([0-9]*)$", number)
        if decimals is None or len(decimals[1]) > self.decimals():
            return text
        return with_decimal_sign(number, self.locale().decimalPoint()) + text[len(number) :]

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class FormSpinBox(QSpinBox):
    """A spin box for forms."""

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
