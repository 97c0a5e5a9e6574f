"""Looking at a hosted study without a token asks for none: the stages say what signing in would show."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QWidget

from batchwright.api.batches import Batches
from batchwright.client.connection_pool import NotSignedIn
from batchwright.client.context import Notify, WorkflowContext
from batchwright.local.connections import Connection
from batchwright.local.secrets import KeyringUnavailable
from batchwright.ui.results.state import ResultsState
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.stage import RunStage
from batchwright.wire.batches import BatchStatus
from tests.ui import fake_connection_pool
from tests.ui.fake_connection_pool import SingleContextPool
from tests.ui.run.test_stage import Do, do, ready, settled
from tests.ui.window_fixtures import press as press_in

pytestmark = pytest.mark.gui

__all__ = ["do"]

LAB = Connection("Lab", "https://lab.example.org", "w1")


@dataclass
class Door:
    """Whom the person was asked for a token of, and whether it gives one."""

    prompts: list[str] = field(default_factory=list)
    gives: bool = True


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Door:
    """Hosted connections are locked until the person has given a token."""
    real, door = SingleContextPool.context, Door()

    async def locked(self: SingleContextPool, connection: Connection, notify: Notify) -> WorkflowContext:
        if not connection.is_local and not (door.prompts and door.gives):
            raise NotSignedIn(connection.name)
        return await real(self, connection, notify)

    async def sign_in(connection: Connection, _no_ring: KeyringUnavailable | None = None) -> bool:
        door.prompts.append(connection.name)
        return door.gives

    monkeypatch.setattr(SingleContextPool, "context", locked)
    monkeypatch.setattr(fake_connection_pool, "_cancel_sign_in", sign_in)
    return door


def shows(parent: QWidget, text: str) -> bool:
    """Whether a visible text says just this."""
    return any(label.text() == text for label in parent.findChildren(QLabel) if label.isVisible())


def test_run_and_results_wait_with_a_button_until_somebody_signs_in(do: Do, door: Door) -> None:
    async def steps(stage: RunStage) -> None:
        await ready(stage)
        model, tasks = stage.model, stage._window_context.tasks
        here = model.remote
        results = ResultsState(model.study, model.session, tasks)
        model.session._set_connection(LAB)
        await settled(stage)
        assert shows(stage, "Sign in to see the batches")
        model.study.set_remote(LAB.name, replace(here))
        model.remote_batches.refresh()
        results.refresh()
        await settled(stage)
        assert not door.prompts
        assert shows(stage, "Sign in to see the batch")
        assert shows(stage, "Lab needs a token. You can still edit the study.")
        assert next_step(model).sentence == "Sign in to see the batch."
        assert results.remote.needs_sign_in
        press_in(stage._unavailable, "Sign in")
        await settled(stage)
        assert door.prompts == ["Lab"]
        assert model.batch is not None
        assert model.batch.status == BatchStatus.READY
        results.refresh()
        await settled(stage)
        assert not results.remote.needs_sign_in

    do(steps)


def test_signing_in_that_is_given_up_leaves_the_question_where_it_was(do: Do, door: Door) -> None:
    door.gives = False

    async def steps(stage: RunStage) -> None:
        stage.model.session._set_connection(LAB)
        await settled(stage)
        stage._window_context.actions.run("run.refresh")
        await settled(stage)
        assert door.prompts == ["Lab"]
        assert shows(stage, "Sign in to see the batches")

    do(steps)


@dataclass
class BlockedRequests:
    """Holds up what is asked of a service until it may go on."""

    real: Callable[..., Awaitable[Any]]
    is_asked: asyncio.Event = field(default_factory=asyncio.Event)
    may_go_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, *arguments: Any) -> Any:
        self.is_asked.set()
        await self.may_go_on.wait()
        return await self.real(*arguments)


def test_who_leaves_a_connection_during_a_poll_is_asked_nothing_about_the_next(
    do: Do, door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def steps(stage: RunStage) -> None:
        await ready(stage)
        model, tasks = stage.model, stage._window_context.tasks
        service = (await model.session.context()).service.batches
        results = ResultsState(model.study, model.session, tasks)
        results.remote.is_active = True  # as its stage does while it is shown
        batches, answers = BlockedRequests(service.list), BlockedRequests(service.responses)
        monkeypatch.setattr(Batches, "list", lambda _self, *of: batches(*of))
        monkeypatch.setattr(Batches, "responses", lambda _self, *of: answers(*of))
        model.study.set_remote(LAB.name, replace(model.remote, batch_id="another"))
        await settled(stage)
        stage._window_context.actions.run("run.refresh")
        results.refresh(may_prompt=True)
        for held in (batches, answers):
            await asyncio.wait_for(held.is_asked.wait(), 30)
        model.session._set_connection(LAB)
        for held in (batches, answers):
            held.may_go_on.set()
        await settled(stage)
        assert not door.prompts
        assert model.remote_batches.needs_sign_in
        assert results.remote.needs_sign_in

    do(steps)
