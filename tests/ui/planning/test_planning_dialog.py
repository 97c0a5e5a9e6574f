"""The dialog “How many?”: what is wanted and assumed, and the plan that follows from it."""

import asyncio
from collections.abc import AsyncIterator
from itertools import chain
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDoubleSpinBox, QLabel

from batchwright.analysis.statistics.agreement.distances import Metric
from batchwright.analysis.statistics.planning.assumptions import StudyMeasure
from batchwright.analysis.statistics.planning.plans import Aim
from batchwright.analysis.store.sampling import Clusters
from batchwright.layout.serialization import read, sequential_keys
from batchwright.local.projects import Project
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.planning.pilot_file import read_pilot_file
from batchwright.ui.planning.plan_study import plan_study, use_study
from batchwright.ui.planning.planner_state import PlannerState
from batchwright.ui.planning.planning_dialog import PlanningDialog
from batchwright.ui.shell.window import Window
from batchwright.ui.study.study_model import Study
from tests.analysis.answers import COMPARISON, layout
from tests.ui.conftest import until
from tests.ui.window_fixtures import FakeFileDialogs, press

pytestmark = pytest.mark.gui


@pytest.fixture
def files() -> FakeFileDialogs:
    return FakeFileDialogs()


@pytest.fixture
def study(loop: asyncio.AbstractEventLoop, request: pytest.FixtureRequest) -> Study:
    """A study without data; the parameter is its project."""
    study = Study()
    study.open(getattr(request, "param", Project("Cats")), None)
    return study


@pytest.fixture
async def dialog(
    window: Window, tasks: Tasks, files: FakeFileDialogs, study: Study
) -> AsyncIterator[PlanningDialog]:
    """The dialog with the plan of a share."""
    window.resize(1280, 1000)
    window.show()
    tasks.start("how many", lambda: plan_study(tasks, window, study, files))
    await until(lambda: window.findChild(PlanningDialog) is not None)
    dialog = window.findChild(PlanningDialog)
    assert isinstance(dialog, PlanningDialog)
    await until(lambda: dialog.state.is_current and tasks.running == {"how many"})
    yield dialog
    dialog.reject()
    await until(lambda: not tasks.running)


async def planned(dialog: PlanningDialog) -> None:
    await until(lambda: dialog.state.is_current)


def choose(dialog: PlanningDialog, measure: StudyMeasure) -> None:
    dialog.measure.setCurrentIndex(dialog.measure.findData(measure))


def start_from(dialog: PlanningDialog, aim: Aim) -> None:
    dialog.aim.setCurrentIndex(dialog.aim.findData(aim))


def number(dialog: PlanningDialog, name: str) -> QDoubleSpinBox:
    """The visible number field with this name."""
    (found,) = [
        spin
        for spin in dialog.findChildren(QDoubleSpinBox)
        if spin.accessibleName() == name and spin.isVisible()
    ]
    return found


def row(dialog: PlanningDialog, name: str) -> list[str]:
    """The numbers in a row of the plan, by answers about a record."""
    model = dialog.table.model()
    names = [str(model.index(place, 0).data()) for place in range(model.rowCount())]
    return [str(model.index(names.index(name), place).data()) for place in range(1, model.columnCount())]


def texts(dialog: PlanningDialog) -> list[str]:
    return [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]


async def test_a_plan_follows_what_is_wanted_and_assumed(dialog: PlanningDialog) -> None:
    model, horizontal = dialog.table.model(), Qt.Orientation.Horizontal
    headings = [model.headerData(place, horizontal) for place in range(model.columnCount())]
    assert headings == ["Answers per record", "1", "2", "3", "5", "10"]
    assert row(dialog, "Records")[0] == "381"
    assert row(dialog, "Hours of work")[0] == "3.2"
    number(dialog, "Exact to ±").setValue(10)
    await planned(dialog)
    assert row(dialog, "Records")[0] == "93"
    number(dialog, "Expected share").setValue(5)
    await planned(dialog)
    assert int(row(dialog, "Records")[0]) < 50
    number(dialog, "Pay per hour").setValue(12)
    assert len(row(dialog, "Pay")) == 5
    number(dialog, "Fee of the platform").setValue(25)
    pay, with_fee = (float(row(dialog, name)[0]) for name in ("Pay", "Pay and fee"))
    assert with_fee == pytest.approx(1.25 * pay, abs=0.01)
    assert dialog.chart.chart is not None
    assert dialog.chart.chart.title == "Answers needed in total"
    assert dialog.chart.chart.text(0).startswith("1 answer per record")


