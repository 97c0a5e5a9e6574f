"""Syncs that the service begins by itself: waited for where they should come, listed by what they made."""

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
from tests.ui.run.study_batch import Own
from tests.ui.run.test_service_unreachable import Do, do
from tests.ui.run.test_stage import press, ready, settled
from tests.ui.run.test_sync import Models, append, modelled, panel_text, quiet, switch

__all__ = ["do", "modelled"]


def syncs(model: RunState) -> list[str]:
    """What the syncs of the study have counted, the newest first."""
    return [counts(job.detail) for job in model.jobs if job.kind == "sync"]


def test_records_that_come_while_auto_sync_is_on_are_waited_for_and_their_sync_is_listed(do: Do) -> None:
    async def steps(stage: RunStage, own: Own, failed: list[str]) -> None:
        model = stage.model
        await ready(stage)
        await until(lambda: model.batch is not None and model.batch.status == "READY", 30)
        await settled(stage)
        switch(stage).click()
        await settled(stage)
        model.remote_batches.refresh()
        await settled(stage)
        with paused_worker(own.process.pid):
            await append(model, "Third", "Fourth")
            assert model.sync.is_awaited
            assert next_step(model).sentence == "Auto-sync creates the tasks of 2 new records."
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

    do(steps)


def test_tasks_that_somebody_asked_for_here_are_no_sync_by_itself(modelled: Models) -> None:
    async def steps(model: RunState) -> None:
        await append(model, "Third")
        assert not model.sync.is_awaited
        switch_auto_sync(model, is_on=True)
        await quiet(model)
        await model.remote_batches.fetch_now()
        assert not model.sync.is_awaited
        assert model.sync.unsynced == 1
        start_sync(model)
        await quiet(model)
        assert syncs(model) == ["1 task created"]

    modelled(steps)


async def switched_on(model: RunState) -> None:
    """Up to records that come while auto-sync is on, with the first look at them."""
    switch_auto_sync(model, is_on=True)
    await quiet(model)
    await model.remote_batches.fetch_now()
    await append(model, "Third")


def test_records_of_a_file_are_not_waited_for_after_others_were(modelled: Models, tmp_path: Path) -> None:
    async def steps(model: RunState) -> None:
        await switched_on(model)
        await until(lambda: not model.sync.unsynced, 30)
        await quiet(model)
        await import_file(model, tmp_path)
        assert model.sync.unsynced == 1
        assert not model.sync.is_awaited

    modelled(steps)


def test_tasks_that_came_at_one_connection_are_listed_at_no_other(modelled: Models) -> None:
    async def steps(model: RunState) -> None:
        self_syncs = model.sync.detector
        came: list[int] = []

        def leave() -> None:
            if self_syncs._unlisted:
                came.append(len(self_syncs._unlisted))
                model.session._set_connection(Connection("Lab", "https://lab.example.org", "w1"))

        model.remote_batches.fetched.connect(leave)
        await switched_on(model)
        await until(lambda: bool(came), 30)
        await quiet(model)
        model.session._set_connection(THIS_COMPUTER)
        await model.remote_batches.fetch_now()
        assert not syncs(model)

    modelled(steps)


async def import_file(model: RunState, folder: Path) -> None:
    """A file is added to the dataset, and the service is looked at."""
    context, dataset = await model.session.context(), model.remote.dataset_id
    assert dataset is not None
    file = folder / "more.csv"
    file.write_text("prompt\nFourth\n", encoding="utf-8")
    import_id, _sent = await send_file(context, context.checkpoint("more"), dataset, file)
    subject = {"dataset_id": dataset, "import_id": import_id}
    async for _status in context.jobs.statuses(JobKind.IMPORT, subject, file.name):
        pass
    await model.remote_batches.fetch_now()
