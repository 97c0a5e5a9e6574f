"""Imports, batches and collections in certain states, for tests of workflows."""

from pathlib import Path
from typing import Any

from batchwright.api.client import ApiClient
from batchwright.wire.batches import Batch, BatchCreate
from batchwright.wire.collections import Collection, CollectionCreate
from batchwright.wire.datasets import DatasetCreate
from tests.api.studies import DETAILS, SCHEMA, send_file, upload_data


async def upload_file(service: ApiClient, workspace_id: str, data: Path) -> dict[str, str]:
    """The ids of an import that has just started."""
    request = DatasetCreate(name="Prompts", workspace_id=workspace_id, schema=SCHEMA)
    dataset = await service.datasets.create(request)
    address = await send_file(service, dataset.id, data)
    return {"dataset_id": dataset.id, "import_id": address.import_id or ""}


async def unready_batch(service: ApiClient, workspace_id: str, data: Path, layout: list[Any]) -> Batch:
    """A batch with an imported dataset, not set up."""
    dataset, _job = await upload_data(service, workspace_id, data)
    request = BatchCreate(
        name="Study",
        workspace_id=workspace_id,
        task_details=DETAILS,
        dataset_id=dataset.id,
        batch_items=layout,
    )
    return await service.batches.create(request)


async def upload_v3_file(service: ApiClient, workspace_id: str, data: Path) -> dict[str, str]:
    """The id of a V3 dataset whose file has just been sent."""
    dataset = await service.datasets.create(DatasetCreate(name="Prompts", workspace_id=workspace_id))
    await send_file(service, dataset.id, data)
    return {"dataset_id": dataset.id}


async def new_collection(service: ApiClient, workspace_id: str) -> Collection:
    """A collection of one question."""
    pages = [{"page_items": [{"type": "free_text", "description": "Why?", "order": 0}]}]
    request = CollectionCreate.model_validate(
        {"name": "Survey", "workspace_id": workspace_id, "task_details": DETAILS, "collection_items": pages}
    )
    return await service.collections.create(request)
