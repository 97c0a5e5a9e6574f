"""What is under way at one connection while another is looked at, and when the first is looked at again."""

import asyncio

import pytest

from batchwright.api.batches import Batches
from batchwright.client.context import WorkflowContext
from batchwright.local.connections import THIS_COMPUTER, Connection
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.operations import RunningOperation
from batchwright.ui.run.state import RunState
from batchwright.wire.batches import Batch
from batchwright.wire.pagination import Listing
from batchwright.wire.syncs import SyncJob
from tests.ui.run.test_sync import Models, append, modelled, quiet

pytestmark = pytest.mark.gui

__all__ = ["modelled"]

OTHER = Connection("lab.example.org", "https://lab.example.org", "w1")


def test_a_sync_is_still_told_of_after_a_look_at_another_connection(
    modelled: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, asked, may_go_on = Batches.sync, asyncio.Event(), asyncio.Event()

    async def sync_slowly(self: Batches, batch_id: str) -> SyncJob:
        asked.set()
        await may_go_on.wait()
        return await real(self, batch_id)

    async def steps(model: RunState) -> None:
        await append(model, "Third")
        monkeypatch.setattr(Batches, "sync", sync_slowly)
        model.sync()
        await asyncio.wait_for(asked.wait(), 30)
        model.session._take(OTHER)
        elsewhere, joins_there = model.going, model._seen.joins_setups
        assert elsewhere is None
        assert joins_there
        model.session._take(THIS_COMPUTER)
        await model._seen.look_now()
        assert model.going == RunningOperation("Syncing the batch")
        assert next_step(model).reason_not == "Syncing the batch."
        assert model.upkeep.reason_not == "Syncing the batch"
        assert not model._seen.joins_setups
        may_go_on.set()
        await quiet(model)
        assert not model.going
        assert model.upkeep.unsynced == 0

    modelled(steps)


def test_a_batch_that_is_set_up_is_not_listed_at_another_connection(
    modelled: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, asked, may_go_on = ConnectionSession.bench, asyncio.Event(), asyncio.Event()

    async def open_slowly(self: ConnectionSession, *, asks: bool = True) -> WorkflowContext:
        bench = await real(self, asks=asks)
        asked.set()
        await may_go_on.wait()
        return bench

    async def steps(model: RunState) -> None:
        listed: list[int] = []
        monkeypatch.setattr(ConnectionSession, "bench", open_slowly)
        model.set_up(1)
        await asyncio.wait_for(asked.wait(), 30)
        model.session._take(OTHER)
        model.changed.connect(lambda: listed.append(len(model.batches)))
        may_go_on.set()
        await quiet(model)
        assert set(listed) == {0}

    modelled(steps)


def test_a_connection_that_is_chosen_during_a_look_is_looked_at_after_it(
    modelled: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, asked, may_go_on = Batches.list, asyncio.Event(), asyncio.Event()

    async def list_slowly(self: Batches, workspace_id: str) -> Listing[Batch]:
        asked.set()
        await may_go_on.wait()
        return await real(self, workspace_id)

    async def steps(model: RunState) -> None:
        model.is_shown = True
        monkeypatch.setattr(Batches, "list", list_slowly)
        model.look()
        await asyncio.wait_for(asked.wait(), 30)
        model.session._take(OTHER)
        may_go_on.set()
        await quiet(model)
        assert model.seen_at is not None

    modelled(steps)
