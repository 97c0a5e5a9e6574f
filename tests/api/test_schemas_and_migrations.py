"""Changing schemas: versions, and the migrations of datapoints (Datasets rule 1)."""

from contextlib import closing
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any

import pytest

from batchwright.api.client import ApiClient
from batchwright.api.http.errors import BadRequest, NotFound
from batchwright.service.process import ServiceAddress
from batchwright.service.store.jobs import StoredJobKind
from batchwright.wire.datasets import Dataset, DatasetCreate, SchemaUpdate
from batchwright.wire.migrations import MigrationJob, MigrationStatus
from batchwright.wire.timestamps import write_timestamp
from tests.api.conftest import EndlessJobs
from tests.api.error_responses import UNKNOWN_ID, rejection_message
from tests.api.studies import client_of, import_file, poll_until_settled, upload_data
from tests.service.api_helpers import Researcher
from tests.service.job_failure import use_up_attempts
from tests.workflows.contexts import until


def fields(**types: str) -> dict[str, Any]:
    """A schema with fields of these types."""
    return {"strict": False, "fields": {name: {"type": type} for name, type in types.items()}}


WIDER = fields(prompt="text", source="metadata")
IMAGES = fields(prompt="image_url")
GROUPED = fields(prompt="text", session="task_group_id")


async def update(service: ApiClient, dataset_id: str, schema: dict[str, Any]) -> Dataset:
    return await service.datasets.update_schema(dataset_id, SchemaUpdate(schema=schema))


async def empty_dataset(service: ApiClient, workspace_id: str, schema: dict[str, Any] | None) -> Dataset:
    return await service.datasets.create(
        DatasetCreate(name="Empty", workspace_id=workspace_id, schema=schema)
    )


async def migrate(service: ApiClient, dataset_id: str, schema: dict[str, Any]) -> MigrationJob:
    """Change the schema of a dataset; the migration as it ended."""
    job_id = (await update(service, dataset_id, schema)).migration_job_id or ""
    return await poll_until_settled(lambda: service.datasets.migration(dataset_id, job_id))


@pytest.mark.spec("D-16", "D-08")
async def test_every_schema_update_returns_the_dataset_with_its_next_version(running: ServiceAddress) -> None:
    async with client_of(running) as service:
        dataset = await empty_dataset(service, running.workspace_id, GROUPED)
        assert dataset.schema_version == 1
        for version, schema in enumerate((WIDER, IMAGES, IMAGES), start=2):
            changed = await update(service, dataset.id, schema)
            assert (changed.id, changed.name) == (dataset.id, "Empty")
            assert (changed.schema_, changed.schema_version) == (schema, version)
        assert (await service.datasets.get(dataset.id)).schema_version == 4


@pytest.mark.spec("D-23", "D-14", "D-08")
async def test_the_first_schema_starts_no_migration(running: ServiceAddress) -> None:
    async with client_of(running) as service:
        dataset = await empty_dataset(service, running.workspace_id, None)
        first = await update(service, dataset.id, WIDER)
        assert (first.schema_, first.schema_version) == (WIDER, 1)
        second = await update(service, dataset.id, WIDER)
        assert second.has("migration_job_id")
        result = await service.datasets.get(dataset.id)
        assert not any(answer.has("migration_job_id") for answer in (dataset, first, result))


@pytest.mark.spec("D-22", "M-01", "M-03")
async def test_a_schema_update_returns_its_running_migration(endless_jobs: EndlessJobs) -> None:
    async with client_of(endless_jobs.running) as service:
        dataset = await empty_dataset(service, endless_jobs.running.workspace_id, GROUPED)
        changed = await update(service, dataset.id, WIDER)
        assert changed.schema_version == 2
        job_id = changed.migration_job_id or ""
        job = await service.datasets.migration(dataset.id, job_id)
        assert (job.status, job.settled) == (MigrationStatus.PROCESSING, False)
        assert (job.job_id, job.dataset_id, job.schema_version) == (job_id, dataset.id, 2)
        assert (job.reprocessed_count, job.failed_count, job.errors, job.reason) == (None,) * 4


