"""Tasks that show what a batch had before it was changed, whoever changed it and whenever it is opened."""

import pytest

from batchwright.api.resources.batches import Batches
from batchwright.base.json_values import Json
from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.nodes import NodePath
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.publish import start_publish
from batchwright.ui.run.state import RunState
from batchwright.wire.batches import Batch, BatchSetup, BatchStatus, BatchUpdate
from batchwright.wire.pagination import Listing
from tests.ui.conftest import until
from tests.ui.run.conftest import quiet, set_up_chosen

pytestmark = pytest.mark.gui


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


async def reopened(state: RunState) -> RunState:
    """The state of the stage after the study was opened again."""
    again = RunState(state.study, state.session, state.tasks)
    await fetched(again)
    return again


async def fetched(state: RunState) -> None:
    await state.remote_list.fetch_now()
    await quiet(state)


async def own_batch(state: RunState) -> Batch:
    assert state.own is not None
    return state.own


async def update(state: RunState) -> None:
    """Update the batch to a changed question."""
    question = state.study.layout.at(NodePath(0, 0, 0, 1)).key
    state.study.apply(SetAttributes(question, {"description": "Why not?"}))
    start_publish(state, state.own)
    await quiet(state)


async def update_elsewhere(state: RunState, batch_id: str) -> None:
    context = await state.session.context()
    await context.service.batches.update(batch_id, BatchUpdate(batch_items=OTHER_LAYOUT))
    await fetched(state)


def step(state: RunState) -> tuple[str, ActionId | None]:
    return next_step(state).text, next_step(state).action


@pytest.mark.usefixtures("is_live")
async def test_an_update_without_a_setup_is_known_when_the_study_is_opened_again(state: RunState) -> None:
    assert not (await reopened(state)).is_outdated
    await update(state)
    assert step(state) == (PREVIOUS, ActionId.RUN_SET_UP)
    again = await reopened(state)
    assert step(again) == (PREVIOUS, ActionId.RUN_SET_UP)
    set_up_chosen(again, 1)
    await quiet(again)
    assert PREVIOUS not in step(again)
    assert not (await reopened(state)).is_outdated


@pytest.mark.usefixtures("is_live")
async def test_a_batch_that_is_not_the_studys_says_so_too(state: RunState) -> None:
    own = await own_batch(state)
    state.study.close()
    await fetched(state)
    assert state.chosen is not None
    assert not state.is_outdated
    await update_elsewhere(state, own.id)
    text, action = step(state)
    assert text == f"No study is open. “{own.name}”: {PREVIOUS}"
    assert action is ActionId.RUN_SET_UP


@pytest.mark.usefixtures("is_live")
async def test_a_change_of_name_leaves_the_tasks_current(state: RunState) -> None:
    batch, context = await own_batch(state), await state.session.context()
    await context.service.batches.update(batch.id, BatchUpdate(name="Dogs"))
    assert not (await reopened(state)).is_outdated


async def test_a_setup_by_another_client_makes_the_tasks_current(state: RunState) -> None:
    await update(state)
    batch, context = await own_batch(state), await state.session.context()
    await context.service.batches.set_up(batch.id, BatchSetup())
    await fetched(state)
    await until(lambda: state.own is not None and state.own.status == BatchStatus.READY, 30)
    await quiet(state)
    assert PREVIOUS not in step(state)


async def test_the_setup_of_a_hosted_batch_by_another_client_is_recorded_while_it_runs(
    state: RunState, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Batches.list

    async def list_as_processing(self: Batches, workspace_id: str) -> Listing[Batch]:
        listing = await real(self, workspace_id)
        batches = [batch.model_copy(update={"status": BatchStatus.PROCESSING}) for batch in listing.results]
        return listing.model_copy(update={"results": batches})

    await update(state)
    monkeypatch.setattr(ConnectionSession, "is_live", True)
    assert (await reopened(state)).is_outdated
    with monkeypatch.context() as during_setup:
        during_setup.setattr(Batches, "list", list_as_processing)
        await reopened(state)
    assert not (await reopened(state)).is_outdated
