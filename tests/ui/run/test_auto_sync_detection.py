"""Auto-syncs of the service: expected after new records, and listed by the tasks they created."""

from pathlib import Path

from batchwright.client.job_monitoring.status import JobKind
from batchwright.local.connections import THIS_COMPUTER, Connection
from batchwright.ui.core.job_types import counts
from batchwright.ui.run.commands import start_sync, switch_auto_sync
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.stage import RunStage
from batchwright.ui.run.state import RunState
from batchwright.workflows.upload_dataset import send_file
from tests.service.kill_helpers import paused_worker
from tests.ui.conftest import until
from tests.ui.run.separate_service import SeparateService
from tests.ui.run.test_service_unreachable import RunSteps, run_steps
from tests.ui.run.test_stage import press, ready, settled
from tests.ui.run.test_sync import Models, append, modelled, panel_text, quiet, switch

__all__ = ["modelled", "run_steps"]


def syncs(model: RunState) -> list[str]:
    """Return the texts of the syncs of the study, newest first."""
    return [counts(job.detail) for job in model.jobs if job.kind == "sync"]


def test_an_auto_sync_of_new_records_is_awaited_and_listed(run_steps: RunSteps) -> None:
    async def steps(stage: RunStage, service: SeparateService, failed: list[str]) -> None:
        model = stage.model
        await ready(stage)
        await until(lambda: model.own is not None and model.own.status == "READY", 30)
        await settled(stage)
        switch(stage).click()
        await settled(stage)
        model.remote_list.refresh()
        await settled(stage)
        with paused_worker(service.process.pid):
            await append(model, "Third", "Fourth")
            assert model.sync.is_awaited
            assert next_step(model).text == "Auto-sync creates the tasks of 2 new records."
            assert "Auto-sync creates the tasks of 2 new records." in panel_text(stage)
            assert "need a sync" not in panel_text(stage)
        await until(lambda: not model.sync.unsynced, 30)
        await until(lambda: bool(syncs(model)), 30)
        await settled(stage)
        assert syncs(model) == ["2 tasks created by auto-sync"]
        assert "Last auto-sync: 2 tasks created" in panel_text(stage)
        press(stage, "Sync")
        await settled(stage)
        assert len(syncs(model)) == 2
        assert not failed

    run_steps(steps)


def test_tasks_of_a_manual_sync_are_not_listed_as_auto_sync(modelled: Models) -> None:
    async def steps(model: RunState) -> None:
        await append(model, "Third")
        assert not model.sync.is_awaited
        switch_auto_sync(model, is_on=True)
        await quiet(model)
        await model.remote_list.fetch_now()
        assert not model.sync.is_awaited
        assert model.sync.unsynced == 1
        start_sync(model)
        await quiet(model)
        assert syncs(model) == ["1 task created"]

    modelled(steps)


async def switched_on(model: RunState) -> None:
    """Turn auto-sync on, append records, and poll once."""
    switch_auto_sync(model, is_on=True)
    await quiet(model)
    await model.remote_list.fetch_now()
    await append(model, "Third")


def test_no_auto_sync_is_awaited_for_imported_records(modelled: Models, tmp_path: Path) -> None:
    async def steps(model: RunState) -> None:
        await switched_on(model)
        await until(lambda: not model.sync.unsynced, 30)
        await quiet(model)
        await import_file(model, tmp_path)
        assert model.sync.unsynced == 1
        assert not model.sync.is_awaited

    modelled(steps)


def test_an_auto_sync_is_not_listed_at_another_connection(modelled: Models) -> None:
    async def steps(model: RunState) -> None:
        self_syncs = model.sync.detector
        came: list[int] = []

        def leave() -> None:
            if self_syncs._unlisted:
                came.append(len(self_syncs._unlisted))
                model.session._set_connection(Connection("Lab", "https://lab.example.org", "w1"))

        model.remote_list.fetched.connect(leave)
        await switched_on(model)
        await until(lambda: bool(came), 30)
        await quiet(model)
        model.session._set_connection(THIS_COMPUTER)
        await model.remote_list.fetch_now()
        assert not syncs(model)

    modelled(steps)


async def import_file(model: RunState, folder: Path) -> None:
    """Import a file into the dataset, and poll."""
    context, dataset = await model.session.context(), model.remote.dataset_id
    assert dataset is not None
    file = folder / "more.csv"
    file.write_text("prompt\nFourth\n", encoding="utf-8")
    import_id, _sent = await send_file(context, context.checkpoint("more"), dataset, file)
    subject = {"dataset_id": dataset, "import_id": import_id}
    async for _status in context.jobs.statuses(JobKind.IMPORT, subject, file.name):
        pass
    await model.remote_list.fetch_now()
