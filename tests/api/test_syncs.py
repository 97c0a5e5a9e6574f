"""Syncs and auto-sync (specification, Batches rules 6 and 7)."""

from pathlib import Path

import pytest

from batchwright.api.http.errors import BadRequest, NotFound
from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import BatchCreate, BatchDuplicate, BatchSetup, BatchUpdate
from batchwright.wire.datapoints import JsonLinesBody
from batchwright.wire.syncs import SyncStatus
from tests.api.conftest import EndlessJobs
from tests.api.error_responses import UNKNOWN_ID, rejection_message
from tests.api.studies import DETAILS, client_of, poll_until_settled, set_up


@pytest.mark.spec("Y-02")
async def test_a_batch_that_is_not_ready_or_has_no_dataset_is_not_synced(
    running: ServiceAddress, data: Path
) -> None:
    async with client_of(running) as service:
        ready = await set_up(service, running.workspace_id, data)
        with_data = await service.batches.duplicate(ready.id, BatchDuplicate())
        bare = BatchCreate(name="Bare", workspace_id=running.workspace_id, task_details=DETAILS)
        without = await service.batches.create(bare)
        assert (len(with_data.datasets), without.datasets) == (1, ())
        for batch in (with_data, without):
            assert "is not ready" in await rejection_message(service.batches.sync(batch.id), BadRequest, 400)


@pytest.mark.spec("Y-02")
async def test_a_batch_whose_tasks_are_being_created_is_not_synced(endless_jobs: EndlessJobs) -> None:
    async with client_of(endless_jobs.running) as service:
        copy = await service.batches.duplicate(endless_jobs.ready.id, BatchDuplicate())
        await service.batches.set_up(copy.id, BatchSetup())
        assert "is not ready" in await rejection_message(service.batches.sync(copy.id), BadRequest, 400)


@pytest.mark.spec("Y-03")
async def test_a_sync_is_polled_until_it_has_created_the_missing_tasks(
    running: ServiceAddress, data: Path
) -> None:
    async with client_of(running) as service:
        batch = await set_up(service, running.workspace_id, data)
        (dataset,) = batch.datasets
        await service.datasets.append(dataset.id, JsonLinesBody(b'{"prompt": "Third"}\n'))
        started = await service.batches.sync(batch.id)
        sync_id = started.sync_id or ""
        job = await poll_until_settled(lambda: service.batches.sync_job(batch.id, sync_id))
        assert (job.status, job.sync_id) == (SyncStatus.COMPLETE, sync_id)
        assert (job.batch_id, job.dataset_id) == (batch.id, dataset.id)
        assert (job.datapoints_processed, job.tasks_created) == (1, 1)
        assert (job.groups_created, job.groups_expanded) == (1, 0)
        assert job == await service.batches.sync_job(batch.id, sync_id)


@pytest.mark.spec("Y-04")
async def test_an_unknown_sync_is_reported_with_its_id(running: ServiceAddress, data: Path) -> None:
    async with client_of(running) as service:
        batch = await set_up(service, running.workspace_id, data)
        other = await service.batches.duplicate(batch.id, BatchDuplicate())
        theirs = (await service.batches.sync(batch.id)).sync_id or ""
        for batch_id, sync_id in ((batch.id, UNKNOWN_ID), (other.id, theirs)):
            task = service.batches.sync_job(batch_id, sync_id)
            assert (
                await rejection_message(task, NotFound, 404) == f"There is no sync {sync_id} for this token."
            )


@pytest.mark.spec("Y-09")
async def test_auto_sync_keeps_its_last_setting(running: ServiceAddress, data: Path) -> None:
    async with client_of(running) as service:
        batch = await set_up(service, running.workspace_id, data)
        assert not batch.auto_sync_enabled
        for is_enabled in (True, False, True):
            changed = await service.batches.update(batch.id, BatchUpdate(auto_sync_enabled=is_enabled))
            other_update = await service.batches.update(batch.id, BatchUpdate(name="Renamed"))
            fetched = await service.batches.get(batch.id)
            assert {item.auto_sync_enabled for item in (changed, other_update, fetched)} == {is_enabled}
