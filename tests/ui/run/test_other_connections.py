"""Operations of one connection while another connection is selected."""

import asyncio

import pytest

from batchwright.api.resources.batches import Batches
from batchwright.client.context import Notify, WorkflowContext
from batchwright.local.connections import THIS_COMPUTER, Connection
from batchwright.ui.run.commands import start_sync
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.state import RunState
from batchwright.wire.batches import Batch
from batchwright.wire.pagination import Listing
from batchwright.wire.syncs import SyncJob
from tests.ui.fake_connection_pool import FakeConnectionPool
from tests.ui.run.conftest import append, quiet, set_up_chosen

pytestmark = pytest.mark.gui


OTHER = Connection("lab.example.org", "https://lab.example.org", "w1")


async def test_a_sync_is_shown_again_after_returning_to_its_connection(
    state: RunState, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, has_started, may_go_on = Batches.sync, asyncio.Event(), asyncio.Event()

    async def sync_slowly(self: Batches, batch_id: str) -> SyncJob:
        has_started.set()
        await may_go_on.wait()
        return await real(self, batch_id)

    await append(state, "Third")
    monkeypatch.setattr(Batches, "sync", sync_slowly)
    start_sync(state)
    await asyncio.wait_for(has_started.wait(), 30)
    state.session.set_connection(OTHER)
    elsewhere = state.operation
    assert elsewhere is None
    state.session.set_connection(THIS_COMPUTER)
    await state.remote_list.fetch_now()
    operation = state.operation
    assert operation is not None
    assert operation.message == "Syncing the batch"
    assert next_step(state).disabled_reason == "Syncing the batch."
    assert state.sync.disabled_reason == "Syncing the batch"
    may_go_on.set()
    await quiet(state)
    assert not state.operation
    assert state.sync.unsynced == 0


async def test_a_setup_does_not_list_its_batch_at_another_connection(
    state: RunState, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, has_started, may_go_on = FakeConnectionPool.context, asyncio.Event(), asyncio.Event()

    async def open_slowly(
        self: FakeConnectionPool, connection: Connection, notify: Notify
    ) -> WorkflowContext:
        context = await real(self, connection, notify)
        has_started.set()
        await may_go_on.wait()
        return context

    listed: list[int] = []
    monkeypatch.setattr(FakeConnectionPool, "context", open_slowly)
    set_up_chosen(state, 1)
    await asyncio.wait_for(has_started.wait(), 30)
    state.session.set_connection(OTHER)
    state.changed.connect(lambda: listed.append(len(state.resources)))
    may_go_on.set()
    await quiet(state)
    assert set(listed) == {0}


async def test_a_connection_selected_during_a_refresh_is_fetched_afterwards(
    state: RunState, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, has_started, may_go_on = Batches.list, asyncio.Event(), asyncio.Event()

    async def list_slowly(self: Batches, workspace_id: str) -> Listing[Batch]:
        has_started.set()
        await may_go_on.wait()
        return await real(self, workspace_id)

    state.remote_list.is_active = True
    monkeypatch.setattr(Batches, "list", list_slowly)
    state.remote_list.refresh()
    await asyncio.wait_for(has_started.wait(), 30)
    state.session.set_connection(OTHER)
    may_go_on.set()
    await quiet(state)
    assert state.remote_list.fetched_at is not None
