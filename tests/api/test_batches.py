"""Batches without a layout, and with another dataset than before (wire reference, 5.4)."""

from pathlib import Path
from typing import Any

import pytest

from batchwright.api.client import ApiClient
from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import BatchCreate, BatchSetup, BatchUpdate
from tests.api.studies import DETAILS, poll_until_settled, run_with_client, upload_data


@pytest.mark.spec("B-10")
def test_a_batch_whose_layout_is_null_or_omitted_has_none(running: ServiceAddress) -> None:
    fields: dict[str, Any] = {"name": "Old", "workspace_id": running.workspace_id, "task_details": DETAILS}

    async def work(service: ApiClient) -> None:
        for request in (BatchCreate(**fields, batch_items=None), BatchCreate(**fields)):
            created = await service.batches.create(request)
            read = await service.batches.get(created.id)
            assert (created.batch_items, read.batch_items, read.has("batch_items")) == (None, None, True)

    run_with_client(running, work)


@pytest.mark.spec("B-14")
def test_an_update_replaces_the_attached_dataset(running: ServiceAddress, data: Path) -> None:
    async def work(service: ApiClient) -> None:
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

    run_with_client(running, work)