@pytest.mark.spec("M-01", "M-03", "M-04", "M-05")
async def test_a_complete_migration_counts_its_datapoints(running: ServiceAddress, data: Path) -> None:
    async with client_of(running) as service:
        dataset, _job = await upload_data(service, running.workspace_id, data)
        job = await migrate(service, dataset.id, WIDER)
        assert (job.status, job.settled, job.reprocessed_count) == (MigrationStatus.COMPLETE, True, 2)
        assert (job.dataset_id, job.schema_version) == (dataset.id, 2)
        assert (job.failed_count, job.errors, job.reason) == (None,) * 3
    assert job.created_at
    assert job.updated_at
    assert (job.created_at.tzinfo, job.updated_at.tzinfo) == (UTC, UTC)
    assert timedelta(0) <= job.updated_at - job.created_at < timedelta(minutes=5)
    with closing(Researcher(running)) as researcher:
        path = f"/datasets/{job.dataset_id}/schema-migrations/{job.job_id}"
        sent = researcher.request("GET", path, None, 200)
    assert sent["created_at"] == write_timestamp(job.created_at)
    assert sent["updated_at"] == write_timestamp(job.updated_at)


@pytest.mark.spec("M-05", "M-06", "M-07")
async def test_a_partial_migration_lists_every_cleared_value(running: ServiceAddress, tmp_path: Path) -> None:
    path = tmp_path / "prompts.jsonl"
    path.write_text('{"prompt": "https://example.org/1.png"}\n{"prompt": "no"}\n{"prompt": "nor this"}\n')

    async with client_of(running) as service:
        dataset = await empty_dataset(service, running.workspace_id, fields(prompt="text"))
        await import_file(service, dataset.id, path)
        job = await migrate(service, dataset.id, IMAGES)
    assert (job.status, job.settled) == (MigrationStatus.PARTIAL, True)
    assert (job.reprocessed_count, job.failed_count, job.reason) == (1, 2, None)
    nulled = job.errors or ()
    assert [item.field for item in nulled] == ["prompt", "prompt"]
    assert all("https" in item.reason for item in nulled)
    with closing(Researcher(running)) as researcher:
        rows = researcher.report(researcher.batch(dataset_id=job.dataset_id)["id"])
    assert [item.datapoint_id for item in nulled] == [row["DataPoint_ID"] for row in rows[1:]]


@pytest.mark.spec("M-08")
async def test_a_failed_migration_has_a_reason(endless_jobs: EndlessJobs) -> None:
    workspace_id = endless_jobs.running.workspace_id

    async with client_of(endless_jobs.running) as service:
        dataset, another = [await empty_dataset(service, workspace_id, GROUPED) for _ in range(2)]
        job_id = (await update(service, dataset.id, WIDER)).migration_job_id or ""
        await until(lambda: use_up_attempts(endless_jobs.folder, StoredJobKind.MIGRATION, job_id))
        await update(service, another.id, WIDER)  # any new job makes the worker check the other one
        job = await poll_until_settled(lambda: service.datasets.migration(dataset.id, job_id))
        assert (job.status, job.schema_version) == (MigrationStatus.FAILED, 2)
        assert "without progress" in (job.reason or "")
        assert (job.reprocessed_count, job.failed_count, job.errors) == (None,) * 3


@pytest.mark.spec("M-02")
async def test_an_unknown_migration_is_reported_with_its_id(running: ServiceAddress) -> None:
    async with client_of(running) as service:
        dataset = await empty_dataset(service, running.workspace_id, WIDER)
        messages = await rejection_message(service.datasets.migration(dataset.id, UNKNOWN_ID), NotFound, 404)
        assert messages == f"There is no schema migration {UNKNOWN_ID} for this token."


@pytest.mark.spec("D-24")
@pytest.mark.parametrize(
    "other",
    [fields(prompt="text"), fields(prompt="task_group_id", session="text"), fields(a="task_group_id")],
    ids=["without", "another", "renamed"],
)
async def test_the_task_group_column_can_change_only_while_there_are_no_datapoints(
    other: dict[str, Any], running: ServiceAddress, tmp_path: Path
) -> None:
    path = tmp_path / "prompts.csv"
    path.write_text("prompt,session\nHello,s1\n")

    async with client_of(running) as service:
        dataset = await empty_dataset(service, running.workspace_id, GROUPED)
        for schema in (other, GROUPED):
            assert (await migrate(service, dataset.id, schema)).status == MigrationStatus.COMPLETE
        await import_file(service, dataset.id, path)
        messages = await rejection_message(update(service, dataset.id, other), BadRequest, 400)
        assert "task group column" in messages
        result = await service.datasets.get(dataset.id)
        assert (result.schema_, result.schema_version) == (GROUPED, 3)
        assert (await update(service, dataset.id, {**GROUPED, "strict": True})).schema_version == 4
