"""A hosted study without a token: the stages do not prompt, they offer to sign in."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QWidget

from batchwright.api.resources.batches import Batches
from batchwright.client.connection_pool import NotSignedIn
from batchwright.client.context import Notify, WorkflowContext
from batchwright.local.connections import Connection
from batchwright.local.secrets import KeyringUnavailable
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.publishing.stage import UnavailablePage
from batchwright.ui.results.state import ResultsState
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.stage import RunStage
from batchwright.wire.batches import BatchStatus
from tests.ui import fake_connection_pool
from tests.ui.fake_connection_pool import LAB, FakeConnectionPool
from tests.ui.run.conftest import find_in_window, ready, settled
from tests.ui.window_fixtures import press as press_in

pytestmark = pytest.mark.gui


@dataclass
class SignIn:
    """The prompts for a token, and whether the user enters one."""

    prompts: list[str] = field(default_factory=list)
    is_accepted: bool = True


@pytest.fixture
def sign_in_prompts(monkeypatch: pytest.MonkeyPatch) -> SignIn:
    """Make hosted connections require a token until the user has signed in."""
    real, sign_in_prompts = FakeConnectionPool.context, SignIn()

    async def locked(self: FakeConnectionPool, connection: Connection, notify: Notify) -> WorkflowContext:
        if not connection.is_local and not (sign_in_prompts.prompts and sign_in_prompts.is_accepted):
            raise NotSignedIn(connection.name)
        return await real(self, connection, notify)

    async def sign_in(connection: Connection, _no_ring: KeyringUnavailable | None = None) -> bool:
        sign_in_prompts.prompts.append(connection.name)
        return sign_in_prompts.is_accepted

    monkeypatch.setattr(FakeConnectionPool, "context", locked)
    monkeypatch.setattr(fake_connection_pool, "_cancel_sign_in", sign_in)
    return sign_in_prompts


@pytest.fixture
def session(sign_in_prompts: SignIn, session: ConnectionSession) -> ConnectionSession:
    """A session with these prompts."""
    return session


def shows(parent: QWidget, text: str) -> bool:
    """Whether a visible label has this text."""
    return any(label.text() == text for label in parent.findChildren(QLabel) if label.isVisible())


async def test_run_and_results_show_a_sign_in_button(stage: RunStage, sign_in_prompts: SignIn) -> None:
    await ready(stage)
    state, tasks = stage.state, stage.window_context.tasks
    here = state.remote
    results = ResultsState(state.study, state.session, tasks)
    state.session.set_connection(LAB)
    await settled(stage)
    assert shows(stage, "Sign in to see the batches")
    state.study.set_remote(LAB.name, replace(here))
    state.remote_list.refresh()
    results.answers.refresh()
    await settled(stage)
    assert not sign_in_prompts.prompts
    assert shows(stage, "Sign in to see the batch")
    assert shows(stage, "Lab needs a token. You can still edit the study.")
    assert next_step(state).text == "Sign in to see the batch."
    assert results.answers.needs_sign_in
    press_in(find_in_window(stage, UnavailablePage), "Sign in")
    await settled(stage)
    assert sign_in_prompts.prompts == ["Lab"]
    assert state.own is not None
    assert state.own.status == BatchStatus.READY
    results.answers.refresh()
    await settled(stage)
    assert not results.answers.needs_sign_in


async def test_a_cancelled_sign_in_keeps_the_sign_in_button(stage: RunStage, sign_in_prompts: SignIn) -> None:
    sign_in_prompts.is_accepted = False
    stage.state.session.set_connection(LAB)
    await settled(stage)
    stage.window_context.actions.run(ActionId.RUN_REFRESH)
    await settled(stage)
    assert sign_in_prompts.prompts == ["Lab"]
    assert shows(stage, "Sign in to see the batches")


@dataclass
class BlockedRequests:
    """Delays requests to a service until `may_go_on` is set."""

    real: Callable[..., Awaitable[Any]]
    has_started: asyncio.Event = field(default_factory=asyncio.Event)
    may_go_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, *arguments: Any) -> Any:
        self.has_started.set()
        await self.may_go_on.wait()
        return await self.real(*arguments)


async def test_changing_the_connection_during_a_refresh_does_not_prompt(
    stage: RunStage, sign_in_prompts: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ready(stage)
    state, tasks = stage.state, stage.window_context.tasks
    service = (await state.session.context()).service.batches
    results = ResultsState(state.study, state.session, tasks)
    results.answers.is_active = True  # as its stage does while it is shown
    batches, answers = BlockedRequests(service.list), BlockedRequests(service.responses)
    monkeypatch.setattr(Batches, "list", lambda _self, *of: batches(*of))
    monkeypatch.setattr(Batches, "responses", lambda _self, *of: answers(*of))
    state.study.set_remote(LAB.name, replace(state.remote, batch_id="another"))
    await settled(stage)
    stage.window_context.actions.run(ActionId.RUN_REFRESH)
    results.answers.refresh(may_prompt=True)
    for blocked in (batches, answers):
        await asyncio.wait_for(blocked.has_started.wait(), 30)
    state.session.set_connection(LAB)
    for blocked in (batches, answers):
        blocked.may_go_on.set()
    await settled(stage)
    assert not sign_in_prompts.prompts
    assert state.remote_list.needs_sign_in
    assert results.answers.needs_sign_in