@pytest.mark.parametrize(
    "study", [Project("Cats", read(layout(COMPARISON), sequential_keys()), tasks_per_group=5)], indirect=True
)
async def test_the_time_and_the_task_groups_are_those_of_the_study(dialog: PlanningDialog) -> None:
    assert number(dialog, "Tasks per participant").value() == 5
    assert 4 < number(dialog, "Seconds per task").value() < 10, "a short question with three options"
    assert "Estimated from the lengths of texts and the types of questions." in texts(dialog)
    number(dialog, "Seconds per task").setValue(36)
    assert row(dialog, "Hours of work")[0] == "3.8"
    assert "As long as a participant takes to read and answer." in texts(dialog)
    choose(dialog, StudyMeasure.MEAN)
    await planned(dialog)
    assert number(dialog, "Tasks per participant").value() == 5


@pytest.mark.parametrize(
    "study", [Project("Cats", read(layout(COMPARISON), sequential_keys()), tasks_per_group=5)], indirect=True
)
async def test_what_the_study_tells_replaces_no_value_that_was_entered_or_estimated(
    tasks: Tasks, study: Study, tmp_path: Path
) -> None:
    def lines(task: int) -> list[str]:
        answered_at = f"2026-01-01T00:{task:02}:00Z"
        return [f"p{person},t{task},helpful,{'yes' if task % 4 else 'no'},{answered_at}" for person in (1, 2)]

    heading = "participant,task,question,value,answered_at"
    pilot = tmp_path / "pilot.csv"
    pilot.write_text("\n".join([heading, *chain.from_iterable(map(lines, range(40))), ""]), encoding="utf-8")
    state = PlannerState(tasks)
    state.use_pilot(read_pilot_file(pilot, study.project))
    await asyncio.sleep(0)  # the estimate has started
    state.assume(tasks_per_participant=25)
    await until(lambda: bool(state.pilot_note))
    assert (state.time.task_s, state.time_note) == (60, "The median in the answers of the pilot.")
    await use_study(state, study)
    assert (state.time.task_s, state.time_note) == (60, "The median in the answers of the pilot.")
    assert state.request.assumptions.tasks_per_participant == 25
    state.set_seconds(75)
    await use_study(state, study)
    assert state.time.task_s == 75


async def test_a_budget_shows_how_exact_the_result_is(dialog: PlanningDialog) -> None:
    choose(dialog, StudyMeasure.MEAN)
    start_from(dialog, Aim.BUDGET)
    number(dialog, "Answers in total").setValue(300)
    number(dialog, "Standard deviation").setValue(2)
    await planned(dialog)
    assert row(dialog, "Records") == ["300", "150", "100", "60", "30"]
    assert dialog.chart.chart is not None
    assert dialog.chart.chart.title == "How exact the result is (±)"


async def test_a_difference_is_from_a_value_that_is_proposed(dialog: PlanningDialog) -> None:
    start_from(dialog, Aim.POWER)
    await planned(dialog)
    assert number(dialog, "Different from").value() == 40
    assert row(dialog, "Difference found")[0] == "80 %"
    number(dialog, "Different from").setValue(50)
    await planned(dialog)
    assert "The expected value must differ from the other one." in texts(dialog)
    assert not dialog.table.isVisible()


async def test_fields_are_those_that_a_measure_needs(dialog: PlanningDialog) -> None:
    choose(dialog, StudyMeasure.WIN_RATE)
    await planned(dialog)
    number(dialog, "Systems").setValue(3)
    await planned(dialog)
    assert row(dialog, "Records")[0] == "1,096"
    dialog.clusters.setCurrentIndex(dialog.clusters.findData(Clusters.BOTH))
    await planned(dialog)
    assert number(dialog, "Likeness of one participant's answers").value() == pytest.approx(0.1)
    assert not [
        spin for spin in dialog.findChildren(QDoubleSpinBox) if spin.isVisible() and not spin.accessibleName()
    ]


