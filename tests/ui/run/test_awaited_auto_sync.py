"""An auto-sync of the service is awaited after new records, and listed by the tasks it created."""

import pytest

from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.stage import RunStage
from tests.service.kill_helpers import paused_worker
from tests.ui.conftest import until
from tests.ui.run.conftest import append, press, ready, settled, syncs
from tests.ui.run.test_sync import panel_text, switch
from tests.ui.separate_service import SeparateService

pytestmark = pytest.mark.gui


@pytest.fixture
def session(service: SeparateService) -> ConnectionSession:
    return service.session


async def test_an_auto_sync_of_new_records_is_awaited_and_listed(
    stage: RunStage, service: SeparateService, failed: list[str]
) -> None:
    state = stage.state
    await ready(stage)
    await until(lambda: state.own is not None and state.own.status == "READY", 30)
    await settled(stage)
    switch(stage).click()
    await settled(stage)
    state.remote_list.refresh()
    await settled(stage)
    with paused_worker(service.process.pid):
        await append(state, "Third", "Fourth")
        assert state.sync.is_awaited
        assert next_step(state).text == "Auto-sync creates the tasks of 2 new records."
        assert "Auto-sync creates the tasks of 2 new records." in panel_text(stage)
        assert "need a sync" not in panel_text(stage)
    await until(lambda: not state.sync.unsynced, 30)
    await until(lambda: bool(syncs(state)), 30)
    await settled(stage)
    assert syncs(state) == ["2 tasks created by auto-sync"]
    assert "Last auto-sync: 2 tasks created" in panel_text(stage)
    press(stage, "Sync")
    await settled(stage)
    assert len(syncs(state)) == 2
    assert not failed
