"""The keyboard goes to the field of an attribute, and leaves it."""

from collections.abc import Callable, Collection
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget
from typing_extensions import override

from batchwright.layout.rules.problems import AttributePath

_Reason = Qt.FocusReason
_STAYS = frozenset({_Reason.ActiveWindowFocusReason, _Reason.PopupFocusReason, _Reason.MenuBarFocusReason})
"""Why a field loses the keyboard though nobody has gone on to something else."""


@runtime_checkable
class FocusableAttribute(Protocol):
    """A part of a form that edits one or more attributes."""

    @property
    def attribute_names(self) -> Collection[str]:
        """The attributes that it edits."""

    def focus_attribute(self, path: AttributePath) -> None:
        """Take the keyboard, where one of these attributes is edited."""


class FocusOutFilter(QObject):
    """Calls a function when the keyboard has left a field for something else in the window."""

    def __init__(self, field: QWidget, call: Callable[[], None]) -> None:
        super().__init__(field)
        self._call = call
        field.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """See when the field is left."""
        if isinstance(event, QFocusEvent) and event.lostFocus() and event.reason() not in _STAYS:
            self._call()
        return False


def focus_field(field: QWidget) -> None:
    """Put the cursor into a field, its text selected; into the first of several that take it."""
    if field.focusPolicy() is Qt.FocusPolicy.NoFocus and field.focusProxy() is None:
        inside = (
            widget for widget in field.findChildren(QWidget) if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        )
        field = next((widget for widget in inside if widget.isEnabled() and widget.isVisibleTo(field)), field)
    field.setFocus(Qt.FocusReason.ShortcutFocusReason)
    if isinstance(field, QLineEdit | QPlainTextEdit):
        field.selectAll()


def focus_attribute(fields: Collection[QWidget], path: AttributePath) -> bool:
    """Let the part that edits an attribute take the keyboard; False where none does."""
    for field in fields:
        if isinstance(field, FocusableAttribute) and path.name in field.attribute_names:
            field.focus_attribute(path)
            return True
    return False
