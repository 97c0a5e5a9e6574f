"""The steps are a list beside the records: added by menu and form, moved, switched off and undone."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QMenu, QTableView, QWidget

from batchwright.analysis.statistics.planning.assumptions import StudyMeasure
from batchwright.base.json_values import JsonObject
from batchwright.ui.data.file.data_file import FileState, PreparationProgress
from batchwright.ui.data.prepare.prepare_panel import PreparePanel, progress_text
from batchwright.ui.data.prepare.step_dialog import StepDialog
from batchwright.ui.data.prepare.step_list import StepList
from batchwright.ui.data.prepare.step_result_dialog import StepResultDialog
from batchwright.ui.data.stage import DataStage
from batchwright.ui.data.stage_pages import FilePage
from batchwright.ui.planning.planning_dialog import PlanningDialog
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.notices import NoticeCard
from batchwright.ui.widgets.text import Label
from tests.ui.conftest import until
from tests.ui.data.conftest import buttons, opened, shown, wait_for_dialog
from tests.ui.data.prepare.conftest import PAIRS, SIDES

pytestmark = pytest.mark.gui


def listed(stage: DataStage) -> list[str]:
    """The steps as a screen reader says them."""
    model = shown(stage, StepList).model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def entries(menu: QMenu) -> list[QAction]:
    """All entries of a menu and of the menus in it."""
    found = []
    for action in menu.actions():
        inner = action.menu()
        found += entries(inner) if isinstance(inner, QMenu) else [action]
    return found


def choose(stage: DataStage, button: str, text: str) -> None:
    """Choose an entry in the menu of a button."""
    menu = buttons(stage)[button].menu()
    assert isinstance(menu, QMenu)
    next(action for action in entries(menu) if action.text() == text).trigger()


async def made(stage: DataStage, *steps: JsonObject) -> None:
    """Wait until the table is made by these steps."""
    await until(lambda: stage.state.steps == steps and not stage.state.is_reading)


def press(
    stage: DataStage, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    QTest.keyClick(shown(stage, StepList), key, modifier)


def texts(stage: DataStage) -> Sequence[str]:
    return [label.text() for label in shown(stage, PreparePanel).findChildren(Label) if label.isVisible()]


async def test_steps_are_added_moved_switched_off_removed_and_undone(stage: DataStage, outputs: Path) -> None:
    await opened(stage, outputs)
    stage.state.prepare_requested.emit()
    assert "Design the study here" in texts(stage)
    choose(stage, "Add the first step", "Compare systems")
    dialog = await wait_for_dialog(stage, StepDialog)
    dialog.accept()
    groups: JsonObject = {"step": "groups", "apart": "prompt"}
    await made(stage, PAIRS, SIDES, groups)
    buttons(stage)["How many?"].click()
    planner = await wait_for_dialog(stage, PlanningDialog)
    assert planner.state.request.assumptions.measure is StudyMeasure.WIN_RATE
    planner.reject()
    assert listed(stage) == [
        "1.  Pairs, 12 rows, prompt · system · output · All pairs of systems for each prompt · seed 1",
        "2.  Sides, 12 rows, seed 1",
        "3.  Task groups, 12 rows, Rows in a group: 10 · prompt · Shuffled · seed 1",
    ]
    shown(stage, StepList).show_current(1)
    press(stage, Qt.Key.Key_Space)
    off: JsonObject = {**SIDES, "off": True}
    assert [*stage.state.steps] == [PAIRS, off, groups]
    assert listed(stage)[1] == "2.  Sides, off, seed 1, switched off"
    press(stage, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert [*stage.state.steps] == [PAIRS, groups, off]
    press(stage, Qt.Key.Key_Delete)
    assert [*stage.state.steps] == [PAIRS, groups]
    for steps in ((PAIRS, groups, off), (PAIRS, off, groups), (PAIRS, SIDES, groups), ()):
        stage.state.study.undo()
        assert [*stage.state.steps] == [*steps]
    await made(stage)


async def test_the_buttons_of_a_step_wrap_rather_than_cut_off_longer_words(
    stage: DataStage, outputs: Path
) -> None:
    await opened(stage, outputs)
    stage.state.prepare_requested.emit()
    stage.state.change_steps([PAIRS], "Change steps")
    await made(stage, PAIRS)
    named = [buttons(stage)[name] for name in ("Change…", "Rows and balance…", "Remove")]
    for button in named:
        button.setText(2 * button.text())
    await until(lambda: all(button.width() >= button.sizeHint().width() for button in named))


async def test_a_step_is_dragged_to_another_place(stage: DataStage, outputs: Path) -> None:
    await opened(stage, outputs)
    stage.state.prepare_requested.emit()
    sample: JsonObject = {"step": "sample", "size": 9}
    stage.state.change_steps([sample, PAIRS, SIDES], "Change steps")
    await made(stage, sample, PAIRS, SIDES)
    steps = shown(stage, StepList)
    first, last = (steps.visualRect(steps.model().index(row, 0)).center() for row in (0, 2))
    last += QPoint(0, 8)
    button, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QTest.mousePress(steps.viewport(), button, none, first)
    for part in range(1, 5):
        point = first + (last - first) * part / 4
        moved = QMouseEvent(
            QEvent.Type.MouseMove, point.toPointF(), steps.mapToGlobal(point), button, button, none
        )
        QApplication.sendEvent(steps.viewport(), moved)
    QTest.mouseRelease(steps.viewport(), button, none, last)
    assert [*stage.state.steps] == [PAIRS, SIDES, sample]
    QTest.mousePress(steps.viewport(), button, none, first)
    QTest.mouseRelease(steps.viewport(), button, none, first)
    assert [*stage.state.steps] == [PAIRS, SIDES, sample]


async def test_a_problem_is_shown_at_its_step_which_is_changed(stage: DataStage, outputs: Path) -> None:
    await opened(stage, outputs)
    stage.state.change_steps([{**PAIRS, "system": "model"}, SIDES], "Change steps")
    await until(lambda: stage.state.file.state is FileState.UNREADABLE)
    assert stage.header.primary.text() == "Show the steps"
    stage.header.primary.click()
    problem = "There is no column “model”."
    assert listed(stage)[0] == f"Problem, 1.  Pairs, {problem}"
    assert problem in texts(stage)
    press(stage, Qt.Key.Key_Space)
    without = "There are no pairs yet: add the step “Pairs”, and move it before this one."
    await until(lambda: listed(stage)[1] == f"Problem, 2.  Sides, {without}")
    stage.state.study.undo()
    await until(lambda: listed(stage)[0] == f"Problem, 1.  Pairs, {problem}")
    buttons(stage)["Change…"].click()
    dialog = await wait_for_dialog(stage, StepDialog)
    system = next(
        box for box in dialog.findChildren(QComboBox) if box.currentText() == "model (not in the table)"
    )
    system.setCurrentIndex(system.findText("system"))
    dialog.accept()
    assert listed(stage)[1] == "2.  Sides, seed 1"
    await made(stage, PAIRS, SIDES)
    assert listed(stage)[1] == "2.  Sides, 12 rows, seed 1"
    buttons(stage)["Rows and balance…"].click()
    result = await wait_for_dialog(stage, StepResultDialog)
    rows, balance = (table.model() for table in result.findChildren(QTableView))
    assert rows.index(0, 0).data() == "Question 0?"
    assert [balance.index(0, column).data() for column in range(3)] == [
        "Comparisons of a system",
        "A",
        "8",
    ]
    result.accept()


async def test_a_step_of_a_newer_version_is_named_and_stays(stage: DataStage, outputs: Path) -> None:
    newer: JsonObject = {"step": "balance", "rows": [1]}
    await opened(stage, outputs)
    stage.state.change_steps([newer], "Change steps")
    await until(lambda: stage.state.file.state is FileState.UNREADABLE)
    stage.state.prepare_requested.emit()
    assert listed(stage)[0].startswith(
        "Problem, 1.  balance, Step 1 is unknown: “step” must be one of rename,"
    )
    assert not buttons(stage)["Change…"].isEnabled()
    press(stage, Qt.Key.Key_Return)
    press(stage, Qt.Key.Key_Space)
    await made(stage, {**newer, "off": True})
    assert stage.state.file.state is FileState.SHOWN
    assert listed(stage) == ["1.  balance, off, switched off"]


async def test_a_low_panel_shows_the_steps_and_no_details(stage: DataStage, outputs: Path) -> None:
    await opened(stage, outputs)
    stage.state.prepare_requested.emit()
    stage.state.change_steps([SIDES], "Change steps")
    await until(lambda: not stage.state.is_reading)
    around = QWidget()
    panel = PreparePanel(stage.state, around)
    (remove,) = (button for button in panel.findChildren(Button) if button.text() == "Remove")
    around.resize(400, 500)
    around.show()
    for height, has_details in ((200, False), (500, True)):
        panel.resize(400, height)
        assert remove.isVisible() == has_details
    around.close()


async def test_values_are_changed_before_the_steps_and_not_in_what_they_make(
    stage: DataStage, outputs: Path
) -> None:
    await opened(stage, outputs)
    stage.state.change_steps([PAIRS], "Change steps")
    await made(stage, PAIRS)
    shown(stage, FilePage).edit_requested.emit(stage.state.file.first_records[0], 0)
    title = "These records are made by the steps in Prepare"
    await until(lambda: any(title in card.notice.title for card in stage.window().findChildren(NoticeCard)))
    assert stage.state.edits == ()


async def test_making_steps_is_cancelled_and_offered_again(stage: DataStage, outputs: Path) -> None:
    await opened(stage, outputs)
    stage.state.prepare_requested.emit()
    stage.state.change_steps([PAIRS, SIDES], "Change steps")
    assert "Reading the table before the first step." in texts(stage)
    cancel = buttons(stage)["Cancel"]
    cancel.setFocus()
    cancel.click()
    assert stage.state.file.state is FileState.CANCELLED
    assert "Cancelled: there are no records." in texts(stage)
    assert stage.header.primary.text() == "Make the steps"
    assert listed(stage) == [
        "1.  Pairs, prompt · system · output · All pairs of systems for each prompt · seed 1",
        "2.  Sides, seed 1",
    ]
    stage.header.primary.click()
    await made(stage, PAIRS, SIDES)
    assert listed(stage)[1] == "2.  Sides, 12 rows, seed 1"
    assert "The file itself stays as it is." in texts(stage)


@pytest.mark.parametrize(
    ("progress", "text", "fraction"),
    [
        (PreparationProgress(3, None, 0, 0), "Reading the table before the first step.", 0),
        (PreparationProgress(3, 1, 0, 9), "Making step 2 of 3.", 1 / 6),
        (PreparationProgress(3, 3, 1500, 6000), "Writing 1,500 of 6,000 rows.", 5 / 8),
    ],
)
def test_progress_is_the_step_that_is_made_and_then_the_rows_that_are_written(
    progress: PreparationProgress, text: str, fraction: float
) -> None:
    assert progress_text(progress) == text
    assert progress.fraction == pytest.approx(fraction)
