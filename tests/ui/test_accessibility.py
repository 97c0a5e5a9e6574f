"""What a screen reader is told: every control has a name and a role."""

import pytest
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication, QWidget

from batchwright.ui.kit.notices import Mood, Notice
from batchwright.ui.shell.view_model import Document, Remark, Running, ShellViewModel
from batchwright.ui.shell.window import Window
from batchwright.ui.tasks import Tasks

pytestmark = pytest.mark.gui

ROLE = QAccessible.Role
NO_CONTROL = {ROLE.Client, ROLE.NoRole, ROLE.Pane, ROLE.Window}


def walk(interface: QAccessibleInterface) -> list[QAccessibleInterface]:
    """An interface and all below it."""
    children = [interface.child(number) for number in range(interface.childCount())]
    return [interface, *(found for child in children if child is not None for found in walk(child))]


def nameless(widget: QWidget) -> list[str]:
    """Every visible control that takes the keyboard and has no name, or no role of its own."""
    top = QAccessible.queryAccessibleInterface(widget)
    assert top is not None
    found = []
    for interface in walk(top):
        state = interface.state()
        if state.invisible or not state.focusable:
            continue
        name = interface.text(QAccessible.Text.Name)
        if not name or interface.role() in NO_CONTROL:
            found.append(f"{interface.role()} {name!r} {interface.object()}")
    return found


@pytest.fixture
def filled(window: Window, model: ShellViewModel) -> Window:
    window.open_with(window.frame_with(Tasks(lambda error: pytest.fail(str(error)))))
    model.set_document(Document("Preference study", is_saved=False))
    model.set_remarks(Remark("Saved 12:04"), Remark("No problems", "ok", "check-circle-fill"))
    model.set_running(Running("Importing reviews.csv", 0.63))
    model.set_jobs(2)
    window.notices.tell(Notice(Mood.FAILED, "Upload stopped", "It broke at 61 %.", "Retry"))
    QApplication.processEvents()
    return window


def test_every_control_of_the_shell_has_a_name_and_a_role(filled: Window) -> None:
    assert nameless(filled) == []


def test_every_control_of_the_finder_has_a_name_and_a_role(filled: Window) -> None:
    filled.open_finder()
    QApplication.processEvents()
    assert nameless(filled) == []


def test_the_walk_sees_the_controls(filled: Window) -> None:
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
