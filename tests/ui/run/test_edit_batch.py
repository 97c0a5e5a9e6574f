"""Fields of a batch without a study are changed, and it is set up with another dataset, in the window."""

import pytest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from batchwright.client.published_content import editable_details
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.run.dialogs import SetUpDatasetDialog, SetUpDialog
from batchwright.ui.run.edit_batch import EditBatchDialog
from batchwright.ui.run.stage import RunStage
from batchwright.wire.batches import Batch, BatchCreate, BatchUpdate, TaskDetailsResponse
from batchwright.wire.datasets import DatasetCreate
from tests.api.studies import DETAILS
from tests.ui.conftest import until
from tests.ui.run.conftest import QUESTION_ONLY, find_in_window, settled

pytestmark = pytest.mark.gui


async def show_other_batch(stage: RunStage) -> Batch:
    """Create a batch without a dataset, and show it."""
    context = await stage.state.session.context()
    request = BatchCreate(
        name="Other", workspace_id=context.workspace_id, task_details=DETAILS, batch_items=QUESTION_ONLY
    )
    batch = await context.service.batches.create(request)
    stage.state.remote_list.refresh()
    await until(lambda: batch.id in stage.state.fetched.resources, 30)
    stage.state.choose(batch.id)
    await settled(stage)
    return batch


def field(dialog: EditBatchDialog | SetUpDatasetDialog, name: str) -> QLineEdit:
    found = dialog.findChild(QLineEdit, name)
    assert isinstance(found, QLineEdit)
    return found


async def test_only_the_changed_fields_of_another_batch_are_sent(stage: RunStage) -> None:
    batch = await show_other_batch(stage)
    context = await stage.state.session.context()
    before = await context.service.batches.get(batch.id)
    dataset = await context.service.datasets.create(
        DatasetCreate(name="V3", workspace_id=context.workspace_id)
    )
    stage.window_context.actions.run(ActionId.RUN_EDIT)
    await until(lambda: stage.window().findChild(EditBatchDialog) is not None, 30)
    dialog = find_in_window(stage, EditBatchDialog)
    assert dialog.accept_button.toolTip() == "No changes yet"
    field(dialog, "dataset_id").setText("no id")
    assert "Enter the complete id" in dialog.accept_button.toolTip()
    field(dialog, "dataset_id").setText(dataset.id)
    field(dialog, "name").setText("Renamed")
    dialog.accept_button.click()
    assert dialog.changes.model_fields_set == {"name", "dataset_id"}
    await settled(stage)
    changed = await context.service.batches.get(batch.id)
    assert (changed.name, [entry.id for entry in changed.datasets]) == ("Renamed", [dataset.id])
    assert (changed.task_details, changed.batch_items) == (before.task_details, before.batch_items)
    assert stage.state.chosen is not None
    assert stage.state.chosen.name == "Renamed"


def test_details_that_a_field_cannot_show_are_not_changed(qtbot: QtBot) -> None:
    details = TaskDetailsResponse(
        task_name="Cats", task_introduction="a\r\nb\u00a0c", task_steps="x" * 200_000
    )
    dialog = EditBatchDialog(Batch(id="b", name=" Cats ", status="READY", task_details=details), "")
    qtbot.addWidget(dialog)
    assert dialog.accept_button.toolTip() == "No changes yet"
    field(dialog, "task_name").setText("Dogs")
    dialog.accept()
    assert dialog.changes.model_fields_set == set()
    assert dialog.details == {"task_name": "Dogs"}


async def test_task_details_that_another_client_changes_meanwhile_are_kept(stage: RunStage) -> None:
    batch = await show_other_batch(stage)
    context = await stage.state.session.context()
    stage.window_context.actions.run(ActionId.RUN_EDIT)
    await until(lambda: stage.window().findChild(EditBatchDialog) is not None, 30)
    theirs = DETAILS.model_copy(update={"task_steps": "Read, then answer."})
    await context.service.batches.update(batch.id, BatchUpdate(task_details=theirs))
    dialog = find_in_window(stage, EditBatchDialog)
    field(dialog, "task_name").setText("Renamed")
    dialog.accept_button.click()
    await settled(stage)
    changed = await context.service.batches.get(batch.id)
    assert editable_details(changed.task_details) == theirs.model_copy(update={"task_name": "Renamed"})


@pytest.mark.parametrize(("name", "missing"), [("name", "the batch"), ("task_name", "the task")])
def test_a_name_that_shows_nothing_is_not_sent(qtbot: QtBot, name: str, missing: str) -> None:
    details = TaskDetailsResponse(task_name="Cats")
    dialog = EditBatchDialog(Batch(id="b", name="Cats", status="READY", task_details=details), "")
    qtbot.addWidget(dialog)
    field(dialog, name).setText("\u200b")
    assert dialog.accept_button.toolTip() == f"Enter a name for {missing} first"


async def test_another_batch_is_set_up_with_a_dataset_given_at_the_setup(stage: RunStage) -> None:
    batch = await show_other_batch(stage)
    context = await stage.state.session.context()
    dataset_id = stage.state.remote.dataset_id
    assert dataset_id is not None
    stage.window_context.actions.run(ActionId.RUN_SET_UP_WITH)
    await until(lambda: stage.window().findChild(SetUpDatasetDialog) is not None, 30)
    dialog = find_in_window(stage, SetUpDatasetDialog)
    field(dialog, "dataset").setText(dataset_id)
    dialog.accept_button.click()
    await until(lambda: stage.window().findChild(SetUpDialog) is not None, 30)
    find_in_window(stage, SetUpDialog).accept_button.click()
    await settled(stage)
    ready = await context.service.batches.get(batch.id)
    assert [entry.id for entry in ready.datasets] == [dataset_id]
    assert (ready.status, ready.total_task_count) == ("READY", 2)


async def test_the_batch_of_the_study_is_not_edited_apart_from_it(stage: RunStage) -> None:
    entries = {entry.text: entry for entry in stage.window_context.actions.palette_entries()}
    reason = entries["Edit name, details and dataset of the batch…"].disabled_reason
    assert "Select a batch first" in reason
