"""The accessibility tree: every control has a name and a role, and the order is the visual order."""

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication

from batchwright.ui.core.activity import ActivityStatus
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.shell.state import DocumentTitle, ShellState, StatusMessage
from batchwright.ui.shell.window import Window
from batchwright.ui.widgets.accessibility.reading_order import Box, reading_order
from batchwright.ui.widgets.notices import Notice, NoticeSeverity
from tests.ui.accessibility import out_of_order, unnamed_controls, walk

pytestmark = pytest.mark.gui


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
    assert unnamed_controls(filled) == []


def test_every_control_of_the_command_palette_has_a_name_and_a_role(filled: Window) -> None:
    filled.open_command_palette()
    QApplication.processEvents()
    assert unnamed_controls(filled) == []


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
