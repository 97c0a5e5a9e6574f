"""Tasks that show what a batch had before it was changed, whoever changed it and whenever it is opened."""

import pytest

from batchwright.api.batches import Batches
from batchwright.base.json_values import Json
from batchwright.layout.edits import SetAttributes
from batchwright.layout.nodes import NodePath
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.run.commands import start_set_up
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.publish import start_publish
from batchwright.ui.run.state import RunState
from batchwright.wire.batches import Batch, BatchSetup, BatchStatus, BatchUpdate
from batchwright.wire.pagination import Listing
from tests.ui.conftest import until
from tests.ui.run.test_sync import Models, modelled, quiet

pytestmark = pytest.mark.gui

__all__ = ["modelled"]

PREVIOUS = "The tasks still show the previous version. Next: set up again."
OTHER_LAYOUT: Json = [
    {"rows": [{"columns": [{"items": [{"type": "free_text", "description": "What else?"}]}]}]}
]


@pytest.fixture(params=["this computer", "hosted"])
def is_live(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the service is used like a hosted one, which does not return the layout of tasks."""
    is_live = bool(request.param == "hosted")
    monkeypatch.setattr(ConnectionSession, "is_live", is_live)
    return is_live


async def reopened(model: RunState) -> RunState:
    """The state of the stage after the study was opened again."""
    again = RunState(model.study, model.session, model._tasks)
    await fetched(again)
    return again


async def fetched(model: RunState) -> None:
    await model.remote_list.fetch_now()
    await quiet(model)


async def own_batch(model: RunState) -> Batch:
    assert model.own is not None
    return model.own


async def update(model: RunState) -> None:
    """Update the batch to a changed question."""
    question = model.study.layout.at(NodePath(0, 0, 0, 1)).key
    model.study.apply(SetAttributes(question, {"description": "Why not?"}))
    start_publish(model, model.own)
    await quiet(model)


async def update_elsewhere(model: RunState, batch_id: str) -> None:
    context = await model.session.context()
    await context.service.batches.update(batch_id, BatchUpdate(batch_items=OTHER_LAYOUT))
    await fetched(model)


def step(model: RunState) -> tuple[str, ActionId | None]:
    return next_step(model).text, next_step(model).action


def test_an_update_without_a_setup_is_known_when_the_study_is_opened_again(
    modelled: Models, *, is_live: bool
) -> None:
    async def steps(model: RunState) -> None:
        assert not (await reopened(model)).is_outdated
        await update(model)
        assert step(model) == (PREVIOUS, ActionId.RUN_SET_UP)
        again = await reopened(model)
        assert step(again) == (PREVIOUS, ActionId.RUN_SET_UP)
        start_set_up(again, 1)
        await quiet(again)
        assert PREVIOUS not in step(again)
        assert not (await reopened(model)).is_outdated

    modelled(steps)


def test_a_batch_that_is_not_the_studys_says_so_too(modelled: Models, *, is_live: bool) -> None:
    async def steps(model: RunState) -> None:
        own = await own_batch(model)
        model.study.close()
        await fetched(model)
        assert model.chosen is not None
        assert not model.is_outdated
        await update_elsewhere(model, own.id)
        text, action = step(model)
        assert text == f"No study is open. “{own.name}”: {PREVIOUS}"
        assert action is ActionId.RUN_SET_UP

    modelled(steps)


def test_a_change_of_name_leaves_the_tasks_current(modelled: Models, *, is_live: bool) -> None:
    async def steps(model: RunState) -> None:
        batch, context = await own_batch(model), await model.session.context()
        await context.service.batches.update(batch.id, BatchUpdate(name="Dogs"))
        assert not (await reopened(model)).is_outdated

    modelled(steps)


def test_a_setup_by_another_client_makes_the_tasks_current(modelled: Models) -> None:
    async def steps(model: RunState) -> None:
        await update(model)
        batch, context = await own_batch(model), await model.session.context()
        await context.service.batches.set_up(batch.id, BatchSetup())
        await fetched(model)
        await until(lambda: model.own is not None and model.own.status == BatchStatus.READY, 30)
        await quiet(model)
        assert PREVIOUS not in step(model)

    modelled(steps)


def test_the_setup_of_a_hosted_batch_by_another_client_is_recorded_while_it_runs(
    modelled: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Batches.list

    async def list_as_processing(self: Batches, workspace_id: str) -> Listing[Batch]:
        listing = await real(self, workspace_id)
        batches = [batch.model_copy(update={"status": BatchStatus.PROCESSING}) for batch in listing.results]
        return listing.model_copy(update={"results": batches})

    async def steps(model: RunState) -> None:
        await update(model)
        monkeypatch.setattr(ConnectionSession, "is_live", True)
        assert (await reopened(model)).is_outdated
        with monkeypatch.context() as during_setup:
            during_setup.setattr(Batches, "list", list_as_processing)
            await reopened(model)
        assert not (await reopened(model)).is_outdated

    modelled(steps)
