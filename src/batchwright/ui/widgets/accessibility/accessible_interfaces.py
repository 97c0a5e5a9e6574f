"""Accessibility interfaces of custom widgets: role, state, actions and the order of their children.

Qt creates the interface of a widget when it is first queried. `accessible_with` registers the interface class
of a widget class and its subclasses. Any other widget that only contains widgets gets a `Container`, because
Qt would list its children in the order of their creation instead of reading order.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeVar

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QAccessibleStateChangeEvent, QContextMenuEvent
from PySide6.QtWidgets import QAccessibleWidget, QApplication, QWidget
from shiboken6 import createdByPython
from typing_extensions import override

from batchwright.ui.widgets.accessibility.reading_order import Box, reading_order

W = TypeVar("W", bound=type[QWidget])

_INTERFACES: dict[type, "type[Accessible]"] = {}

_CONTAINER_ROLES = {
    "QWidget": QAccessible.Role.Client,
    "QFrame": QAccessible.Role.Border,
    "QSplitter": QAccessible.Role.Splitter,
    "QDialog": QAccessible.Role.Dialog,
    "QMainWindow": QAccessible.Role.Window,
}
"""Qt's container classes and the roles that Qt gives them."""


def accessible_with(interface: "type[Accessible]") -> Callable[[W], W]:
    """Class decorator: use this interface for the widget class and its subclasses."""

    def register(kind: W) -> W:
        _INTERFACES[kind] = interface
        return kind

    return register


def _interface(key: str, widget: QObject) -> QAccessibleInterface | None:
    """The interface factory for `QAccessible.installFactory`; None selects Qt's own interface.

    Qt calls it with the name of each class of the widget, from the most derived one to its bases. Widgets
    that Qt creates inside its own widgets are left to Qt.
    """
    if not isinstance(widget, QWidget):
        return None
    kind = next((_INTERFACES[base] for base in type(widget).__mro__ if base in _INTERFACES), None)
    if kind is not None:
        return kind(widget)
    is_ours = key in _CONTAINER_ROLES and createdByPython(widget)
    return Container(widget, _CONTAINER_ROLES[key]) if is_ours else None


@cache
def install_interfaces() -> None:
    """Install the interface factory.

    Call it after creating the application, whose factory would otherwise come first, and before creating the
    first widget.
    """
    QAccessible.installFactory(_interface)


class Container(QAccessibleWidget):
    """The interface of a container: its children in reading order."""

    def __init__(self, widget: QWidget, role: QAccessible.Role) -> None:
        super().__init__(widget, role)
        self._boxes: list[Box] = []
        self._order: list[int] = []

    def _children(self) -> list[QWidget]:
        widgets = self.widget().findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        shown = [widget for widget in widgets if not widget.isHidden() and not widget.isWindow()]
        boxes: list[Box] = [widget.geometry().getRect() for widget in shown]  # type: ignore[misc]  # four numbers
        if boxes != self._boxes:  # Qt queries each child separately
            self._boxes, self._order = boxes, reading_order(boxes)
        return [shown[number] for number in self._order]

    @override
    def childCount(self) -> int:
        return len(self._children())

    @override
    def child(self, index: int) -> QAccessibleInterface:
        children = self._children()
        if 0 <= index < len(children):
            return QAccessible.queryAccessibleInterface(children[index])
        return None  # type: ignore[return-value]  # Qt takes none

    @override
    def indexOfChild(self, child: QAccessibleInterface) -> int:
        children, widget = self._children(), child.object()
        return children.index(widget) if widget in children else -1


class Accessible(Container):
    """A container with its own role, state and actions."""

    role_of_class = QAccessible.Role.Grouping

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget, self.role_of_class)

    def actions(self) -> Mapping[str, Callable[[], object]]:
        """The actions of the widget by their translated names."""
        return {}

    def update_state(self, state: QAccessible.State) -> None:
        """Add the state of the widget that Qt does not know."""

    @override
    def state(self) -> QAccessible.State:
        state = super().state()
        self.update_state(state)
        return state

    @override
    def actionNames(self) -> list[str]:
        return [*self.actions(), *super().actionNames()]

    @override
    def localizedActionName(self, name: str) -> str:
        return name if name in self.actions() else super().localizedActionName(name)

    @override
    def doAction(self, name: str) -> None:
        action = self.actions().get(name)
        if action is None:
            super().doAction(name)
        else:
            action()


def show_menu(widget: QWidget) -> None:
    """Open the context menu of a widget, like the menu key."""
    at = widget.rect().center()
    reason = QContextMenuEvent.Reason.Keyboard
    QApplication.postEvent(widget, QContextMenuEvent(reason, at, widget.mapToGlobal(at)))


def emit_state_changed(widget: QWidget, *states: str) -> None:
    """Notify screen readers that states of a widget have changed, for example `selected`."""
    state = QAccessible.State()
    for name in states:
        setattr(state, name, 1)
    QAccessible.updateAccessibility(QAccessibleStateChangeEvent(widget, state))
