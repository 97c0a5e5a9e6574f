"""Syncs and auto-sync, as the client asks for them (specification, Batches rules 6 and 7)."""

from pathlib import Path

import pytest

from batchwright.api.client import ApiClient
from batchwright.api.errors import BadRequest, NotFound
from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import BatchCreate, BatchDuplicate, BatchSetup, BatchUpdate
from batchwright.wire.datapoints import JsonLinesBody
from batchwright.wire.syncs import SyncStatus
from tests.api.conftest import Held
from tests.api.error_responses import NOWHERE, refusal
from tests.api.studies import DETAILS, carry_out, set_up, settled


@pytest.mark.spec("Y-02")
def test_a_batch_that_is_not_ready_or_has_no_dataset_is_not_synced(
    running: ServiceAddress, data: Path
) -> None:
    async def work(service: ApiClient) -> None:
        ready = await set_up(service, running.workspace_id, data)
        with_data = await service.batches.duplicate(ready.id, BatchDuplicate())
        bare = BatchCreate(name="Bare", workspace_id=running.workspace_id, task_details=DETAILS)
        without = await service.batches.create(bare)
        assert (len(with_data.datasets), without.datasets) == (1, ())
        for batch in (with_data, without):
            assert "is not ready" in await refusal(service.batches.sync(batch.id), BadRequest, 400)

    carry_out(running, work)


@pytest.mark.spec("Y-02")
def test_a_batch_whose_tasks_are_being_made_is_not_synced(held: Held) -> None:
    async def work(service: ApiClient) -> None:
        copy = await service.batches.duplicate(held.ready.id, BatchDuplicate())
        await service.batches.set_up(copy.id, BatchSetup())
        assert "is not ready" in await refusal(service.batches.sync(copy.id), BadRequest, 400)

    carry_out(held.running, work)


@pytest.mark.spec("Y-03")
def test_a_sync_is_looked_at_until_it_has_made_the_missing_tasks(running: ServiceAddress, data: Path) -> None:
    async def work(service: ApiClient) -> None:
        batch = await set_up(service, running.workspace_id, data)
        (dataset,) = batch.datasets
        await service.datasets.append(dataset.id, JsonLinesBody(b'{"prompt": "Third"}\n'))
        begun = await service.batches.sync(batch.id)
        sync_id = begun.sync_id or ""
        done = await settled(lambda: service.batches.sync_job(batch.id, sync_id))
        assert (done.status, done.sync_id) == (SyncStatus.COMPLETE, sync_id)
        assert (done.batch_id, done.dataset_id) == (batch.id, dataset.id)
        assert (done.datapoints_processed, done.tasks_created) == (1, 1)
        assert (done.groups_created, done.groups_expanded) == (1, 0)
        assert done == await service.batches.sync_job(batch.id, sync_id)

    carry_out(running, work)


@pytest.mark.spec("Y-04")
def test_a_sync_that_is_not_there_is_not_found(running: ServiceAddress, data: Path) -> None:
    async def work(service: ApiClient) -> None:
        batch = await set_up(service, running.workspace_id, data)
        other = await service.batches.duplicate(batch.id, BatchDuplicate())
        theirs = (await service.batches.sync(batch.id)).sync_id or ""
        for batch_id, sync_id in ((batch.id, NOWHERE), (other.id, theirs)):
            task = service.batches.sync_job(batch_id, sync_id)
            assert await refusal(task, NotFound, 404) == f"There is no sync {sync_id} for this token."

    carry_out(running, work)


@pytest.mark.spec("Y-09")
def test_auto_sync_is_as_it_was_last_set(running: ServiceAddress, data: Path) -> None:
    async def work(service: ApiClient) -> None:
        batch = await set_up(service, running.workspace_id, data)
        assert not batch.auto_sync_enabled
        for is_wanted in (True, False, True):
            changed = await service.batches.update(batch.id, BatchUpdate(auto_sync_enabled=is_wanted))
            left_out = await service.batches.update(batch.id, BatchUpdate(name="Renamed"))
            seen = await service.batches.get(batch.id)
            assert {item.auto_sync_enabled for item in (changed, left_out, seen)} == {is_wanted}

    carry_out(running, work)
