"""Which setups a service accepts, and their course (specification, Batches rule 4)."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from batchwright.api.client import ApiClient
from batchwright.api.http.errors import BadRequest
from batchwright.service.process import ServiceAddress
from batchwright.service.store.jobs import StoredJobKind
from batchwright.wire.batches import Batch, BatchCreate, BatchSetup, BatchStatus
from batchwright.wire.datasets import DatasetCreate
from batchwright.wire.imports import ImportStatus
from batchwright.workflows.messages import describe
from batchwright.workflows.publishing.set_up import SetupFailed, set_up
from tests.api.conftest import EndlessJobs
from tests.api.error_responses import rejection_message
from tests.api.studies import (
    DETAILS,
    QUESTIONS,
    SCHEMA,
    client_of,
    import_file,
    poll_until_settled,
    send_file,
    upload_data,
)
from tests.service.job_failure import use_up_attempts
from tests.workflows.contexts import RecordedMessages, context_at, until

LAYOUT: list[Any] = [{"rows": [{"columns": [{"items": QUESTIONS[1:]}]}]}]


async def batch_of(service: ApiClient, workspace_id: str, dataset_id: str | None) -> Batch:
    """Create a batch with questions, for a dataset in any state."""
    request = BatchCreate(
        name="Study",
        workspace_id=workspace_id,
        task_details=DETAILS,
        dataset_id=dataset_id,
        batch_items=LAYOUT,
    )
    return await service.batches.create(request)


async def rejected_setup(service: ApiClient, batch: Batch) -> str:
    """The message about a rejected setup; the status of the batch does not change."""
    messages = await rejection_message(service.batches.set_up(batch.id, BatchSetup()), BadRequest, 400)
    assert (await service.batches.status(batch.id)).status == batch.status
    return messages


def write_file(path: Path, text: str) -> Path:
    """A file with this text."""
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.spec("G-03")
async def test_a_batch_of_a_v3_dataset_is_set_up_only_when_the_dataset_is_ready(
    running: ServiceAddress, tmp_path: Path
) -> None:
    async with client_of(running) as service:
        dataset = await service.datasets.create(DatasetCreate(name="Old", workspace_id=running.workspace_id))
        batch = await batch_of(service, running.workspace_id, dataset.id)
        assert "UNINITIALISED" in await rejected_setup(service, batch)
        await send_file(service, dataset.id, write_file(tmp_path / "bad.csv", "a,a\n1,2\n"))
        assert (await poll_until_settled(lambda: service.datasets.status(dataset.id))).status == "ERROR"
        assert "ERROR" in await rejected_setup(service, batch)
        await send_file(service, dataset.id, write_file(tmp_path / "good.csv", "review\nNice\nLeaks\n"))
        assert (await poll_until_settled(lambda: service.datasets.status(dataset.id))).status == "READY"
        await service.batches.set_up(batch.id, BatchSetup())
        assert (
            await poll_until_settled(lambda: service.batches.status(batch.id))
        ).status == BatchStatus.READY
        assert (await service.batches.get(batch.id)).total_task_count == 2


@pytest.mark.spec("G-04")
async def test_a_batch_of_a_v4_dataset_is_set_up_once_one_import_is_complete(
    running: ServiceAddress, tmp_path: Path
) -> None:
    async with client_of(running) as service:
        request = DatasetCreate(name="New", workspace_id=running.workspace_id, schema=SCHEMA)
        dataset = await service.datasets.create(request)
        batch = await batch_of(service, running.workspace_id, dataset.id)

        async def final_status(name: str, text: str) -> str:
            return (await import_file(service, dataset.id, write_file(tmp_path / name, text))).status

        assert "complete" in await rejected_setup(service, batch)
        await service.datasets.upload_url(dataset.id, "never-sent.csv")
        assert await final_status("partly.jsonl", '{"prompt": "One"}\n{"no": 1}\n') == ImportStatus.PARTIAL
        assert await final_status("not.csv", "\n") == ImportStatus.FAILED
        assert "complete" in await rejected_setup(service, batch)
        assert await final_status("whole.jsonl", '{"prompt": "Two"}\n') == ImportStatus.COMPLETE
        imports = (await service.datasets.get(dataset.id)).imports or ()
        assert {job.status for job in imports} == {"uninitialised", "partial", "failed", "complete"}
        await service.batches.set_up(batch.id, BatchSetup())
        assert (
            await poll_until_settled(lambda: service.batches.status(batch.id))
        ).status == BatchStatus.READY
        assert (await service.batches.get(batch.id)).total_task_count == 2


@pytest.mark.spec("K-03")
@pytest.mark.parametrize("invalid", [0, -1, 1.5, "2", True, None], ids=repr)
async def test_an_invalid_number_of_tasks_per_group_is_rejected(
    running: ServiceAddress, data: Path, invalid: Any
) -> None:
    """The client's model does not accept such a number, and neither does the service."""
    with pytest.raises(ValueError, match="tasks_per_group"):
        BatchSetup(tasks_per_group=invalid)
    unchecked = BatchSetup.model_construct(_fields_set={"tasks_per_group"}, tasks_per_group=invalid)

    async with client_of(running) as service:
        dataset, _job = await upload_data(service, running.workspace_id, data)
        batch = await batch_of(service, running.workspace_id, dataset.id)
        messages = await rejection_message(service.batches.set_up(batch.id, unchecked), BadRequest, 400)
        assert "tasks_per_group" in messages
        assert (await service.batches.status(batch.id)).status == BatchStatus.UNINITIALISED


