"""The setup dialog, and the dialog that duplicates a batch."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDoubleSpinBox, QLabel, QLineEdit, QRadioButton, QSpinBox
from pytestqt.qtbot import QtBot

from batchwright.client.remote_study import remote_batch
from batchwright.client.task_layouts import recorded_layouts
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.record_amounts import RecordAmounts
from batchwright.layout.working_time import WorkingTime
from batchwright.local.projects import DataFile
from batchwright.ui.content.charts.chart_canvas import ChartCanvas
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.planning.planning_dialog import PlanningDialog
from batchwright.ui.run.commands import start_simulation
from batchwright.ui.run.dialogs import DuplicateDialog, SetUpDialog
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.stage import RunStage
from batchwright.ui.widgets.buttons import ButtonKind
from batchwright.ui.widgets.dialogs.dialog import WarningBanner
from batchwright.wire.batches import Batch, BatchSetup, BatchStatus, BatchUpdate
from batchwright.workflows.rehearsal import simulate
from batchwright.workflows.rehearsal.simulate import SimulationOptions
from tests.ui.conftest import focused, until
from tests.ui.run.conftest import QUESTION_ONLY, go_live, press, ready, set_up_chosen, settled

pytestmark = pytest.mark.gui


async def open_dialog(stage: RunStage) -> DuplicateDialog:
    """Open the dialog with the button of the batch."""
    press(stage, "Duplicate")
    await until(lambda: bool(shown(stage)))
    (dialog,) = shown(stage)
    return dialog


def shown(stage: RunStage) -> list[DuplicateDialog]:
    return [
        duplicate_dialog
        for duplicate_dialog in stage.window().findChildren(DuplicateDialog)
        if duplicate_dialog.isVisible()
    ]


def field(dialog: DuplicateDialog) -> QLineEdit:
    one = dialog.findChild(QLineEdit, "name")
    assert one is not None
    return one


def shown_batch(stage: RunStage) -> Batch:
    batch = stage.state.chosen
    assert batch is not None
    return batch


@pytest.mark.spec("U-01", "U-02")
@pytest.mark.endpoint("batches.duplicate")
async def test_a_copy_with_the_dataset_is_selected_and_opens_as_a_study(stage: RunStage) -> None:
    await ready(stage)
    state = stage.state
    original = shown_batch(stage)
    dialog = await open_dialog(stage)
    assert focused() is field(dialog)
    assert field(dialog).text() == "Cats (Copy)"
    dialog.accept_button.click()
    await settled(stage)
    copy = shown_batch(stage)
    assert copy.id != original.id
    assert (copy.name, copy.status, copy.total_task_count) == ("Cats (Copy)", "UNINITIALISED", 0)
    assert [dataset.id for dataset in copy.datasets] == [dataset.id for dataset in original.datasets]
    assert {batch.id for batch in state.resources} >= {copy.id, original.id}
    assert next_step(state).text.startswith("“Cats (Copy)”: ")
    press(stage, "Open as a study")
    await settled(stage)
    assert state.study.project.name == "Cats (Copy)"
    assert state.remote.batch_id == copy.id
    assert state.is_as_sent


@pytest.mark.spec("U-03")
async def test_a_copy_without_the_dataset_needs_its_own_data(stage: RunStage) -> None:
    await ready(stage)
    dialog = await open_dialog(stage)
    field(dialog).setText("  ")
    assert (dialog.accept_button.isEnabled(), dialog.accept_button.toolTip()) == (
        False,
        "Enter a name for the copy first",
    )
    field(dialog).setText(" Dogs ")
    (_shared, without) = dialog.findChildren(QRadioButton)
    assert "other records" in without.accessibleDescription()
    without.click()
    dialog.accept_button.click()
    await settled(stage)
    assert (shown_batch(stage).name, shown_batch(stage).datasets) == ("Dogs", ())

    again = await open_dialog(stage)
    assert not [radio_button for radio_button in again.findChildren(QRadioButton) if radio_button.isVisible()]
    assert any("has no dataset" in line.text() for line in again.findChildren(QLabel))
    press(stage, "Cancel")
    await settled(stage)
    assert shown_batch(stage).name == "Dogs"


async def test_duplicating_at_a_live_service_shows_a_warning(stage: RunStage) -> None:
    await ready(stage)
    batch = shown_batch(stage)
    await go_live(stage)
    stage.state.choose(batch.id)
    dialog = await open_dialog(stage)
    assert dialog.accept_button.kind is ButtonKind.LIVE
    assert dialog.findChildren(WarningBanner)[0].text == "This reaches Lab. It cannot be undone."
    press(stage, "Cancel")


@pytest.mark.spec("K-03")
@pytest.mark.parametrize("records", [0, 1, 9])
@pytest.mark.parametrize("typed", ["0", "00", "-4", "0.5", "1e0", "", "10", "-"])
def test_any_typed_value_becomes_a_positive_integer(qtbot: QtBot, records: int, typed: str) -> None:
    dialog = SetUpDialog("Cats", records, 3, group_field=None, live="", is_again=False, answers=0)
    qtbot.addWidget(dialog)
    dialog.show()
    spin = dialog.findChild(QSpinBox)
    assert spin is not None
    QTest.keyClicks(spin, typed)
    dialog.accept()
    assert BatchSetup(tasks_per_group=dialog.tasks_per_group)
    assert dialog.tasks_per_group >= 1


def set_up_dialog(
    qtbot: QtBot, records: int, tasks_per_group: int, group_field: str | None = None
) -> tuple[SetUpDialog, QSpinBox]:
    """A setup dialog, and its field."""
    dialog = SetUpDialog(
        "Cats", records, tasks_per_group, group_field=group_field, live="", is_again=False, answers=0
    )
    qtbot.addWidget(dialog)
    dialog.show()
    spin = dialog.findChild(QSpinBox)
    assert spin is not None
    return dialog, spin


@pytest.mark.spec("K-03")
@pytest.mark.parametrize("group_field", [None, "group"])
@pytest.mark.parametrize("records", [0, 5])
@pytest.mark.parametrize("stored", [10, 3_000_000_000])
def test_a_number_above_that_of_the_records_is_kept(
    qtbot: QtBot, stored: int, records: int, group_field: str | None
) -> None:
    dialog, spin = set_up_dialog(qtbot, records, stored, group_field)
    assert spin.value() == min(stored, 2**31 - 1)
    dialog.accept()
    assert dialog.tasks_per_group == stored


@pytest.mark.spec("K-03")
def test_a_number_above_that_of_the_records_can_be_typed(qtbot: QtBot) -> None:
    dialog, spin = set_up_dialog(qtbot, 5, 2)
    QTest.keyClicks(spin, "200")
    dialog.accept()
    assert dialog.tasks_per_group == 200


@pytest.mark.parametrize(
    ("records", "each", "note", "nouns"),
    [
        (5, 10, "There is one group, with all 5 tasks.", {"group", "records per person"}),
        (1, 10, "There is one group, with the only task.", {"group", "record per person"}),
        (5, 2, "The last group holds 1 task.", {"groups", "records per person"}),
        (4, 2, "All groups have the same size.", {"groups", "records per person"}),
        (0, 2, "All groups have the same size.", {"groups", "records per person"}),
    ],
)
def test_the_setup_dialog_describes_the_groups(
    qtbot: QtBot, records: int, each: int, note: str, nouns: set[str]
) -> None:
    dialog, _spin = set_up_dialog(qtbot, records, each)
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert any(text.startswith(note) for text in texts)
    assert nouns <= set(texts)


def result_of(dialog: SetUpDialog) -> str:
    """The text about participants, time and pay."""
    return next(label.text() for label in dialog.findChildren(QLabel) if "participant" in label.text())


def test_the_setup_dialog_says_how_many_people_work_how_long_and_for_how_much(qtbot: QtBot) -> None:
    dialog, spin = set_up_dialog(qtbot, 120, 20)
    answers, (pay,) = dialog.findChildren(QSpinBox)[1], dialog.findChildren(QDoubleSpinBox)
    dialog.show_amounts(RecordAmounts(120, {}, {}), WorkingTime(60, 30))
    assert result_of(dialog) == "6 participants · about 11 min each · 1 h 6 min together"
    answers.setValue(3)
    pay.setValue(12)
    expected = "18 participants · about 11 min each · 3 h 18 min together · about 39.60 in pay"
    assert result_of(dialog) == expected
    spin.setValue(120)
    assert result_of(dialog).startswith("3 participants · about 1 h 1 min each")


def test_the_setup_dialog_shows_the_sizes_of_the_groups_of_a_field(qtbot: QtBot) -> None:
    dialog, _spin = set_up_dialog(qtbot, 9, 1, "group")
    dialog.show_amounts(RecordAmounts(9, {}, {1: 2, 7: 1}), WorkingTime(0, 60))
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert {"3", "groups", "1 – 7", "records per person"} <= set(texts)
    assert result_of(dialog) == "3 participants · about 3 min each · 9 min together"


def bars(dialog: SetUpDialog) -> list[str]:
    """The bars of the chart as they are read out; none while it is hidden."""
    chart = dialog.findChild(ChartCanvas)
    assert chart is not None
    return [] if chart.isHidden() else [item.accessibleName() for item in chart.items]


def test_a_chart_shows_groups_of_different_sizes(qtbot: QtBot) -> None:
    dialog, spin = set_up_dialog(qtbot, 120, 20)
    assert bars(dialog) == []
    spin.setValue(50)
    group = "Groups by number of tasks"
    assert bars(dialog) == [f"{group}, 20 tasks: 1", f"{group}, 50 tasks: 2"]
    dialog, _spin = set_up_dialog(qtbot, 5_050, 1, "group")
    dialog.show_amounts(RecordAmounts(5_050, {}, dict.fromkeys(range(1, 101), 1)), WorkingTime(0, 60))
    assert len(bars(dialog)) == 8
    assert bars(dialog)[0] == f"{group}, 1 to 13 tasks: 13"
    assert bars(dialog)[-1] == f"{group}, 92 to 100 tasks: 9"


async def test_the_records_of_the_study_are_counted_for_the_dialog(stage: RunStage, tmp_path: Path) -> None:
    await ready(stage)
    table = tmp_path / "table.csv"
    table.write_text(f"prompt\n{'x' * 24_000}\n{'y' * 24_000}\n")
    data = DataFile(table, table.stat().st_size, Format(FormatKind.CSV))
    stage.state.study.set_data(data)
    press(stage, "Set up again")
    await until(lambda: stage.window().findChild(SetUpDialog) is not None, 30)
    dialog = next(dialog for dialog in stage.window().findChildren(SetUpDialog) if dialog.isVisible())
    await until(lambda: "about 18 min each" in result_of(dialog), 30)
    press(stage, "How many are needed?")
    await until(lambda: stage.window().findChild(PlanningDialog) is not None)
    planner = stage.window().findChild(PlanningDialog)
    assert isinstance(planner, PlanningDialog)
    await until(lambda: planner.state.time.task_s > 1000, 30)
    planner.reject()
    assert dialog.isVisible()
    press(stage, "Cancel")
    await settled(stage)


async def test_the_time_of_a_task_is_that_of_the_rehearsal_once_people_have_worked_there(
    stage: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ready(stage)
    set_up_chosen(stage.state, 2)
    await settled(stage)
    start_simulation(stage.state, SimulationOptions(1, per_task=2))
    await settled(stage)
    monkeypatch.setattr(simulate, "simulated_participant", lambda _seed, number: f"{number:024}")
    start_simulation(stage.state, SimulationOptions(1, per_task=2))
    await settled(stage)
    press(stage, "Set up again")
    await until(lambda: stage.window().findChild(SetUpDialog) is not None, 30)
    dialog = next(dialog for dialog in stage.window().findChildren(SetUpDialog) if dialog.isVisible())

    def source() -> str:
        return next(label.text() for label in dialog.findChildren(QLabel) if "is sent." in label.text())

    await until(lambda: source().startswith("Measured at 1 task that you or others worked on"), 30)
    press(stage, "Cancel")
    await settled(stage)


@pytest.mark.spec("K-03")
def test_the_down_key_stops_at_one(qtbot: QtBot) -> None:
    dialog = SetUpDialog("Cats", 9, 3, group_field=None, live="", is_again=False, answers=0)
    qtbot.addWidget(dialog)
    dialog.show()
    spin = dialog.findChild(QSpinBox)
    assert spin is not None
    for expected in (2, 1, 1):
        QTest.keyClick(spin, Qt.Key.Key_Down)
        assert spin.value() == expected
    dialog.accept()
    assert dialog.tasks_per_group == 1


async def test_a_batch_that_another_client_changes_before_the_setup_is_confirmed_is_not_set_up(
    stage: RunStage, failed: list[str]
) -> None:
    stage.window_context.actions.run(ActionId.RUN_PUBLISH)
    await until(lambda: stage.window().findChild(SetUpDialog) is not None, 30)
    context, batch = await stage.state.session.context(), stage.state.own
    assert batch is not None
    changed = await context.service.batches.update(batch.id, BatchUpdate(batch_items=QUESTION_ONLY))
    await stage.state.remote_list.fetch_now()
    press(stage, "Create 2 tasks")
    await settled(stage)
    assert "The batch “Cats” changed at the service after you opened this." in failed[0]
    assert (await context.service.batches.get(batch.id)).status == BatchStatus.UNINITIALISED

    set_up_chosen(stage.state, 1)
    await settled(stage)
    (layout,) = await recorded_layouts(context, remote_batch(batch.id))
    assert layout.pages == changed.batch_items
