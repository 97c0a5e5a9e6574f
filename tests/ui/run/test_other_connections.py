"""Operations of one connection while another connection is selected."""

import asyncio

import pytest

from batchwright.api.batches import Batches
from batchwright.client.context import Notify, WorkflowContext
from batchwright.local.connections import THIS_COMPUTER, Connection
from batchwright.ui.run.commands import start_set_up, start_sync
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.state import RunState
from batchwright.wire.batches import Batch
from batchwright.wire.pagination import Listing
from batchwright.wire.syncs import SyncJob
from tests.ui.fake_connection_pool import FakeConnectionPool
from tests.ui.run.test_sync import Models, append, modelled, quiet

pytestmark = pytest.mark.gui

__all__ = ["modelled"]

OTHER = Connection("lab.example.org", "https://lab.example.org", "w1")


def test_a_sync_is_shown_again_after_returning_to_its_connection(
    modelled: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, has_started, may_go_on = Batches.sync, asyncio.Event(), asyncio.Event()

    async def sync_slowly(self: Batches, batch_id: str) -> SyncJob:
        has_started.set()
        await may_go_on.wait()
        return await real(self, batch_id)

    async def steps(model: RunState) -> None:
        await append(model, "Third")
        monkeypatch.setattr(Batches, "sync", sync_slowly)
        start_sync(model)
        await asyncio.wait_for(has_started.wait(), 30)
        model.session._set_connection(OTHER)
        elsewhere = model.operation
        assert elsewhere is None
        model.session._set_connection(THIS_COMPUTER)
        await model.remote_list.fetch_now()
        operation = model.operation
        assert operation is not None
        assert operation.message == "Syncing the batch"
        assert next_step(model).disabled_reason == "Syncing the batch."
        assert model.sync.disabled_reason == "Syncing the batch"
        may_go_on.set()
        await quiet(model)
        assert not model.operation
        assert model.sync.unsynced == 0

    modelled(steps)


def test_a_setup_does_not_list_its_batch_at_another_connection(
    modelled: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, has_started, may_go_on = FakeConnectionPool.context, asyncio.Event(), asyncio.Event()

    async def open_slowly(
        self: FakeConnectionPool, connection: Connection, notify: Notify
    ) -> WorkflowContext:
        context = await real(self, connection, notify)
        has_started.set()
        await may_go_on.wait()
        return context

    async def steps(model: RunState) -> None:
        listed: list[int] = []
        monkeypatch.setattr(FakeConnectionPool, "context", open_slowly)
        start_set_up(model, 1)
        await asyncio.wait_for(has_started.wait(), 30)
        model.session._set_connection(OTHER)
        model.changed.connect(lambda: listed.append(len(model.resources)))
        may_go_on.set()
        await quiet(model)
        assert set(listed) == {0}

    modelled(steps)


def test_a_connection_selected_during_a_refresh_is_fetched_afterwards(
    modelled: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, has_started, may_go_on = Batches.list, asyncio.Event(), asyncio.Event()

    async def list_slowly(self: Batches, workspace_id: str) -> Listing[Batch]:
        has_started.set()
        await may_go_on.wait()
        return await real(self, workspace_id)

    async def steps(model: RunState) -> None:
        model.remote_list.is_active = True
        monkeypatch.setattr(Batches, "list", list_slowly)
        model.remote_list.refresh()
        await asyncio.wait_for(has_started.wait(), 30)
        model.session._set_connection(OTHER)
        may_go_on.set()
        await quiet(model)
        assert model.remote_list.fetched_at is not None

    modelled(steps)
