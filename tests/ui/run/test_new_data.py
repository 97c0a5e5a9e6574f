"""A batch is updated to a new dataset of its study, and set up again with the new records only."""

from dataclasses import replace
from pathlib import Path

import pytest

from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.run.dialogs import SetUpDialog
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.stage import RunStage
from tests.ui.conftest import until
from tests.ui.fake_connection_pool import upload_study_data
from tests.ui.run.conftest import press, ready, set_up_chosen, settled, update

pytestmark = pytest.mark.gui


async def test_an_update_attaches_the_new_dataset_of_the_study(stage: RunStage, tmp_path: Path) -> None:
    await ready(stage)
    state = stage.state
    study, before = state.study, state.remote
    project = study.project
    (tmp_path / "again").mkdir()
    await upload_study_data(state.session, study, tmp_path / "again")
    new = state.remote
    study.open(project, None, is_saved=False)
    remote = replace(before, dataset_id=new.dataset_id, import_id=new.import_id)
    study.set_remote(state.session.connection.name, remote)
    await settled(stage)
    assert next_step(state).action is ActionId.RUN_PUBLISH
    await update(stage)
    await until(lambda: stage.window().findChild(SetUpDialog) is not None, 30)
    press(stage, "Cancel")
    await settled(stage)
    assert state.is_as_sent
    batch = state.own
    assert batch is not None
    assert [dataset.id for dataset in batch.datasets] == [new.dataset_id]
    set_up_chosen(state, 1)
    await settled(stage)
    assert state.own is not None
    assert state.own.total_task_count == 2
