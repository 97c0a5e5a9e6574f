"""What a screen reader is told about the controls of a window."""

from itertools import combinations

from PySide6.QtCore import QRect
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QWidget

ROLE = QAccessible.Role
NO_CONTROL = {ROLE.Client, ROLE.NoRole, ROLE.Pane, ROLE.Window}


def walk(interface: QAccessibleInterface) -> list[QAccessibleInterface]:
    """Yield an interface and all its descendants."""
    children = [interface.child(number) for number in range(interface.childCount())]
    return [interface, *(matches for child in children if child is not None for matches in walk(child))]


def unnamed_controls(widget: QWidget) -> list[str]:
    """Every visible focusable control without a name or a specific role."""
    top = QAccessible.queryAccessibleInterface(widget)
    assert top is not None
    matches = []
    for interface in walk(top):
        state = interface.state()
        if state.invisible or not state.focusable:
            continue
        name = interface.text(QAccessible.Text.Name)
        if not name or interface.role() in NO_CONTROL:
            matches.append(f"{interface.role()} {name!r} {interface.object()}")
    return matches


def out_of_order(widget: QWidget) -> list[str]:
    """Every pair of siblings whose second is above the first, or left of it on the same line.

    Two that overlap have no order, and neither have two that share neither a line nor a column.
    """
    top = QAccessible.queryAccessibleInterface(widget)
    assert top is not None
    matches = []
    for interface in walk(top):
        children = [interface.child(number) for number in range(interface.childCount())]
        shown = [child for child in children if child is not None and is_shown(child)]
        matches += [
            f"{described(later)} is read after {described(earlier)} in {described(interface)}"
            for earlier, later in combinations(shown, 2)
            if comes_before(later.rect(), earlier.rect())
        ]
    return matches


def is_shown(interface: QAccessibleInterface) -> bool:
    """Whether an interface is visible."""
    return not interface.state().invisible and not interface.rect().isEmpty()


def comes_before(one: QRect, other: QRect) -> bool:
    """Whether one is entirely above the other in the same column, or left of it on the same line."""
    is_above = one.y() + one.height() <= other.y()
    is_left = one.x() + one.width() <= other.x()
    shares_column = one.x() < other.x() + other.width() and other.x() < one.x() + one.width()
    shares_line = one.y() < other.y() + other.height() and other.y() < one.y() + one.height()
    return (is_above and shares_column) or (is_left and shares_line)


def described(interface: QAccessibleInterface) -> str:
    """A description of an interface for failure messages."""
    element = type(interface.object()).__name__
    return f"{element} {interface.text(QAccessible.Text.Name)!r} at {interface.rect().getRect()}"
