"""A layout that shows no fields becomes a batch without a dataset; why it cannot be set up is said before."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit

from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import RemoteBinding
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.run.actions import can_publish
from batchwright.ui.run.checklist import CheckState, checks
from batchwright.ui.run.dialogs import SetupObstacleDialog
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.publish_dialogs import CreateWithoutDataDialog
from batchwright.ui.run.stage import RunStage
from batchwright.ui.study.details_dialog import DetailsDialog
from batchwright.wire.batches import Batch, BatchCreate
from batchwright.wire.datasets import Dataset, DatasetCreate
from batchwright.wire.imports import ImportJob
from batchwright.workflows.publishing.set_up import SetupObstacle, setup_obstacle
from tests.api.studies import DETAILS, LAYOUT, SCHEMA
from tests.ui.conftest import until
from tests.ui.run.conftest import QUESTION_ONLY, find_in_window, press, settled

pytestmark = pytest.mark.gui


def open_without_data(stage: RunStage, *, has_field: bool = False) -> None:
    """Open a study with questions only, or one with a dataset field too, and without any data."""
    study = stage.state.study
    layout = read(LAYOUT if has_field else QUESTION_ONLY, random_keys())
    name = stage.state.session.connection.name
    project = replace(study.project, name="Plain", layout=layout, schema=None, data=None, study_id="plain")
    study.open(replace(project, remotes={name: RemoteBinding()}), None, is_saved=False)


def texts(dialog: SetupObstacleDialog | CreateWithoutDataDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())


def own_batch(stage: RunStage) -> Batch:
    batch = stage.state.own
    assert batch is not None
    return batch


async def create(stage: RunStage) -> CreateWithoutDataDialog:
    press(stage, "Create batch")
    await until(lambda: stage.window().findChild(CreateWithoutDataDialog) is not None, 30)
    return find_in_window(stage, CreateWithoutDataDialog)


async def test_questions_alone_become_a_batch_without_a_dataset(stage: RunStage) -> None:
    open_without_data(stage)
    await settled(stage)
    assert next_step(stage.state).text == ("The layout is ready, and shows no data. Next: create the batch.")
    data = checks(stage.state)[1]
    assert (data.state, data.detail) == (CheckState.LATER, "the batch needs none; its tasks do")
    dialog = await create(stage)
    assert "Tasks are created from the records of a dataset" in texts(dialog)
    dialog.accept_button.click()
    await settled(stage)
    assert (own_batch(stage).name, own_batch(stage).datasets) == ("Plain", ())
    assert stage.state.is_as_sent
    assert next_step(stage.state).stage == "data"
    assert stage.window().findChild(SetupObstacleDialog) is None


async def test_two_studies_of_one_name_without_data_get_batches_of_their_own(stage: RunStage) -> None:
    ids = []
    for study_id in ("first", "second"):
        open_without_data(stage)
        project = replace(stage.state.study.project, study_id=study_id)
        stage.state.study.open(project, None, is_saved=False)
        await settled(stage)
        (await create(stage)).accept_button.click()
        await settled(stage)
        ids.append(own_batch(stage).id)
    assert ids[0] != ids[1]


async def test_a_setup_without_a_dataset_is_explained_and_not_sent(stage: RunStage) -> None:
    open_without_data(stage)
    await settled(stage)
    (await create(stage)).accept_button.click()
    await settled(stage)
    requested: list[str] = []
    stage.window_context.actions.run(ActionId.RUN_SET_UP)
    await until(lambda: stage.window().findChild(SetupObstacleDialog) is not None, 30)
    dialog = find_in_window(stage, SetupObstacleDialog)
    assert "Plain” cannot be set up yet" in texts(dialog)
    assert "one for each record" in texts(dialog)
    assert [button.text() for button in (dialog.accept_button, dialog.cancel_button)] == [
        "Go to Data",
        "Cancel",
    ]
    object.__setattr__(stage.context, "run_action", requested.append)
    press(stage, "Make it a collection…")
    await settled(stage)
    assert requested == ["convert"]
    assert own_batch(stage).status == "UNINITIALISED"


async def test_the_way_to_the_data_is_offered_before_creating(stage: RunStage) -> None:
    open_without_data(stage)
    await settled(stage)
    requested: list[str] = []
    object.__setattr__(stage.context, "run_action", requested.append)
    await create(stage)
    press(stage, "Go to Data")
    await settled(stage)
    assert requested == ["go_data"]
    assert stage.state.own is None


async def test_a_layout_that_shows_a_field_still_needs_data(stage: RunStage) -> None:
    open_without_data(stage, has_field=True)
    await settled(stage)
    step = next_step(stage.state)
    assert (step.stage, step.button) == ("data", "Go to Data")
    assert not stage.window_context.actions.qaction(ActionId.RUN_PUBLISH).isEnabled()


async def test_an_import_that_is_not_complete_is_named_before_a_setup(stage: RunStage) -> None:
    context = await stage.state.session.context()
    dataset = await context.service.datasets.create(
        DatasetCreate.model_validate(
            {"name": "Empty", "workspace_id": context.workspace_id, "schema": SCHEMA}
        )
    )
    other = await context.service.batches.create(
        BatchCreate(
            name="Waiting",
            workspace_id=context.workspace_id,
            task_details=DETAILS,
            dataset_id=dataset.id,
            batch_items=LAYOUT,
        )
    )
    await stage.state.remote_list.fetch_now()
    stage.state.choose(other.id)
    await settled(stage)
    press(stage, "Set up tasks")
    await until(lambda: stage.window().findChild(SetupObstacleDialog) is not None, 30)
    assert "at least one import that accepted every record" in texts(
        find_in_window(stage, SetupObstacleDialog)
    )
    press(stage, "Cancel")
    await settled(stage)


@pytest.mark.parametrize(
    ("dataset", "obstacle"),
    [
        (Dataset(id="d", status="PROCESSING"), SetupObstacle.V3_NOT_READY),
        (Dataset(id="d", status="READY"), None),
        (Dataset(id="d", schema={}, imports=()), SetupObstacle.NO_COMPLETE_IMPORT),
        (
            Dataset(id="d", schema={}, imports=(ImportJob(import_id="i", status="partial"),)),
            SetupObstacle.NO_COMPLETE_IMPORT,
        ),
        (Dataset(id="d", schema={}, imports=(ImportJob(import_id="i", status="complete"),)), None),
    ],
)
def test_requirements_of_a_setup(dataset: Dataset, obstacle: SetupObstacle | None) -> None:
    assert setup_obstacle(dataset) is obstacle


async def test_a_study_without_a_title_is_named_before_it_is_published(stage: RunStage) -> None:
    open_without_data(stage)
    study = stage.state.study
    study.set_details(study.details.model_copy(update={"task_name": ""}), "Untitled study")
    await settled(stage)
    entry = checks(stage.state)[2]
    text = "no title; participants would read “Untitled study”"
    assert (entry.state, entry.detail) == (CheckState.ERROR, text)
    assert not can_publish(stage.context)
    press(stage, "Name the study…")
    await until(lambda: stage.window().findChild(DetailsDialog) is not None)
    dialog = find_in_window(stage, DetailsDialog)
    assert dialog.findChildren(QLineEdit)[0].selectedText() == "Untitled study"
    dialog.findChildren(QLineEdit)[0].setText("Cats")
    dialog.accept_button.click()
    await settled(stage)
    assert checks(stage.state)[2].state is not CheckState.ERROR
    assert next_step(stage.state).action is ActionId.RUN_PUBLISH
    assert can_publish(stage.context)


async def test_a_batch_is_not_updated_to_a_study_without_a_title(stage: RunStage) -> None:
    open_without_data(stage)
    await settled(stage)
    (await create(stage)).accept_button.click()
    await settled(stage)
    study = stage.state.study
    study.set_details(study.details.model_copy(update={"task_name": " "}), "")
    await settled(stage)
    assert next_step(stage.state).action is ActionId.RUN_DETAILS
    assert not can_publish(stage.context)
    study.undo()
    await settled(stage)
    assert next_step(stage.state).action is not ActionId.RUN_DETAILS


async def test_the_batch_is_created_before_its_data_is_imported(stage: RunStage) -> None:
    """The specification requires no ready dataset (Batches rule 1); only the setup waits for the import."""
    study, connection = stage.state.study, stage.state.session.connection.name
    context = await stage.state.session.context()
    imported = study.remote(connection)
    request = DatasetCreate(name="Empty", workspace_id=context.workspace_id, schema=SCHEMA)
    dataset = await context.service.datasets.create(request)
    study.set_remote(connection, RemoteBinding(context.workspace_id, dataset.id, None))
    await settled(stage)
    step = next_step(stage.state)
    assert (step.action, step.button) == (ActionId.RUN_PUBLISH, "Create batch")
    assert "not imported yet" in step.text
    assert checks(stage.state)[1].detail == "not yet; the tasks need it"
    press(stage, "Create batch")
    await settled(stage)
    assert [attached.id for attached in own_batch(stage).datasets] == [dataset.id]
    assert stage.window().findChild(SetupObstacleDialog) is None
    assert next_step(stage.state).stage == "data"
    assert "when the data is imported" in next_step(stage.state).text
    study.set_remote(connection, replace(study.remote(connection), import_id=imported.import_id))
    await settled(stage)
    assert next_step(stage.state).action is ActionId.RUN_SET_UP