@pytest.mark.spec("ST-01")
async def test_a_batch_whose_setup_was_accepted_is_processing(endless_jobs: EndlessJobs) -> None:
    async with client_of(endless_jobs.running) as service:
        new = await batch_of(service, endless_jobs.running.workspace_id, endless_jobs.ready.datasets[0].id)
        assert (new.status, endless_jobs.ready.status) == (BatchStatus.UNINITIALISED, BatchStatus.READY)
        for batch in (new, endless_jobs.ready):
            await service.batches.set_up(batch.id, BatchSetup())
            state = await service.batches.status(batch.id)
            assert (state.status, state.settled) == (BatchStatus.PROCESSING, False)
            assert (await service.batches.get(batch.id)).status == BatchStatus.PROCESSING


@pytest.mark.spec("ST-06")
async def test_a_new_batch_is_uninitialised(running: ServiceAddress, data: Path) -> None:
    async with client_of(running) as service:
        dataset, _job = await upload_data(service, running.workspace_id, data)
        for dataset_id in (None, dataset.id):
            batch = await batch_of(service, running.workspace_id, dataset_id)
            fetched = await service.batches.get(batch.id)
            assert batch.status == fetched.status == BatchStatus.UNINITIALISED


@pytest.mark.spec("ST-06")
async def test_a_setup_that_the_service_abandons_ends_in_error(
    endless_jobs: EndlessJobs, tmp_path: Path
) -> None:
    messages = RecordedMessages()
    running = endless_jobs.running
    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id, messages=messages
    ) as context:
        batch = await batch_of(context.service, context.workspace_id, endless_jobs.ready.datasets[0].id)
        waiting = asyncio.create_task(set_up(context, batch.id, "Study", 1))
        await until(lambda: use_up_attempts(endless_jobs.folder, StoredJobKind.SETUP, batch.id))
        await context.service.exports.start(batch.id)  # any new job makes the worker check the other one
        with pytest.raises(SetupFailed) as caught:
            await waiting
        text = describe(caught.value).what
        assert "ERROR" in text
        assert "interrupted 99 times without progress" in text
        assert str((await context.service.batches.status(batch.id)).reason) in text
        assert (await context.service.batches.get(batch.id)).status == BatchStatus.ERROR
    assert messages.open_jobs == ()


async def test_a_new_setup_clears_the_reason_of_the_last_failure(
    endless_jobs: EndlessJobs,
) -> None:
    async with client_of(endless_jobs.running) as service:
        batch = await batch_of(service, endless_jobs.running.workspace_id, endless_jobs.ready.datasets[0].id)
        await service.batches.set_up(batch.id, BatchSetup())
        await until(lambda: use_up_attempts(endless_jobs.folder, StoredJobKind.SETUP, batch.id))
        await service.exports.start(batch.id)
        assert (
            await poll_until_settled(lambda: service.batches.status(batch.id))
        ).status == BatchStatus.ERROR
        await service.batches.set_up(batch.id, BatchSetup())
        state = await service.batches.status(batch.id)
        assert (state.status, state.reason) == (BatchStatus.PROCESSING, None)
