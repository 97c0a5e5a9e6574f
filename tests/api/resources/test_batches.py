"""Batches without a layout, and with another dataset than before (wire reference, 5.4)."""

from pathlib import Path
from typing import Any

import pytest

from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import BatchCreate, BatchSetup, BatchUpdate
from tests.api.studies import DETAILS, client_of, poll_until_settled, upload_data


@pytest.mark.spec("B-10")
async def test_a_batch_whose_layout_is_null_or_omitted_has_none(running: ServiceAddress) -> None:
    fields: dict[str, Any] = {"name": "Old", "workspace_id": running.workspace_id, "task_details": DETAILS}

    async with client_of(running) as service:
        for request in (BatchCreate(**fields, batch_items=None), BatchCreate(**fields)):
            created = await service.batches.create(request)
            read = await service.batches.get(created.id)
            assert (created.batch_items, read.batch_items, read.has("batch_items")) == (None, None, True)


@pytest.mark.spec("B-14")
async def test_an_update_replaces_the_attached_dataset(running: ServiceAddress, data: Path) -> None:
    async with client_of(running) as service:
        first, _job = await upload_data(service, running.workspace_id, data)
        second, _job = await upload_data(service, running.workspace_id, data)
        fields: dict[str, Any] = {"name": "Study", "workspace_id": running.workspace_id}
        request = BatchCreate(**fields, task_details=DETAILS, dataset_id=first.id)
        batch = await service.batches.create(request)
        changed = await service.batches.update(batch.id, BatchUpdate(dataset_id=second.id))
        assert [item.id for item in batch.datasets] == [first.id]
        assert [item.id for item in changed.datasets] == [second.id]
        await service.batches.set_up(batch.id, BatchSetup())
        assert (await poll_until_settled(lambda: service.batches.status(batch.id))).status == "READY"
        read = await service.batches.get(batch.id)
        assert [(item.id, item.filename) for item in read.datasets] == [(second.id, data.name)]
