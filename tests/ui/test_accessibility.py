"""The accessibility tree: every control has a name and a role, and the order is the visual order."""

from itertools import combinations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication, QWidget

from batchwright.ui.core.activity import ActivityStatus
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.shell.state import DocumentTitle, ShellState, StatusMessage
from batchwright.ui.shell.window import Window
from batchwright.ui.widgets.notices import Notice, NoticeSeverity
from batchwright.ui.widgets.reading_order import Box, reading_order

pytestmark = pytest.mark.gui

ROLE = QAccessible.Role
NO_CONTROL = {ROLE.Client, ROLE.NoRole, ROLE.Pane, ROLE.Window}


def walk(interface: QAccessibleInterface) -> list[QAccessibleInterface]:
    """Yield an interface and all its descendants."""
    children = [interface.child(number) for number in range(interface.childCount())]
    return [interface, *(matches for child in children if child is not None for matches in walk(child))]


def default_format(widget: QWidget) -> list[str]:
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


@pytest.fixture
def filled(window: Window, shell: ShellState) -> Window:
    window.set_context(window.stage_context(Tasks(lambda error: pytest.fail(str(error)))))
    shell.set_document(DocumentTitle("Preference study", is_saved=False))
    shell.set_status_messages(
        StatusMessage("Saved 12:04"), StatusMessage("No problems", "ok", "check-circle-fill")
    )
    shell.set_activity(ActivityStatus("Importing reviews.csv", 0.63))
    shell.set_job_count(2)
    window.notices.show_notice(Notice(NoticeSeverity.ERROR, "Upload stopped", "It broke at 61 %.", "Retry"))
    QApplication.processEvents()
    return window


def test_every_control_of_the_shell_has_a_name_and_a_role(filled: Window) -> None:
    assert default_format(filled) == []


def test_every_control_of_the_command_palette_has_a_name_and_a_role(filled: Window) -> None:
    filled.open_command_palette()
    QApplication.processEvents()
    assert default_format(filled) == []


def test_the_shell_and_the_command_palette_are_in_visual_order(filled: Window) -> None:
    assert out_of_order(filled) == []
    filled.open_command_palette()
    QApplication.processEvents()
    assert out_of_order(filled) == []


def test_walk_yields_the_controls(filled: Window) -> None:
    top = QAccessible.queryAccessibleInterface(filled)
    assert top is not None
    names = {interface.text(QAccessible.Text.Name) for interface in walk(top)}
    assert {
        "Home",
        "Jobs",
        "Rehearsal, This computer",
        "Find anything",
        "Retry",
        "Importing reviews.csv",
    } <= names


@pytest.mark.parametrize(
    ("boxes", "order"),
    [
        ([(0, 50, 100, 40), (0, 0, 100, 40)], [1, 0]),
        ([(60, 0, 50, 40), (0, 5, 50, 20)], [1, 0]),
        ([(200, 0, 40, 90), (0, 0, 100, 20), (0, 30, 100, 20)], [1, 2, 0]),
        ([(0, 0, 100, 20), (0, 30, 40, 20), (50, 30, 40, 20), (0, 60, 100, 20)], [0, 1, 2, 3]),
        ([(0, 0, 300, 200), (0, 0, 100, 20), (0, 30, 100, 20)], [0, 1, 2]),
        ([(0, 80, 100, 50), (0, 40, 100, 50), (0, 0, 100, 50)], [2, 1, 0]),
    ],
    ids=["below", "beside", "columns", "lines", "on a ground", "shadows that overlap"],
)
def test_the_reading_order_follows_the_geometry(boxes: list[Box], order: list[int]) -> None:
    assert reading_order(boxes) == order
