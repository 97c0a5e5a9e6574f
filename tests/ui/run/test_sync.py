"""Syncing records added after setup: manually and by auto-sync."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from batchwright.api.http.errors import BadRequest
from batchwright.api.resources.batches import Batches
from batchwright.client.job_monitoring.status import JobKind
from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import Project, RemoteBinding
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.run.batch_panel import BatchPanel, SyncPanel
from batchwright.ui.run.commands import start_sync, switch_auto_sync
from batchwright.ui.run.dialogs import SetUpDialog
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.publish import start_publish
from batchwright.ui.run.stage import RunStage
from batchwright.ui.run.state import RunState
from batchwright.ui.widgets.dialogs.dialog import Dialog, WarningBanner
from batchwright.ui.widgets.toggles import Switch
from batchwright.wire.batches import Batch, BatchUpdate
from batchwright.wire.error_parsing import read_error
from batchwright.wire.syncs import SyncJob
from batchwright.workflows.data.upload_v3_dataset import upload_v3_dataset
from tests.api.studies import DETAILS
from tests.ui.conftest import until
from tests.ui.run.conftest import append, find_in_window, go_live, press, quiet, ready, set_up_chosen, settled

pytestmark = pytest.mark.gui


def panel_text(stage: RunStage) -> str:
    """The text of the sync panel."""
    return panel_lines(find_in_window(stage, SyncPanel))


def panel_lines(panel: SyncPanel) -> str:
    """The labels of the sync panel."""
    return "\n".join(line.text() for line in panel.findChildren(QLabel) if not line.isHidden())


def switch(stage: RunStage) -> Switch:
    one = find_in_window(stage, SyncPanel).findChild(Switch)
    assert isinstance(one, Switch)
    return one


@pytest.mark.spec("Y-07")
@pytest.mark.endpoint("syncs.start", "syncs.get")
async def test_new_records_are_the_next_step_until_they_are_synced(stage: RunStage) -> None:
    assert stage.state.sync.disabled_reason == "Create the batch first"
    await ready(stage)
    state = stage.state
    assert "No sync yet." in panel_text(stage)
    await append(state, "Third", "Fourth", "Fifth")
    step = next_step(state)
    assert (step.action, step.text) == (ActionId.RUN_SYNC, "3 records have no task yet. Next: sync.")
    assert "3 records have no task yet." in panel_text(stage)
    press(stage, "Sync")
    await settled(stage)
    assert state.own is not None
    assert state.own.total_task_count == 5
    assert next_step(state).action is ActionId.RUN_PARTICIPATE
    assert "Last sync: 3 tasks created, 3 new groups" in panel_text(stage)
    assert state.jobs[0].kind == "sync"
    press(stage, "Sync")
    await settled(stage)
    assert "Last sync: Nothing new: every record already has a task." in panel_text(stage)


async def test_a_sync_started_elsewhere_is_shown_when_it_has_ended(state: RunState) -> None:
    await append(state, "Third")
    assert state.sync.unsynced == 1
    context, batch = await state.session.context(), state.remote.batch_id
    assert batch is not None
    job = await context.service.batches.sync(batch)
    assert job.sync_id is not None
    subject = {"batch_id": batch, "sync_id": job.sync_id}
    await context.jobs.monitor_unless_open(JobKind.SYNC, subject, "Cats")
    await until(lambda: state.sync.last_sync is not None and not state.sync.unsynced, 30)
    await quiet(state)


async def test_a_batch_without_tasks_shows_why_sync_is_disabled(stage: RunStage) -> None:
    stage.window_context.actions.run(ActionId.RUN_PUBLISH)
    await until(lambda: stage.window().findChild(SetUpDialog) is not None, 30)
    press(stage, "Cancel")
    await settled(stage)
    sync = find_in_window(stage, BatchPanel).head.sync
    assert (sync.isEnabled(), sync.toolTip()) == (False, "Set up tasks first")
    stage.window_context.actions.run(ActionId.RUN_SYNC)
    assert ActionId.RUN_SYNC not in stage.window_context.tasks.running


async def test_a_sync_at_a_live_service_asks_with_the_number_of_tasks(stage: RunStage) -> None:
    await ready(stage)
    await append(stage.state, "Third")
    await go_live(stage)
    stage.window_context.actions.run(ActionId.RUN_SYNC)
    await until(lambda: stage.window().findChild(Dialog) is not None)
    dialog = find_in_window(stage, Dialog)
    assert dialog.accept_button.text() == "Create 1 task"
    assert dialog.findChildren(WarningBanner)[0].text == "This reaches Lab. It cannot be undone."
    press(stage, "Cancel")
    await settled(stage)
    assert not [job for job in stage.state.jobs if job.kind == "sync"]


@pytest.mark.spec("Y-10", "Y-11")
async def test_appended_records_are_synced_automatically_while_auto_sync_is_on(stage: RunStage) -> None:
    await ready(stage)
    state = stage.state
    assert "get tasks only when you sync" in panel_text(stage)
    switch(stage).setFocus()
    QTest.keyClick(switch(stage), Qt.Key.Key_Space)
    assert "get tasks automatically" in panel_text(stage)
    await settled(stage)
    assert switch(stage).hasFocus()
    assert state.own is not None
    assert state.own.auto_sync_enabled
    await append(state, "Third")
    async with asyncio.timeout(30):
        while state.sync.unsynced:
            await state.remote_list.fetch_now()
    assert state.own.total_task_count == 3


@pytest.mark.spec("Y-09")
async def test_an_update_of_the_batch_keeps_auto_sync(state: RunState) -> None:
    switch_auto_sync(state, is_on=True)
    assert state.sync.is_auto
    await quiet(state)
    state.study.set_name("Dogs")
    start_publish(state, state.own)
    await quiet(state)
    assert state.own is not None
    assert (state.own.name, state.own.auto_sync_enabled) == ("Dogs", True)
    switch_auto_sync(state, is_on=False)
    await quiet(state)
    assert not state.own.auto_sync_enabled


async def test_the_last_of_several_quick_changes_of_auto_sync_applies(state: RunState) -> None:
    for is_on in (True, False, True):
        switch_auto_sync(state, is_on=is_on)
    await quiet(state)
    await state.remote_list.fetch_now()
    assert state.own is not None
    assert state.own.auto_sync_enabled


async def test_the_switch_is_reset_when_the_service_rejects_the_change(
    state: RunState, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(_self: Batches, _batch: str, _changes: BatchUpdate) -> Batch:
        raise BadRequest("PATCH /batches/b", read_error(400, b'{"message": "Not now"}', {}))

    failed: list[str] = []
    state.tasks.failed.connect(lambda _name, text, _error: failed.append(text.what))
    monkeypatch.setattr(Batches, "update", refuse)
    switch_auto_sync(state, is_on=True)
    observed = [state.sync.is_auto]
    await quiet(state)
    assert [*observed, state.sync.is_auto] == [True, False]
    assert len(failed) == 1


async def test_the_switch_shows_the_accepted_state_when_a_later_change_fails(
    state: RunState, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, sent, may_go_on = Batches.update, asyncio.Event(), asyncio.Event()

    async def accept_only_the_first(self: Batches, batch_id: str, changes: BatchUpdate) -> Batch:
        if sent.is_set():
            raise BadRequest("PATCH /batches/b", read_error(400, b'{"message": "Not now"}', {}))
        sent.set()
        batch = await real(self, batch_id, changes)
        await may_go_on.wait()
        return batch

    monkeypatch.setattr(Batches, "update", accept_only_the_first)
    switch_auto_sync(state, is_on=True)
    await asyncio.wait_for(sent.wait(), 30)
    switch_auto_sync(state, is_on=False)
    may_go_on.set()
    await quiet(state)
    context = await state.session.context()
    assert state.own is not None
    matches = await context.service.batches.get(state.own.id)
    assert state.sync.is_auto is matches.auto_sync_enabled is True


async def test_a_batch_with_a_v3_dataset_can_be_synced_and_a_rejection_is_explained(
    state: RunState, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(_self: Batches, _batch: str) -> SyncJob:
        raise BadRequest("POST /batches/b/sync", read_error(400, b'{"message": "Only V4"}', {}))

    data, question = tmp_path / "reviews.csv", {"type": "free_text", "description": "Why?"}
    data.write_text("review\nNice mug\n", encoding="utf-8")
    layout = read([{"rows": [{"columns": [{"items": [question]}]}]}], random_keys())

    reasons = [state.sync.disabled_reason]
    context = await state.session.context()
    dataset = await upload_v3_dataset(context, context.checkpoint("v3"), "Reviews", data)
    state.study.open(Project("Reviews", layout, details=DETAILS), None)
    remote = RemoteBinding(context.workspace_id, dataset.id, is_filled=True)
    state.study.set_remote(state.session.connection.name, remote)
    start_publish(state, state.own)
    await quiet(state)
    reasons.append(state.sync.disabled_reason)
    set_up_chosen(state, 1)
    await quiet(state)
    reasons.append(state.sync.disabled_reason)
    assert reasons == ["", "Set up tasks first", ""]
    panel = SyncPanel()
    panel.show_state(state.sync)
    assert "No records can be appended to a V3 dataset" in panel_lines(panel)
    notices: list[str] = []
    state.notified.connect(lambda title, _line: notices.append(title))
    state.tasks.failed.connect(lambda _name, text, _error: notices.append(text.what))
    start_sync(state)
    await quiet(state)
    monkeypatch.setattr(Batches, "sync", refuse)
    start_sync(state)
    await quiet(state)
    refusal = "The service does not sync a batch with a V3 dataset: Only V4"
    assert notices == ["Sync finished", refusal]
