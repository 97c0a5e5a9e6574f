"""The batches of the workspace that do not belong to the study, legacy ones included, and no study at all."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QSpinBox

from batchwright.local.projects import Project, StudyKind
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.run.batch_list import BatchList
from batchwright.ui.run.batch_panel import ChecklistPanel, PlatformPanel, SyncPanel
from batchwright.ui.run.dialogs import SetUpDialog
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.stage import RunStage
from batchwright.ui.study.simulation_dialog import SimulationDialog
from batchwright.ui.widgets.buttons import ButtonKind
from batchwright.ui.widgets.dialogs.dialog import Dialog, WarningBanner
from batchwright.ui.widgets.id_label import CopyIdButton
from batchwright.ui.widgets.rows.row_list import RowList
from batchwright.ui.widgets.toggles import Switch
from batchwright.wire.batches import Batch, BatchCreate, BatchSetup, BatchStatus
from batchwright.wire.datapoints import JsonLinesBody
from batchwright.wire.instructions import InstructionsWrite
from tests.api.studies import DETAILS
from tests.ui.conftest import until
from tests.ui.run.conftest import WHICH, WHY, find_in_window, go_live, press, ready, settled

pytestmark = pytest.mark.gui


async def create_other(stage: RunStage, name: str = "Old", *, with_data: bool = True) -> Batch:
    """A legacy batch on the dataset of the study, listed."""
    context = await stage.state.session.context()
    batch = await context.service.batches.create(
        BatchCreate(
            name=name,
            workspace_id=context.workspace_id,
            task_details=DETAILS,
            dataset_id=stage.state.remote.dataset_id if with_data else None,
        )
    )
    instructions = InstructionsWrite.model_validate({"instructions": [WHY, WHICH]})
    await context.service.instructions.replace(batch.id, instructions)
    await stage.state.remote_list.fetch_now()
    await settled(stage)
    return batch


async def select(stage: RunStage, batch: Batch) -> None:
    """Click a batch in the list."""
    view = find_in_window(stage, BatchList).findChild(RowList)
    assert isinstance(view, RowList)
    row = next(row for row, listed in enumerate(view.entries) if listed.id == batch.id)
    index = view.model().index(row, 0)

    def is_reachable() -> bool:
        """Scroll to the batch; a long list lays out its rows later."""
        view.scrollTo(index)
        return view.viewport().rect().contains(view.visualRect(index).center())

    await until(is_reachable)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())
    await until(lambda: stage.state.chosen is not None and shown(stage).id == batch.id)
    await settled(stage)


def shown(stage: RunStage) -> Batch:
    batch = stage.state.chosen
    assert batch is not None
    return batch


def sentence(stage: RunStage) -> str:
    return stage.header.subtitle.text()


def copy(stage: RunStage, name: str) -> str:
    """Press the one visible button of a name, and return what is on the clipboard then."""
    (button,) = [
        button
        for button in stage.findChildren(CopyIdButton)
        if button.accessibleName() == name and button.isVisible()
    ]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    return QGuiApplication.clipboard().text()


async def set_up(stage: RunStage, button: str = "Set up tasks") -> None:
    press(stage, button)
    await until(lambda: stage.window().findChild(SetUpDialog) is not None, 30)
    find_in_window(stage, QSpinBox).setValue(2)
    press(stage, "Create 2 tasks")
    await settled(stage)


async def test_a_legacy_batch_is_set_up_answered_and_read_like_that_of_the_study(stage: RunStage) -> None:
    await ready(stage)
    own, per_group = stage.state.own_id, stage.state.study.project.tasks_per_group
    await select(stage, await create_other(stage))
    assert sentence(stage) == "“Old”: It has no tasks yet. Next: create them."
    await set_up(stage)
    assert (shown(stage).name, shown(stage).status) == ("Old", BatchStatus.READY)
    assert (shown(stage).total_task_count, shown(stage).total_task_groups) == (2, 1)
    assert stage.state.study.project.tasks_per_group == per_group
    assert [job.kind for job in stage.state.jobs if job.subject.get("batch_id") == shown(stage).id]
    press(stage, "Simulated participants")
    await until(lambda: stage.window().findChild(SimulationDialog) is not None)
    press(stage, "Let 1 participant answer")
    await settled(stage)
    assert stage.state.answers == (1, 1)
    opened: list[object] = []
    stage.answers_source.changed.connect(lambda: opened.append(stage.answers_source.other))
    press(stage, "See answers")
    assert [getattr(other, "name", None) for other in opened] == ["Old"]
    stage.window_context.shell.set_stage("run")
    press(stage, "Back to the study")
    assert shown(stage).id == own
    await settled(stage)
    assert stage.state.answers == (0, 2)


async def test_another_batch_is_synced_and_its_auto_sync_is_switched(stage: RunStage) -> None:
    await ready(stage)
    other = await create_other(stage)
    await select(stage, other)
    await set_up(stage)
    context = await stage.state.session.context()
    dataset_id = stage.state.remote.dataset_id
    assert dataset_id is not None
    await context.service.datasets.append(dataset_id, JsonLinesBody(b'{"prompt": "Third"}\n'))
    stage.window_context.actions.run(ActionId.RUN_REFRESH)
    await settled(stage)
    assert sentence(stage) == "“Old”: 1 record has no task yet. Next: sync."
    press(stage, "Sync")
    await settled(stage)
    assert shown(stage).total_task_count == 3
    own = stage.state.own
    assert own is not None
    assert own.total_task_count == 2
    panel = find_in_window(stage, SyncPanel)
    switch = panel.findChild(Switch)
    assert isinstance(switch, Switch)
    QTest.mouseClick(switch, Qt.MouseButton.LeftButton)
    await settled(stage)
    assert shown(stage).auto_sync_enabled
    assert (await context.service.batches.get(other.id)).auto_sync_enabled
    assert not (await context.service.batches.get(own.id)).auto_sync_enabled


async def test_a_live_setup_of_another_batch_is_confirmed_with_its_numbers(stage: RunStage) -> None:
    await ready(stage)
    other = await create_other(stage)
    await go_live(stage)
    stage.state.choose(other.id)
    await settled(stage)
    press(stage, "Set up tasks")
    await until(lambda: stage.window().findChild(SetUpDialog) is not None, 30)
    dialog = find_in_window(stage, Dialog)
    assert dialog.accept_button.text() == "Create 2 tasks"
    assert dialog.accept_button.kind is ButtonKind.LIVE
    (warning,) = dialog.findChildren(WarningBanner)
    assert warning.text == "This reaches Lab. It cannot be undone."
    press(stage, "Cancel")
    await settled(stage)


async def test_without_a_study_the_newest_batch_is_shown_and_can_be_set_up(stage: RunStage) -> None:
    other = await create_other(stage, "Newest")
    stage.state.study.close()
    await settled(stage)
    assert shown(stage).id == other.id
    assert sentence(stage) == "No study is open. “Newest”: It has no tasks yet. Next: create them."
    actions = stage.window_context.actions
    enabled = {
        id
        for id in (
            ActionId.RUN_DETAILS,
            ActionId.RUN_PUBLISH,
            ActionId.RUN_SET_UP,
            ActionId.RUN_REFRESH,
            ActionId.RUN_TESTER,
        )
        if actions.qaction(id).isEnabled()
    }
    assert enabled == {ActionId.RUN_SET_UP, ActionId.RUN_REFRESH, ActionId.RUN_TESTER}
    await set_up(stage)
    assert shown(stage).status == BatchStatus.READY
    assert sentence(stage).endswith("2 tasks in 1 group are ready for participants.")


async def test_the_status_of_a_batch_that_is_set_up_elsewhere_is_polled(stage: RunStage) -> None:
    other = await create_other(stage)
    stage.state.study.close()
    await settled(stage)
    context = await stage.state.session.context()
    await context.service.batches.set_up(other.id, BatchSetup(tasks_per_group=1))
    batch = other.model_copy(update={"status": BatchStatus.PROCESSING, "datasets": shown(stage).datasets})
    stage.state.store(batch)
    assert next_step(stage.state).disabled_reason == "Tasks are being created"
    stage.state._on_fetched()
    await until(lambda: shown(stage).status == BatchStatus.READY, 30)
    await settled(stage)


async def test_the_figures_of_a_batch_name_one_group_in_the_singular(stage: RunStage) -> None:
    other = await create_other(stage)
    stage.state.study.close()
    await settled(stage)
    context = await stage.state.session.context()
    await context.service.batches.set_up(other.id, BatchSetup(tasks_per_group=2))
    await stage.state.remote_list.fetch_now()
    await until(lambda: shown(stage).status == BatchStatus.READY, 30)
    await until(lambda: "1 group" in accessible_names(stage))
    assert {"2 records", "2 questions", "2 tasks"} <= accessible_names(stage)


def accessible_names(stage: RunStage) -> set[str]:
    """The accessible names of the visible labels."""
    return {label.accessibleName() for label in stage.findChildren(QLabel) if label.isVisible()}


async def test_a_collection_has_no_batch_of_its_own(stage: RunStage) -> None:
    other = await create_other(stage)
    stage.state.study.open(Project("Survey", kind=StudyKind.COLLECTION), None, is_saved=False)
    await settled(stage)
    assert shown(stage).id == other.id
    assert sentence(stage).startswith("“Old”: ")
    assert not find_in_window(stage, ChecklistPanel).isVisible()
    assert not stage._own.isVisible()


async def test_a_batch_without_a_dataset_says_that_it_needs_one(stage: RunStage) -> None:
    await select(stage, await create_other(stage, with_data=False))
    assert sentence(stage) == (
        "“Old”: It has no dataset, so it has no tasks. Next: convert it to a study, and add data."
    )


async def test_ids_are_copied_in_full_and_a_live_batch_says_what_to_do_with_its_id(stage: RunStage) -> None:
    other = await create_other(stage)
    await select(stage, other)
    assert copy(stage, "Copy the batch id") == other.id
    assert copy(stage, "Copy the dataset id") == stage.state.remote.dataset_id
    await set_up(stage)
    platform = find_in_window(stage, PlatformPanel)
    assert not platform.isVisible()
    await go_live(stage)
    stage.state.choose(other.id)
    await settled(stage)
    assert platform.isVisible()
    texts = [label.text() for label in platform.findChildren(QLabel) if label.isVisible()]
    assert texts[0] == "Next at Lab"
    assert "data_collection_id" in texts[1]
    assert texts[2] == f"Batch id: {other.id}"
    button = platform.findChild(CopyIdButton)
    assert isinstance(button, CopyIdButton)
    QGuiApplication.clipboard().clear()
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert QGuiApplication.clipboard().text() == other.id
    assert button.toolTip() == "Copied"


async def test_a_list_that_gets_the_focus_selects_no_batch(stage: RunStage) -> None:
    await create_other(stage)
    assert stage.state.shows_own
    view = find_in_window(stage, BatchList).findChild(RowList)
    assert isinstance(view, RowList)
    view.setFocus(Qt.FocusReason.TabFocusReason)
    assert view.hasFocus()
    assert stage.state.shows_own
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert not stage.state.shows_own
