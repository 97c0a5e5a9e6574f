"""Accessibility interfaces of custom widgets: role, state, actions and the order of their children.

Qt creates the interface of a widget when it is first queried. `accessible_with` registers the interface class
of a widget class and its subclasses. Any other widget that only contains widgets gets a `Container`, because
Qt would list its children in the order of their creation instead of reading order.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TypeVar

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QAccessibleStateChangeEvent, QContextMenuEvent
from PySide6.QtWidgets import QAccessibleWidget, QApplication, QWidget
from shiboken6 import createdByPython
from typing_extensions import override

W = TypeVar("W", bound=type[QWidget])

Box = tuple[int, int, int, int]
"""Left, top, width and height of a widget in its parent, in pixels."""
_X, _Y = 0, 1

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


def reading_order(boxes: Sequence[Box]) -> list[int]:
    """The indexes of boxes in reading order.

    Boxes are split by horizontal lines that cross none of them, otherwise by vertical lines. Where neither is
    possible, boxes that cover others come last.

    Args:
        boxes: the boxes of siblings in stacking order.
    """
    return _ordered(boxes, range(len(boxes)))


def _ordered(boxes: Sequence[Box], numbers: Sequence[int]) -> list[int]:
    if len(numbers) < 2:
        return list(numbers)
    for axis in (_Y, _X):
        bands = _bands(boxes, numbers, axis)
        if len(bands) > 1:
            return [number for band in bands for number in _ordered(boxes, band)]
    below: list[int] = []
    covering: list[int] = []
    for rank, number in enumerate(numbers):
        is_covering = any(_overlap(boxes[number], boxes[lower]) for lower in numbers[:rank])
        (covering if is_covering else below).append(number)
    if not covering:
        return _by_lines(boxes, below)
    return _ordered(boxes, below) + _by_lines(boxes, covering)


def _bands(boxes: Sequence[Box], numbers: Sequence[int], axis: int) -> list[list[int]]:
    """The groups of boxes that can be separated by lines along an axis."""
    bands: list[list[int]] = []
    end = 0
    for number in sorted(numbers, key=lambda index: boxes[index][axis]):
        start, extent = boxes[number][axis], boxes[number][axis + 2]
        if not bands or start >= end:
            bands.append([])
            end = start
        bands[-1].append(number)
        end = max(end, start + extent)
    return [sorted(band) for band in bands]


def _overlap(first: Box, second: Box) -> bool:
    """Whether the center of one box is inside the other; smaller overlaps are shadows."""
    return _contains_center(first, second) or _contains_center(second, first)


def _contains_center(box: Box, inner: Box) -> bool:
    x, y = inner[_X] + inner[2] / 2, inner[_Y] + inner[3] / 2
    return box[_X] <= x < box[_X] + box[2] and box[_Y] <= y < box[_Y] + box[3]


def _by_lines(boxes: Sequence[Box], numbers: Sequence[int]) -> list[int]:
    """The boxes line by line: a box belongs to a line if it starts above the middle of its first box."""
    lines: list[list[int]] = []
    for number in sorted(numbers, key=lambda index: boxes[index][_Y]):
        first = boxes[lines[-1][0]] if lines else None
        if first is not None and boxes[number][_Y] < first[_Y] + first[3] / 2:
            lines[-1].append(number)
        else:
            lines.append([number])
    return [number for line in lines for number in sorted(line, key=lambda index: boxes[index][_X])]


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
