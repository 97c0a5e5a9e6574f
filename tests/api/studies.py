"""A small study, carried out with the API client alone."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

from batchwright.api.client import ApiClient, connect
from batchwright.api.participant_client import OpenPage, ParticipantClient, SubmissionFinished
from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import Batch, BatchCreate, BatchSetup, TaskDetails
from batchwright.wire.datasets import Dataset, DatasetCreate, UploadUrl
from batchwright.wire.imports import ImportJob
from batchwright.wire.local_routes import simulated_participant
from tests.api.requests import retries

SCHEMA: dict[str, Any] = {"strict": True, "fields": {"prompt": {"type": "text", "label": "Prompt"}}}
CSV = 'prompt\n"First,\nwith a break"\nSecond ü\n'
DETAILS = TaskDetails(task_name="Compare", task_introduction="<p>Hello.</p>", task_steps="<p>Read.</p>")
QUESTIONS: list[dict[str, Any]] = [
    {"type": "dataset_field", "field": "prompt"},
    {"type": "free_text", "description": "Why?", "validation": {"type": "string", "min": 2, "max": None}},
    {
        "type": "multiple_choice",
        "description": "Which?",
        "answer_limit": -1,
        "options": [
            {"label": "One", "value": 1},
            {"label": "Two", "value": "2"},
            {"label": "No", "value": False},
        ],
    },
    {"type": "file_upload", "description": "Proof", "accepted_file_types": [".txt"]},
]
LAYOUT: list[Any] = [{"rows": [{"columns": [{"items": QUESTIONS}]}]}]
POLL_INTERVAL_S = 0.02
"""Seconds between two polls of a job of the service under test."""


class Pollable(Protocol):
    """A status that can be polled until it is settled."""

    @property
    def settled(self) -> bool: ...


S = TypeVar("S", bound=Pollable)


class UploadedFile:
    """A file that a participant uploads."""

    name = "proof ü.txt"
    content_type = "text/plain"
    content = b"I was there.\n"


def prompts_file(folder: Path) -> Path:
    """Write a data file of two records."""
    path = folder / "prompts.csv"
    path.write_bytes(CSV.encode())
    return path


def client_of(running: ServiceAddress) -> ApiClient:
    """A client of the service; `async with` closes it."""
    return connect(running.url, running.token, retry_policy=retries())


async def poll_until_settled(fetch: Callable[[], Awaitable[S]]) -> S:
    """Poll a job until it is settled; its last status."""
    while not (status := await fetch()).settled:  # noqa: ASYNC110 - a service sets no event
        await asyncio.sleep(POLL_INTERVAL_S)
    return status


async def upload_data(service: ApiClient, workspace_id: str, path: Path) -> tuple[Dataset, ImportJob]:
    """A dataset with the records of a file."""
    request = DatasetCreate(name="Prompts", workspace_id=workspace_id, schema=SCHEMA)
    dataset = await service.datasets.create(request)
    return dataset, await import_file(service, dataset.id, path)


async def import_file(service: ApiClient, dataset_id: str, path: Path) -> ImportJob:
    """Send a file to a V4 dataset; its import after it ended."""
    import_id = (await send_file(service, dataset_id, path)).import_id or ""
    return await poll_until_settled(lambda: service.datasets.import_job(dataset_id, import_id))


async def send_file(service: ApiClient, dataset_id: str, path: Path) -> UploadUrl:
    """Send a file to a dataset; the upload URL with its import."""
    address = await service.datasets.upload_url(dataset_id, path.name)
    await service.transfers.upload(path, address.upload_url, content_type=address.content_type)
    return address


async def set_up(service: ApiClient, workspace_id: str, path: Path) -> Batch:
    """A batch that is ready, one task to a group."""
    dataset, _job = await upload_data(service, workspace_id, path)
    request = BatchCreate(
        name="Study",
        workspace_id=workspace_id,
        task_details=DETAILS,
        dataset_id=dataset.id,
        batch_items=LAYOUT,
    )
    batch = await service.batches.create(request)
    await service.batches.set_up(batch.id, BatchSetup(tasks_per_group=1))
    await poll_until_settled(lambda: service.batches.status(batch.id))
    return await service.batches.get(batch.id)


async def answer_all_pages(service: ApiClient, batch_id: str, number: int = 0) -> list[OpenPage]:
    """Answer every page of one group; the pages that were shown."""
    link = (await service.local.participation(batch_id)).url
    shown: list[OpenPage] = []
    async with ParticipantClient(retries()) as pages:
        page: Any = await pages.start(link, simulated_participant(7, number))
        while isinstance(page, OpenPage):
            shown.append(page)
            page = await pages.answer(
                page, [("i0", "Because\nof ü"), ("i1", "0"), ("i1", "2")], [("i2", UploadedFile())]
            )
        assert isinstance(page, SubmissionFinished)
    return shown
