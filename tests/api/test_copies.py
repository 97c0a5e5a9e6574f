"""Duplicating batches (specification, Batches rule 8)."""

from pathlib import Path

import pytest

from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import BatchDuplicate, BatchSetup
from batchwright.wire.datapoints import JsonLinesBody
from tests.api.studies import client_of, poll_until_settled, set_up


@pytest.mark.spec("U-01", "U-04")
@pytest.mark.parametrize(("name", "expected"), [(None, "Study (Copy)"), ("Second wave", "Second wave")])
async def test_a_copy_is_a_new_batch_with_the_requested_or_the_original_name(
    running: ServiceAddress, data: Path, name: str | None, expected: str
) -> None:
    request = BatchDuplicate() if name is None else BatchDuplicate(name=name)

    async with client_of(running) as service:
        original = await set_up(service, running.workspace_id, data)
        copy = await service.batches.duplicate(original.id, request)
        assert copy.id != original.id
        assert (copy.name, copy.status, copy.total_task_count) == (expected, "UNINITIALISED", 0)
        assert (await service.batches.list(running.workspace_id)).results[0].id == copy.id
        assert (await service.batches.get(copy.id)).name == expected
        assert await service.batches.get(original.id) == original


@pytest.mark.spec("U-02")
@pytest.mark.parametrize("body", [BatchDuplicate(), BatchDuplicate(upload_new_dataset=False)])
async def test_a_copy_shares_the_dataset_of_its_original(
    running: ServiceAddress, data: Path, body: BatchDuplicate
) -> None:
    async with client_of(running) as service:
        original = await set_up(service, running.workspace_id, data)
        (dataset,) = original.datasets
        copy = await service.batches.duplicate(original.id, body)
        assert [item.id for item in copy.datasets] == [dataset.id]
        await service.datasets.append(dataset.id, JsonLinesBody(b'{"prompt": "Third"}\n'))
        await service.batches.set_up(copy.id, BatchSetup())
        await poll_until_settled(lambda: service.batches.status(copy.id))
        assert (await service.batches.get(copy.id)).total_task_count == 3
        for batch in (original, copy):
            (shared,) = (await service.batches.get(batch.id)).datasets
            assert (shared.id, shared.total_datapoint_count) == (dataset.id, 3)


@pytest.mark.spec("U-03")
async def test_a_copy_for_new_data_has_no_dataset(running: ServiceAddress, data: Path) -> None:
    async with client_of(running) as service:
        original = await set_up(service, running.workspace_id, data)
        copy = await service.batches.duplicate(original.id, BatchDuplicate(upload_new_dataset=True))
        assert copy.datasets == (await service.batches.get(copy.id)).datasets == ()
        assert len((await service.batches.get(original.id)).datasets) == 1
