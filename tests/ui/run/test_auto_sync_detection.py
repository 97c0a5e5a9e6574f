"""Auto-syncs of the service: expected after new records, and listed by the tasks they created."""

from pathlib import Path

from batchwright.client.job_monitoring.status import JobKind
from batchwright.local.connections import THIS_COMPUTER, Connection
from batchwright.ui.core.job_types import counts
from batchwright.ui.run.commands import start_sync, switch_auto_sync
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.stage import RunStage
from batchwright.ui.run.state import RunState
from batchwright.workflows.data.upload_dataset import send_file
from tests.service.kill_helpers import paused_worker
from tests.ui.conftest import until
from tests.ui.run.separate_service import SeparateService
from tests.ui.run.test_service_unreachable import RunSteps, run_steps
from tests.ui.run.test_stage import press, ready, settled
from tests.ui.run.test_sync import RunStates, append, panel_text, quiet, run_states, switch

__all__ = ["run_states", "run_steps"]


def syncs(state: RunState) -> list[str]:
    """The texts of the syncs of the study, newest first."""
    return [counts(job.detail) for job in state.jobs if job.kind == "sync"]


def test_an_auto_sync_of_new_records_is_awaited_and_listed(run_steps: RunSteps) -> None:
    async def steps(stage: RunStage, service: SeparateService, failed: list[str]) -> None:
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

    run_steps(steps)


def test_tasks_of_a_manual_sync_are_not_listed_as_auto_sync(run_states: RunStates) -> None:
    async def steps(state: RunState) -> None:
        await append(state, "Third")
        assert not state.sync.is_awaited
        switch_auto_sync(state, is_on=True)
        await quiet(state)
        await state.remote_list.fetch_now()
        assert not state.sync.is_awaited
        assert state.sync.unsynced == 1
        start_sync(state)
        await quiet(state)
        assert syncs(state) == ["1 task created"]

    run_states(steps)


async def switched_on(state: RunState) -> None:
    """Turn auto-sync on, append records, and poll once."""
    switch_auto_sync(state, is_on=True)
    await quiet(state)
    await state.remote_list.fetch_now()
    await append(state, "Third")


def test_no_auto_sync_is_awaited_for_imported_records(run_states: RunStates, tmp_path: Path) -> None:
    async def steps(state: RunState) -> None:
        await switched_on(state)
        await until(lambda: not state.sync.unsynced, 30)
        await quiet(state)
        await import_file(state, tmp_path)
        assert state.sync.unsynced == 1
        assert not state.sync.is_awaited

    run_states(steps)


def test_an_auto_sync_is_not_listed_at_another_connection(run_states: RunStates) -> None:
    async def steps(state: RunState) -> None:
        self_syncs = state.sync.detector
        came: list[int] = []

        def leave() -> None:
            if self_syncs._unlisted:
                came.append(len(self_syncs._unlisted))
                state.session._set_connection(Connection("Lab", "https://lab.example.org", "w1"))

        state.remote_list.fetched.connect(leave)
        await switched_on(state)
        await until(lambda: bool(came), 30)
        await quiet(state)
        state.session._set_connection(THIS_COMPUTER)
        await state.remote_list.fetch_now()
        assert not syncs(state)

    run_states(steps)


async def import_file(state: RunState, folder: Path) -> None:
    """Import a file into the dataset, and poll."""
    context, dataset = await state.session.context(), state.remote.dataset_id
    assert dataset is not None
    file = folder / "more.csv"
    file.write_text("prompt\nFourth\n", encoding="utf-8")
    import_id, _sent = await send_file(context, context.checkpoint("more"), dataset, file)
    subject = {"dataset_id": dataset, "import_id": import_id}
    async for _status in context.jobs.statuses(JobKind.IMPORT, subject, file.name):
        pass
    await state.remote_list.fetch_now()
