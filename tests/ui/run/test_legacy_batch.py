"""A batch with instructions is created in the Run stage, for data that a layout cannot show."""

from dataclasses import replace
from pathlib import Path

import pytest

from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.editor.legacy_instructions import InstructionsDialog
from batchwright.ui.run.actions import ACTIONS
from batchwright.ui.run.legacy_batch import LegacyBatchDialog
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.remote_batches import is_legacy
from batchwright.ui.run.stage import RunStage
from batchwright.wire.datasets import DatasetCreate, DatasetStatus
from tests.ui.conftest import until
from tests.ui.run.conftest import find_in_window, settled

pytestmark = pytest.mark.gui


async def v3_dataset(stage: RunStage, folder: Path) -> str:
    """Make a new V3 dataset with two records the study's dataset; return its id."""
    context = await stage.state.session.context()
    service = context.service
    request = DatasetCreate(name="Reviews", workspace_id=context.workspace_id)
    dataset = await service.datasets.create(request)
    path = folder / "reviews.csv"
    path.write_text("review,META_source\nNice mug,web\nLid leaks,shop\n", encoding="utf-8")
    upload = await service.datasets.upload_url(dataset.id, path.name)
    await service.transfers.upload(path, upload.upload_url, content_type=upload.content_type)

    async def status() -> str | None:
        return (await service.datasets.get(dataset.id)).status

    while await status() != DatasetStatus.READY:
        await until(lambda: True, 1)
    study, connection = stage.state.study, stage.state.session.connection.name
    study.set_remote(connection, replace(stage.state.remote, dataset_id=dataset.id))
    return dataset.id


async def test_a_batch_with_instructions_is_created_for_a_v3_dataset(stage: RunStage, tmp_path: Path) -> None:
    dataset_id = await v3_dataset(stage, tmp_path)
    stage.state.remote_list.refresh()
    await settled(stage)
    assert "Pages cannot show V3 data" in next_step(stage.state).text
    assert next_step(stage.state).action is ActionId.RUN_NEW_LEGACY
    stage.window_context.actions.run(ActionId.RUN_NEW_LEGACY)
    await until(lambda: stage.window().findChild(LegacyBatchDialog) is not None, 30)
    find_in_window(stage, LegacyBatchDialog).accept_button.click()
    await until(lambda: stage.window().findChild(InstructionsDialog) is not None, 30)
    chosen = stage.state.chosen
    assert chosen is not None
    assert is_legacy(chosen)
    assert [dataset.id for dataset in chosen.datasets] == [dataset_id]
    assert not stage.state.shows_own
    find_in_window(stage, InstructionsDialog).reject()
    await settled(stage)
    stage.state.choose_own()
    assert f"“{chosen.name}” shows it" in next_step(stage.state).text
    assert next_step(stage.state).action is None


async def test_without_a_dataset_the_command_is_disabled(stage: RunStage) -> None:
    study, connection = stage.state.study, stage.state.session.connection.name
    study.set_remote(connection, replace(stage.state.remote, dataset_id=None))
    (row,) = (action for action in ACTIONS if action.id == ActionId.RUN_NEW_LEGACY)
    assert not row.condition(stage.context)
