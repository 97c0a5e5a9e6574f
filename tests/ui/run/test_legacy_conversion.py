"""A legacy batch is converted into a new study with a layout; the batch itself stays as it is."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from batchwright.base.json_values import is_object
from batchwright.layout.serialization import write
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.run.dialogs import SetupObstacleDialog
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.stage import RunStage
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.wire.batches import BatchCreate
from batchwright.wire.instructions import InstructionsWrite
from batchwright.workflows.data.upload_v3_dataset import upload_v3_dataset
from batchwright.workflows.publishing.open_as_study import study_from_legacy_batch
from tests.api.studies import DETAILS
from tests.ui.conftest import until
from tests.ui.run.conftest import WHICH, WHY, press, settled
from tests.ui.run.test_other_batches import create_other, select

pytestmark = pytest.mark.gui


def visible_dialog(stage: RunStage) -> Dialog | None:
    return next((one for one in stage.window().findChildren(Dialog) if one.isVisible()), None)


def texts(stage: RunStage) -> str:
    dialog = visible_dialog(stage)
    if dialog is None:
        return ""
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())


async def test_instructions_become_items_below_the_fields_and_the_batch_stays(stage: RunStage) -> None:
    dataset_id = stage.state.remote.dataset_id
    other = await create_other(stage)
    await select(stage, other)
    press(stage, "Convert to a layout")
    await until(lambda: visible_dialog(stage) is not None, 30)
    assert "1 field, 2 questions" in texts(stage)
    assert "The batch stays as it is" in texts(stage)
    press(stage, "Open as a new study")
    await settled(stage)
    study = stage.state.study
    (page,) = write(study.layout)
    assert is_object(page)
    assert page == {
        "rows": [
            {"columns": [{"items": [item]}]}
            for item in ({"type": "dataset_field", "field": "prompt"}, WHY, WHICH)
        ]
    }
    assert (study.project.name, study.problems) == ("Old", ())
    assert (stage.state.remote.dataset_id, stage.state.remote.batch_id) == (dataset_id, None)
    assert next_step(stage.state).action is ActionId.RUN_PUBLISH
    press(stage, "Create batch")
    await until(lambda: visible_dialog(stage) is not None, 30)
    press(stage, "Cancel")
    await settled(stage)
    assert stage.state.is_as_sent
    assert stage.state.own_id != other.id
    context = await stage.state.session.context()
    unchanged = await context.service.batches.get(other.id)
    assert (unchanged.batch_items, unchanged.total_instruction_count) == (None, 2)


async def test_a_legacy_batch_without_data_offers_the_conversion(stage: RunStage) -> None:
    await select(stage, await create_other(stage, with_data=False))
    assert next_step(stage.state).action is ActionId.RUN_CONVERT
    stage.window_context.actions.run(ActionId.RUN_SET_UP)
    await until(lambda: isinstance(visible_dialog(stage), SetupObstacleDialog), 30)
    press(stage, "Convert to a layout…")
    await until(lambda: "0 fields, 2 questions" in texts(stage), 30)
    press(stage, "Cancel")
    await settled(stage)
    assert stage.state.study.project.name == "Cats"


async def test_fields_of_a_v3_dataset_are_left_out(stage: RunStage, tmp_path: Path) -> None:
    context = await stage.state.session.context()
    file = tmp_path / "v3.csv"
    file.write_text("prompt\nOne\n", encoding="utf-8")
    dataset = await upload_v3_dataset(context, context.checkpoint(str(file)), "V3", file)
    batch = await context.service.batches.create(
        BatchCreate(
            name="V3 batch",
            workspace_id=context.workspace_id,
            task_details=DETAILS,
            dataset_id=dataset.id,
        )
    )
    instructions = InstructionsWrite.model_validate({"instructions": [WHICH]})
    await context.service.instructions.replace(batch.id, instructions)
    converted = await study_from_legacy_batch(context, batch.id)
    assert (converted.fields, converted.questions, converted.is_v3) == (0, 1, True)
    remote = converted.project.remotes[stage.state.session.connection.name]
    assert (remote.dataset_id, remote.is_filled, remote.lacks_schema) == (dataset.id, True, True)
    await stage.state.remote_list.fetch_now()
    stage.state.choose(batch.id)
    await settled(stage)
    press(stage, "Convert to a layout")
    await until(lambda: visible_dialog(stage) is not None, 30)
    assert "a layout cannot show its fields" in texts(stage)
    press(stage, "Cancel")
    await settled(stage)
