"""Changing a schema: the migration is monitored, cleared values are listed, no version is written twice."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from batchwright.api.http.errors import ApiError, BadRequest, Forbidden
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import ChangedMeanwhile
from batchwright.client.job_monitoring.connection_jobs import JobUnreachable
from batchwright.client.job_monitoring.status import JobKind, JobOutcome
from batchwright.local.database import open_database
from batchwright.local.job_table import JobRows
from batchwright.schema.parsing import read_schema, write_schema
from batchwright.service.process import ServiceAddress
from batchwright.wire.datasets import DatasetCreate, SchemaUpdate
from batchwright.wire.imports import ImportStatus
from batchwright.workflows.data.change_schema import MigrationFailed, SchemaChangeResult, change_schema
from batchwright.workflows.data.create_dataset import create_dataset_without_schema
from batchwright.workflows.data.upload_dataset import import_file
from batchwright.workflows.messages import describe
from tests.api.studies import SCHEMA, prompts_file, upload_data
from tests.fakes.failing_server import FailingServer, ServerFailure
from tests.fakes.faulty_proxy import RESETS, Fault, FaultyProxy
from tests.fakes.raw_http import FakeResponse
from tests.workflows.contexts import RecordedMessages, ScriptedReplies, context_at, until

WIDER: dict[str, Any] = {
    "strict": False,
    "fields": {**SCHEMA["fields"], "source": {"type": "metadata"}},
}
IMAGES: dict[str, Any] = {"strict": False, "fields": {"prompt": {"type": "image_url"}}}
PATCH = "PATCH /api/v1/data-collection/datasets/d"
MIGRATION = "GET /api/v1/data-collection/datasets/d/schema-migrations"
DATASET = "GET /api/v1/data-collection/datasets/d"


async def create_dataset(context: WorkflowContext, folder: Path) -> str:
    data = prompts_file(folder)
    return (await upload_data(context.service, context.workspace_id, data))[0].id


def target(running: ServiceAddress, url: str = "") -> dict[str, Any]:
    return {"url": url or running.url, "token": running.token, "workspace": running.workspace_id}


async def test_a_schema_that_someone_else_changed_meanwhile_is_not_replaced(
    running: ServiceAddress, tmp_path: Path
) -> None:
    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        registered = await context.service.datasets.get(await create_dataset(context, tmp_path))
        await change_schema(context, registered.id, read_schema(WIDER), "Prompts")
        with pytest.raises(ChangedMeanwhile) as caught:
            await change_schema(context, registered.id, read_schema(IMAGES), "Prompts", registered)
        assert "The schema of “Prompts” changed" in describe(caught.value).what
        assert (await context.service.datasets.get(registered.id)).schema_ == WIDER


@pytest.mark.spec("ST-23", "D-16", "D-22", "M-05")
async def test_a_migration_is_monitored_to_its_end(slow_service: ServiceAddress, tmp_path: Path) -> None:
    async with context_at(tmp_path, **target(slow_service)) as context:
        dataset_id = await create_dataset(context, tmp_path)
        changed = await change_schema(context, dataset_id, read_schema(WIDER), "Prompts")
        assert changed.migration is not None
        subject = {"dataset_id": dataset_id, "job_id": changed.migration.job_id}
        (row,) = await context.jobs.rows_for(JobKind.MIGRATION, subject)
        assert (row.title, row.outcome, row.detail["reprocessed_count"]) == ("Prompts", JobOutcome.DONE, 2)
    assert changed.migration is not None
    assert (changed.dataset.schema_version, changed.migration.errors or []) == (2, [])


@pytest.mark.spec("M-06", "M-07")
async def test_cleared_values_are_listed_with_their_reason(running: ServiceAddress, tmp_path: Path) -> None:
    async with context_at(tmp_path, **target(running)) as context:
        changed = await change_schema(
            context, await create_dataset(context, tmp_path), read_schema(IMAGES), "Prompts"
        )
    assert changed.migration is not None
    assert changed.migration.failed_count == 2
    cleared = changed.migration.errors or ()
    assert [item.field for item in cleared] == ["prompt", "prompt"]
    assert all(item.reason and item.datapoint_id for item in cleared)


async def test_an_interrupted_change_reports_the_result_of_its_migration_when_resumed(
    running: ServiceAddress, tmp_path: Path
) -> None:
    async with context_at(tmp_path, **target(running)) as context:
        dataset_id = await create_dataset(context, tmp_path)

    async def work(context: WorkflowContext) -> SchemaChangeResult:
        return await change_schema(context, dataset_id, read_schema(IMAGES), "Prompts")

    with FaultyProxy(running.url, Fault.REFUSE, 3, is_lasting=True) as proxy:
        with pytest.raises(JobUnreachable):
            async with context_at(tmp_path, **target(running, proxy.url)) as context:
                await work(context)
        proxy.clear_fault()
        async with context_at(tmp_path, **target(running, proxy.url)) as context:
            changed = await work(context)
        assert sum(call.startswith("PATCH") for call in proxy.calls) == 1
        async with context_at(tmp_path, **target(running, proxy.url)) as context:
            again = await work(context)
    assert changed.migration is not None
    assert [item.field for item in changed.migration.errors or ()] == ["prompt", "prompt"]
    assert (changed.dataset.schema_version, again.migration) == (2, None)


async def test_a_change_whose_response_was_lost_does_not_claim_that_nothing_was_migrated(
    running: ServiceAddress, tmp_path: Path
) -> None:
    async with context_at(tmp_path, **target(running)) as context:
        dataset_id = await create_dataset(context, tmp_path)

    messages = RecordedMessages()
    async with context_at(tmp_path, **target(running)) as context:
        expected = dict(write_schema(read_schema(IMAGES)))
        await context.checkpoint("schema", dataset_id, expected).record(begins_migration=True)
        await context.service.datasets.update_schema(dataset_id, SchemaUpdate(schema=expected))
    async with context_at(tmp_path, messages=messages, **target(running)) as context:
        assert (await change_schema(context, dataset_id, read_schema(IMAGES), "Prompts")).migration is None
    assert "does not report the end" in messages[0]


@pytest.mark.spec("D-14", "D-23")
async def test_a_first_schema_starts_no_migration(running: ServiceAddress, tmp_path: Path) -> None:
    async with context_at(tmp_path, **target(running)) as context:
        expected = DatasetCreate.model_validate(
            {"name": "Empty", "workspace_id": context.workspace_id, "schema": None}
        )
        dataset = await context.service.datasets.create(expected)
        changed = await change_schema(context, dataset.id, read_schema(SCHEMA), "Empty")
    assert (changed.dataset.schema_version, changed.migration) == (1, None)


@pytest.mark.parametrize("is_set_elsewhere", [False, True], ids=["here", "elsewhere"])
async def test_the_jobs_of_imports_that_waited_for_a_schema_end_when_it_is_set(
    is_set_elsewhere: bool, slow_service: ServiceAddress, tmp_path: Path
) -> None:
    def outcomes(rows: JobRows) -> list[str | None]:
        return [row.outcome for row in rows.latest() if row.kind == JobKind.IMPORT]

    async with context_at(tmp_path, **target(slow_service)) as context:
        dataset = await create_dataset_without_schema(context, "Prompts")
        for name in ("a.csv", "b.csv"):
            (tmp_path / name).write_text(f"prompt\n{name}\n", encoding="utf-8")
            await import_file(context, dataset.id, tmp_path / name)
        with closing(open_database(tmp_path)) as database:
            rows = JobRows(database)
            assert outcomes(rows) == [JobOutcome.PAUSED] * 2
            if is_set_elsewhere:
                await context.service.datasets.update_schema(dataset.id, SchemaUpdate(schema=SCHEMA))
            changed = await change_schema(context, dataset.id, read_schema(SCHEMA), "Prompts")
            assert len(changed.released) == (0 if is_set_elsewhere else 2)
            await until(lambda: outcomes(rows) == [JobOutcome.DONE] * 2)


async def test_an_import_is_waited_for_when_the_schema_was_set_meanwhile(
    slow_service: ServiceAddress, tmp_path: Path
) -> None:
    data = prompts_file(tmp_path)

    async with context_at(tmp_path, **target(slow_service)) as context:
        dataset = await create_dataset_without_schema(context, "Prompts")
        waiting = await import_file(context, dataset.id, data)
        assert waiting.status == ImportStatus.PENDING_SCHEMA
        await context.service.datasets.update_schema(dataset.id, SchemaUpdate(schema=SCHEMA))
        assert (await import_file(context, dataset.id, data)).status == ImportStatus.COMPLETE


async def test_a_schema_that_exists_already_is_not_written_again(
    running: ServiceAddress, tmp_path: Path
) -> None:
    async with context_at(tmp_path, **target(running)) as context:
        changed = await change_schema(
            context, await create_dataset(context, tmp_path), read_schema(SCHEMA), "Prompts"
        )
    assert (changed.dataset.schema_version, changed.migration) == (1, None)


@pytest.mark.parametrize("error", RESETS)
async def test_a_change_whose_response_was_lost_writes_no_second_version(
    error: Fault, running: ServiceAddress, tmp_path: Path
) -> None:
    async with context_at(tmp_path, **target(running)) as context:
        dataset_id = await create_dataset(context, tmp_path)

    messages = RecordedMessages()
    with FaultyProxy(running.url, error, 2) as proxy:
        async with context_at(tmp_path, messages=messages, **target(running, proxy.url)) as context:
            changed = await change_schema(context, dataset_id, read_schema(WIDER), "Prompts")
        sent = [call for call in proxy.calls if call.startswith("PATCH")]
    assert len(sent) == (1 if error is Fault.RESET_AFTER else 2)
    assert changed.dataset.schema_version == 2
    assert (changed.migration is None) == (error is Fault.RESET_AFTER)
    assert len(messages) == (2 if error is Fault.RESET_AFTER else 1)


@pytest.mark.spec("M-08")
async def test_a_migration_that_failed_is_reported_with_its_reason(tmp_path: Path) -> None:
    replies = ScriptedReplies(
        {
            PATCH: [FakeResponse.from_json({"id": "d", "schema": WIDER, "migration_job_id": "m"})],
            MIGRATION: [
                FakeResponse.from_json({"job_id": "m", "status": status, "reason": "Too many records."})
                for status in ("processing", "failed")
            ],
            DATASET: [FakeResponse.from_json({"id": "d", "schema": SCHEMA})],
        }
    )
    with FailingServer([], replies) as server, pytest.raises(MigrationFailed, match="Too many records"):
        async with context_at(tmp_path, server.url) as context:
            await change_schema(context, "d", read_schema(WIDER), "Prompts")


@pytest.mark.spec("D-18")
async def test_a_v3_dataset_is_rejected_with_the_message_of_the_service(
    running: ServiceAddress, tmp_path: Path
) -> None:
    async with context_at(tmp_path, **target(running)) as context:
        request = DatasetCreate(name="Old", workspace_id=context.workspace_id)
        dataset = await context.service.datasets.create(request)
        with pytest.raises(BadRequest) as caught:
            await change_schema(context, dataset.id, read_schema(SCHEMA), "Old")
    assert "V3" in describe(caught.value).what


async def test_a_rejected_change_is_not_reported_as_started_when_someone_else_made_it(
    running: ServiceAddress, tmp_path: Path
) -> None:
    async with context_at(tmp_path, **target(running)) as context:
        dataset_id = await create_dataset(context, tmp_path)

    async def work(context: WorkflowContext) -> SchemaChangeResult:
        return await change_schema(context, dataset_id, read_schema(WIDER), "Prompts")

    with FaultyProxy(running.url, Fault.FORBIDDEN, 2) as proxy, pytest.raises(Forbidden):
        async with context_at(tmp_path, **target(running, proxy.url)) as context:
            await work(context)
    async with context_at(tmp_path, **target(running)) as context:
        request = SchemaUpdate(schema=dict(write_schema(read_schema(WIDER))))
        await context.service.datasets.update_schema(dataset_id, request)
    messages = RecordedMessages()
    async with context_at(tmp_path, messages=messages, **target(running)) as context:
        assert (await work(context)).migration is None
    assert messages == []


async def test_a_change_rejected_because_its_lost_request_succeeded_is_reported_as_started(
    tmp_path: Path,
) -> None:
    under_way = {"error": {"status": 409, "title": "Conflict", "detail": "A migration is running."}}
    old, new = (FakeResponse.from_json({"id": "d", "schema": schema}) for schema in (SCHEMA, WIDER))
    replies = ScriptedReplies(
        {PATCH: [new, FakeResponse.from_json(under_way, 409)], DATASET: [old, old, new]}
    )
    messages = RecordedMessages()

    async def work(context: WorkflowContext) -> SchemaChangeResult:
        return await change_schema(context, "d", read_schema(WIDER), "Prompts")

    with FailingServer([None, ServerFailure.RESET_AFTER], replies) as server:
        with pytest.raises(ApiError):
            async with context_at(tmp_path, server.url) as context:
                await work(context)
        async with context_at(tmp_path, server.url, messages=messages) as context:
            assert (await work(context)).migration is None
    assert "does not report the end" in messages[0]
