"""Exports of batches and of collections (wire reference, 8)."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from batchwright.api.client import ApiClient
from batchwright.api.http.errors import Forbidden, NotFound
from batchwright.client.remote_study import remote_batch
from batchwright.service.process import ServiceAddress
from batchwright.service.store.jobs import StoredJobKind
from batchwright.wire.batches import Batch, BatchCreate
from batchwright.wire.exports import ExportJob, ExportStatus
from batchwright.workflows.answers.download_results import ExportFailed, download_export
from batchwright.workflows.messages import describe
from tests.api.conftest import EndlessJobs
from tests.api.error_responses import UNKNOWN_ID, rejection_message
from tests.api.requests import download
from tests.api.studies import DETAILS, client_of, poll_until_settled
from tests.service.job_failure import use_up_attempts
from tests.workflows.contexts import context_at, until
from tests.workflows.factories import new_collection


async def new_batch(service: ApiClient, workspace_id: str) -> Batch:
    """A batch without anything."""
    request = BatchCreate(name="Bare", workspace_id=workspace_id, task_details=DETAILS)
    return await service.batches.create(request)


@pytest.mark.spec("R-06")
async def test_starting_the_export_of_a_batch_twice_returns_the_running_one(
    endless_jobs: EndlessJobs,
) -> None:
    async with client_of(endless_jobs.running) as service:
        batch = await new_batch(service, endless_jobs.running.workspace_id)
        await check_running_export(
            lambda: service.exports.start(batch.id), lambda id: service.exports.get(batch.id, id)
        )


@pytest.mark.spec("C-14", "C-16", "C-18")
async def test_starting_the_export_of_a_collection_twice_returns_the_running_one(
    endless_jobs: EndlessJobs,
) -> None:
    async with client_of(endless_jobs.running) as service:
        created = await new_collection(service, endless_jobs.running.workspace_id)
        await check_running_export(
            lambda: service.exports.start_of_collection(created.id),
            lambda id: service.exports.get_of_collection(created.id, id),
        )


async def test_an_export_that_fails_is_reported_with_its_reason(
    endless_jobs: EndlessJobs, tmp_path: Path
) -> None:
    running = endless_jobs.running
    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        batch = await new_batch(context.service, context.workspace_id)
        waiting = asyncio.create_task(
            download_export(context, remote_batch(batch.id), tmp_path / "export.zip")
        )
        job = await context.service.exports.start(batch.id)
        await until(lambda: use_up_attempts(endless_jobs.folder, StoredJobKind.EXPORT, str(job.export_id)))
        another = await new_batch(context.service, context.workspace_id)
        await context.service.exports.start(another.id)  # any new job makes the worker check the other one
        with pytest.raises(ExportFailed) as caught:
            await waiting
        assert "interrupted 99 times without progress" in describe(caught.value).what


async def check_running_export(
    start: Callable[[], Awaitable[ExportJob]], fetch: Callable[[str], Awaitable[ExportJob]]
) -> None:
    """Start an export twice while it is generated, and fetch its status."""
    first = await start()
    assert (first.status, first.settled, first.url) == (ExportStatus.GENERATING, False, None)
    assert first.export_id
    assert await start() == first
    assert await fetch(first.export_id) == first


@pytest.mark.spec("C-15", "C-18")
async def test_a_complete_export_of_a_collection_is_returned_again_with_its_url(
    running: ServiceAddress, tmp_path: Path
) -> None:
    async with client_of(running) as service:
        created = await new_collection(service, running.workspace_id)
        started = await service.exports.start_of_collection(created.id)
        export_id = started.export_id or ""
        export = await poll_until_settled(lambda: service.exports.get_of_collection(created.id, export_id))
        assert (export.status, export.export_id) == (ExportStatus.COMPLETE, export_id)
        again = await service.exports.start_of_collection(created.id)
        assert (again.status, again.export_id) == (ExportStatus.COMPLETE, export_id)
        fetched = await download(service, again.url or "", tmp_path / "answers.zip")
        assert fetched.size == (tmp_path / "answers.zip").stat().st_size


@pytest.mark.spec("R-07", "C-17")
async def test_an_export_in_an_inaccessible_workspace_is_forbidden(
    running: ServiceAddress, other_account: ServiceAddress
) -> None:
    async with client_of(running) as service:
        batch = await new_batch(service, running.workspace_id)
        batch_id, collection_id = batch.id, (await new_collection(service, running.workspace_id)).id

    async with client_of(other_account) as service:
        for task in (
            service.exports.start(batch_id),
            service.exports.start_of_collection(collection_id),
        ):
            assert "no access to the workspace" in await rejection_message(task, Forbidden, 403)


async def test_an_export_of_an_unknown_resource_is_not_found(running: ServiceAddress) -> None:
    async with client_of(running) as service:
        for kind, start in (
            ("batch", service.exports.start),
            ("collection", service.exports.start_of_collection),
        ):
            messages = await rejection_message(start(UNKNOWN_ID), NotFound, 404)
            assert messages == f"There is no {kind} {UNKNOWN_ID} for this token."


@pytest.mark.spec("C-19")
async def test_an_unknown_export_is_not_found(running: ServiceAddress) -> None:
    async with client_of(running) as service:
        created = await new_collection(service, running.workspace_id)
        other = await new_collection(service, running.workspace_id)
        theirs = (await service.exports.start_of_collection(other.id)).export_id or ""
        for unknown in (UNKNOWN_ID, theirs):
            task = service.exports.get_of_collection(created.id, unknown)
            assert (
                await rejection_message(task, NotFound, 404)
                == f"There is no export {unknown} for this token."
            )
