"""Moving the keyboard focus to the field of an attribute, and detecting when a field loses the focus."""

from collections.abc import Callable, Collection
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget
from typing_extensions import override

from batchwright.layout.rules.problems import AttributePath

_Reason = Qt.FocusReason
_IGNORED_REASONS = frozenset(
    {_Reason.ActiveWindowFocusReason, _Reason.PopupFocusReason, _Reason.MenuBarFocusReason}
)
"""Reasons for a focus-out event that do not mean that the user has moved on to another widget of the window.
"""


@runtime_checkable
class FocusableAttribute(Protocol):
    """A part of a form that edits one or more attributes."""

    @property
    def attribute_names(self) -> Collection[str]:
        """The names of the attributes that this part edits."""

    def focus_attribute(self, path: AttributePath) -> None:
        """Take the keyboard focus in the control that edits the attribute at `path`."""


class FocusOutFilter(QObject):
    """Event filter that calls a function when a field loses the keyboard focus to another widget of the
    window.

    Focus that is lost to another window, a popup or the menu bar is ignored.
    """

    def __init__(self, field: QWidget, call: Callable[[], None]) -> None:
        super().__init__(field)
        self._call = call
        field.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Call the function if this is a focus-out event for a reason that counts."""
        if isinstance(event, QFocusEvent) and event.lostFocus() and event.reason() not in _IGNORED_REASONS:
            self._call()
        return False


def focus_field(field: QWidget) -> None:
    """Give a field the keyboard focus and select its text.

    If the field itself takes no focus, the first enabled and visible widget in it does.
    """
    if field.focusPolicy() is Qt.FocusPolicy.NoFocus and field.focusProxy() is None:
        inside = (
            widget for widget in field.findChildren(QWidget) if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        )
        field = next((widget for widget in inside if widget.isEnabled() and widget.isVisibleTo(field)), field)
    field.setFocus(Qt.FocusReason.ShortcutFocusReason)
    if isinstance(field, QLineEdit | QPlainTextEdit):
        field.selectAll()


def focus_attribute(fields: Collection[QWidget], path: AttributePath) -> bool:
    """Focus the field that edits the attribute at `path`. Returns False if none does."""
    for field in fields:
        if isinstance(field, FocusableAttribute) and path.name in field.attribute_names:
            field.focus_attribute(path)
            return True
    return False
