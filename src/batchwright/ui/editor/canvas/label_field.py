"""The field in which the label of a dataset field is edited on its card."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.schema.parsing import MAX_LABEL_CHARS
from batchwright.ui.theme import theme

_HEIGHT = 28
"""As high as the buttons of the card, so that nothing moves."""
_STAYS_OPEN = frozenset({Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason})
"""Why the focus leaves for a while: another window, or the menu of the field."""


class LabelField(QLineEdit):
    """Enter applies the label, and so does a click elsewhere; Escape cancels."""

    ended = Signal(bool)
    """Editing has ended; whether the text is applied."""

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self._has_ended = False
        self.setFixedHeight(theme().px(_HEIGHT))
        self.setMaxLength(MAX_LABEL_CHARS)
        self.setAccessibleName(_("Label that participants read"))
        self.setPlaceholderText(_("Label that participants read"))
        self.selectAll()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._end(is_applied=True)
        elif event.key() == Qt.Key.Key_Escape:
            self._end(is_applied=False)
        else:
            super().keyPressEvent(event)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in _STAYS_OPEN:
            self._end(is_applied=True)

    def _end(self, *, is_applied: bool) -> None:
        if not self._has_ended:
            self._has_ended = True
            self.ended.emit(is_applied)
