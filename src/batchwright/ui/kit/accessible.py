"""What screen readers are told of widgets that Qt does not know: their role, state, actions, and order.

Qt makes an interface for each widget when somebody first asks for it; `spoken_by` names the class of ours
that it makes for a class of widgets and those below it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QAccessibleStateChangeEvent, QContextMenuEvent
from PySide6.QtWidgets import QAccessibleWidget, QApplication, QWidget
from typing_extensions import override

W = TypeVar("W", bound=type[QWidget])

_KINDS: dict[type, "type[Accessible]"] = {}


def spoken_by(interface: "type[Accessible]") -> Callable[[W], W]:
    """Have the widgets of the decorated class described by an interface of this class."""

    def register(kind: W) -> W:
        _KINDS[kind] = interface
        return kind

    return register


def _interface(_key: str, thing: QObject) -> QAccessibleInterface | None:
    """The interface of ours for a widget; None leaves it to Qt."""
    kind = next((_KINDS[one] for one in type(thing).__mro__ if one in _KINDS), None)
    return kind(thing) if kind is not None and isinstance(thing, QWidget) else None


QAccessible.installFactory(_interface)


class Accessible(QAccessibleWidget):
    """Tells what is in a widget as it is read: line by line, and from left to right."""

    is_a = QAccessible.Role.Grouping

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget, self.is_a)

    def actions(self) -> Mapping[str, Callable[[], object]]:
        """What can be done with the widget, by names in the person's language."""
        return {}

    def mark(self, state: QAccessible.State) -> None:
        """Say how the widget stands, beyond what Qt knows."""

    def _parts(self) -> list[QWidget]:
        widgets = self.widget().findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return in_reading_order([one for one in widgets if not one.isHidden() and not one.isWindow()])

    @override
    def state(self) -> QAccessible.State:
        state = super().state()
        self.mark(state)
        return state

    @override
    def childCount(self) -> int:
        return len(self._parts())

    @override
    def child(self, index: int) -> QAccessibleInterface:
        parts = self._parts()
        if 0 <= index < len(parts):
            return QAccessible.queryAccessibleInterface(parts[index])
        return None  # type: ignore[return-value]  # Qt takes none

    @override
    def indexOfChild(self, child: QAccessibleInterface) -> int:
        parts, thing = self._parts(), child.object()
        return parts.index(thing) if thing in parts else -1

    @override
    def actionNames(self) -> list[str]:
        return [*self.actions(), *super().actionNames()]

    @override
    def localizedActionName(self, name: str) -> str:
        return name if name in self.actions() else super().localizedActionName(name)

    @override
    def doAction(self, name: str) -> None:
        do = self.actions().get(name)
        if do is None:
            super().doAction(name)
        else:
            do()


def in_reading_order(widgets: Sequence[QWidget]) -> list[QWidget]:
    """Widgets line by line; one that begins above the middle of those before it is in their line."""
    lines: list[list[QWidget]] = []
    for widget in sorted(widgets, key=lambda one: one.y()):
        if lines and widget.y() < lines[-1][0].geometry().center().y():
            lines[-1].append(widget)
        else:
            lines.append([widget])
    return [widget for line in lines for widget in sorted(line, key=QWidget.x)]


def show_menu(widget: QWidget) -> None:
    """Open the menu of a widget, as the menu key does."""
    at = widget.rect().center()
    reason = QContextMenuEvent.Reason.Keyboard
    QApplication.postEvent(widget, QContextMenuEvent(reason, at, widget.mapToGlobal(at)))


def tell_change(widget: QWidget, *states: str) -> None:
    """Tell screen readers that these states of a widget are others now, as `selected`."""
    state = QAccessible.State()
    for name in states:
        setattr(state, name, 1)
    QAccessible.updateAccessibility(QAccessibleStateChangeEvent(widget, state))