async def test_a_simulation_can_be_stopped_and_started_again(dialog: PlanningDialog) -> None:
    choose(dialog, StudyMeasure.AGREEMENT)
    start_from(dialog, Aim.BUDGET)
    number(dialog, "Answers in total").setValue(60)
    await until(dialog.stop_button.isVisible)
    dialog.stop_button.click()
    await until(lambda: dialog.stop_button.text() == "Compute")
    assert not dialog.state.is_current
    dialog.stop_button.click()
    await planned(dialog)
    assert row(dialog, "Records") == ["30", "20", "12", "6"]
    assert not dialog.stop_button.isVisible()


async def test_agreement_is_about_options_or_numbers(dialog: PlanningDialog) -> None:
    choose(dialog, StudyMeasure.AGREEMENT)
    dialog.state.stop()
    names = {"Options", "Most frequent option", "Deviation from the mean"}
    shown = {Metric.NOMINAL: {*names} - {"Deviation from the mean"}, Metric.INTERVAL: set()}
    for metric, fields in {**shown, Metric.RATIO: {"Deviation from the mean"}}.items():
        dialog.kind_of_answers.setCurrentIndex(dialog.kind_of_answers.findData(metric))
        dialog.state.stop()
        visible = {spin.accessibleName() for spin in dialog.findChildren(QDoubleSpinBox) if spin.isVisible()}
        assert visible & names == fields
    number(dialog, "Seed").setValue(5)
    assert dialog.state.request.seed == 5


async def test_values_are_estimated_from_the_answers_of_a_pilot(
    dialog: PlanningDialog, files: FakeFileDialogs, tmp_path: Path
) -> None:
    lines = [
        f"p{person},t{task},helpful,{'yes' if task % 4 else 'no'}" for task in range(40) for person in (1, 2)
    ]
    files.path = tmp_path / "pilot.csv"
    files.path.write_text("\n".join(["participant,task,question,value", *lines, ""]), encoding="utf-8")
    press(dialog, "Estimate from the answers of a pilot…")
    await until(lambda: "Estimated from 80 answers to “helpful”: no." in texts(dialog))
    assert number(dialog, "Expected share").value() == 25
    assert number(dialog, "Likeness of answers to one record").value() == 1
    files.path = tmp_path / "notes.csv"
    files.path.write_text("not,answers\n1,2\n", encoding="utf-8")
    press(dialog, "Estimate from the answers of a pilot…")
    await until(lambda: any("The table is wide" in text for text in texts(dialog)))
    choose(dialog, StudyMeasure.MEAN)
    await until(lambda: any("no question" in text for text in texts(dialog)))
    assert number(dialog, "Standard deviation").value() == 1


async def test_a_value_beyond_what_can_be_entered_is_shown_as_it_is_planned(dialog: PlanningDialog) -> None:
    choose(dialog, StudyMeasure.WIN_RATE)
    dialog.state.assume(systems=25)
    await planned(dialog)
    systems = number(dialog, "Systems")
    assert systems.value() == 25
    systems.setValue(4)
    await planned(dialog)
    assert dialog.state.request.assumptions.systems == 4
    assert systems.maximum() == 20


async def test_a_proposed_value_to_differ_from_follows_the_pilot(
    dialog: PlanningDialog, files: FakeFileDialogs, tmp_path: Path
) -> None:
    choose(dialog, StudyMeasure.MEAN)
    start_from(dialog, Aim.POWER)
    assert number(dialog, "Different from").value() == -0.5
    lines = [f"p{person},t{task},length,{100 + task}.25,cm" for task in range(40) for person in (1, 2)]
    files.path = tmp_path / "pilot.csv"
    files.path.write_text("\n".join(["participant,task,question,value,unit", *lines, ""]), encoding="utf-8")
    press(dialog, "Estimate from the answers of a pilot…")
    await until(lambda: number(dialog, "Expected mean").value() == 119.75)
    assert number(dialog, "Different from").value() == pytest.approx(119.75 - 11.6 / 2, abs=0.1)
    number(dialog, "Different from").setValue(100)
    press(dialog, "Estimate from the answers of a pilot…")
    await planned(dialog)
    assert number(dialog, "Different from").value() == 100
