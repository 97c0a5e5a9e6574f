"""Syncs that the service begins by itself: waited for where they should come, listed by what they made."""

from batchwright.ui.job_kinds import counts
from batchwright.ui.run.stage import RunStage
from batchwright.ui.run.steps import next_step
from batchwright.ui.run.view_model import RunViewModel
from tests.ui.conftest import until
from tests.ui.run.own import Own
from tests.ui.run.test_away import Do, do
from tests.ui.run.test_stage import press, ready, settled
from tests.ui.run.test_upkeep import Models, append, modelled, quiet, says, switch

__all__ = ["do", "modelled"]


def syncs(model: RunViewModel) -> list[str]:
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
        model.look()
        await settled(stage)
        await append(model, "Third", "Fourth")
        await until(lambda: model.upkeep.awaits, 30)
        assert next_step(model).sentence == "Auto-sync makes the tasks of 2 new records."
        assert "Auto-sync makes the tasks of 2 new records." in says(stage)
        assert "need a sync" not in says(stage)
        await until(lambda: not model.upkeep.unsynced, 30)
        await until(lambda: bool(syncs(model)), 30)
        await settled(stage)
        assert syncs(model) == ["2 tasks made by auto-sync"]
        assert "Last auto-sync: 2 tasks made" in says(stage)
        press(stage, "Sync")
        await settled(stage)
        assert len(syncs(model)) == 2
        assert not failed

    do(steps, job_delay=0.3)


def test_tasks_that_somebody_asked_for_here_are_no_sync_by_itself(modelled: Models) -> None:
    async def steps(model: RunViewModel) -> None:
        await append(model, "Third")
        assert not model.upkeep.awaits
        model.upkeep.set_auto(is_on=True)
        await quiet(model)
        await model._seen.look_now()
        assert not model.upkeep.awaits
        assert model.upkeep.unsynced == 1
        model.sync()
        await quiet(model)
        assert syncs(model) == ["1 task made"]

    modelled(steps)
