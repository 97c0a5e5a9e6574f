"""Syncing a batch: monitored to its end, repeated if the service requires it; no task is created twice."""

from pathlib import Path
from typing import Any

import pytest

from batchwright.api.http.errors import UnexpectedResponse
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobKind, JobOutcome
from batchwright.client.resilient_run import RecoveryHooks, run_resiliently
from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import BatchSetup
from batchwright.wire.datapoints import JsonLinesBody
from batchwright.wire.datasets import SchemaUpdate
from batchwright.workflows.publishing.sync import SyncFailed, sync
from batchwright.workflows.retry_job import can_retry, retry_job
from tests.api.studies import LAYOUT, SCHEMA, poll_until_settled
from tests.fakes.failing_server import FailingServer
from tests.fakes.faulty_proxy import RESETS, Fault, FaultyProxy
from tests.fakes.raw_http import FakeResponse
from tests.workflows.contexts import RecordedMessages, ScriptedReplies, context_at
from tests.workflows.factories import unready_batch

REASON = "The dataset was being written to. Start the sync again."
BATCH = "/api/v1/data-collection/batches/b"
POST, GET = f"POST {BATCH}/sync", f"GET {BATCH}/syncs"
FETCHED = {f"GET {BATCH}": [FakeResponse.from_json({"id": "b", "name": "Study", "status": "READY"})]}


def job(status: str, number: int = 1, **more: Any) -> FakeResponse:
    return FakeResponse.from_json({"sync_id": f"s{number}", "status": status, **more}, 202)


async def ready_batch(context: WorkflowContext, folder: Path) -> tuple[str, str]:
    """A batch with a record more in its dataset than it has tasks; its id and the dataset's."""
    data = folder / "prompts.csv"
    data.write_text("prompt\nFirst\n", encoding="utf-8")
    batch = await unready_batch(context.service, context.workspace_id, data, LAYOUT)
    await context.service.batches.set_up(batch.id, BatchSetup())
    await poll_until_settled(lambda: context.service.batches.status(batch.id))
    dataset_id = batch.datasets[0].id
    await context.service.datasets.append(dataset_id, JsonLinesBody(b'{"prompt": "Later"}\n'))
    return batch.id, dataset_id


@pytest.mark.spec("ST-19")
async def test_a_sync_is_polled_until_it_ends(tmp_path: Path) -> None:
    replies = ScriptedReplies(
        {
            POST: [job("queued")],
            GET: [job("queued"), job("processing"), job("processing"), job("complete", tasks_created=3)],
            **FETCHED,
        }
    )

    with FailingServer([], replies) as server:
        async with context_at(tmp_path, server.url) as context:
            ended = await sync(context, "b", "Study")
            (row,) = await context.jobs.rows_for(JobKind.SYNC, {"batch_id": "b", "sync_id": "s1"})
            assert (row.title, row.outcome, row.detail["tasks_created"]) == ("Study", JobOutcome.DONE, 3)
            assert ended.tasks_created == 3
        assert len([item for item in server.arrived if item.call.startswith(GET)]) == 5


@pytest.mark.spec("Y-06", "Y-12")
async def test_a_sync_blocked_by_a_write_is_requested_again(
    slow_service: ServiceAddress, tmp_path: Path
) -> None:
    messages = RecordedMessages()

    async with context_at(
        tmp_path,
        slow_service.url,
        token=slow_service.token,
        workspace=slow_service.workspace_id,
        messages=messages,
    ) as context:
        batch_id, dataset_id = await ready_batch(context, tmp_path)
        await context.service.datasets.update_schema(dataset_id, SchemaUpdate(schema=SCHEMA))
        ended = await sync(context, batch_id, "Study")
        watcher = context.jobs
        rows = [row for row in watcher._rows.latest() if row.kind == JobKind.SYNC]
    assert (ended.status, ended.tasks_created) == ("complete", 1)
    assert rows[0].outcome == JobOutcome.DONE
    for failed in rows[1:]:
        assert failed.outcome == JobOutcome.FAILED
        assert "again" in str(failed.detail["reason"])


@pytest.mark.spec("Y-12")
async def test_a_sync_that_keeps_failing_is_reported_with_its_reason(tmp_path: Path) -> None:
    replies = ScriptedReplies({POST: [job("queued")], GET: [job("failed", reason=REASON)], **FETCHED})
    messages = RecordedMessages()
    with FailingServer([], replies) as server:
        with pytest.raises(SyncFailed, match="being written to"):
            async with context_at(tmp_path, server.url, messages=messages) as context:
                await sync(context, "b", "Study")
        assert [item.call for item in server.arrived].count(POST) == 5
    assert len(messages) == 4


async def test_a_sync_with_an_unknown_status_is_not_requested_again(tmp_path: Path) -> None:
    replies = ScriptedReplies({POST: [job("queued")], GET: [job("suspended")], **FETCHED})
    with FailingServer([], replies) as server:
        with pytest.raises(SyncFailed, match="suspended"):
            async with context_at(tmp_path, server.url) as context:
                await sync(context, "b", "Study")
        assert [item.call for item in server.arrived].count(POST) == 1


async def test_a_sync_that_ends_immediately_needs_no_id(tmp_path: Path) -> None:
    replies = ScriptedReplies({POST: [FakeResponse.from_json({"status": "complete"}, 202)], **FETCHED})
    with FailingServer([], replies) as server:
        async with context_at(tmp_path, server.url) as context:
            assert (await sync(context, "b", "Study")).settled


@pytest.mark.parametrize("error", [*RESETS, Fault.BAD_GATEWAY])
async def test_a_sync_whose_response_was_lost_reports_the_tasks_created(
    error: Fault, running: ServiceAddress, tmp_path: Path
) -> None:
    token, workspace = running.token, running.workspace_id
    async with context_at(tmp_path, running.url, token=token, workspace=workspace) as context:
        batch_id, _dataset_id = await ready_batch(context, tmp_path)
    with FaultyProxy(running.url, error, 2) as proxy:
        async with context_at(tmp_path, proxy.url, token=token, workspace=workspace) as context:
            assert (await sync(context, batch_id, "Study")).tasks_created == 1
        assert [call.rpartition("/")[2] for call in proxy.calls].count("sync") == 2


async def test_a_sync_that_could_not_be_polled_for_a_while_is_requested_once(
    running: ServiceAddress, tmp_path: Path
) -> None:
    token, workspace = running.token, running.workspace_id
    async with context_at(tmp_path, running.url, token=token, workspace=workspace) as context:
        batch_id, _dataset_id = await ready_batch(context, tmp_path)

    async def no_token(_refused: WorkflowContext) -> WorkflowContext | None:
        return None

    with FaultyProxy(running.url, Fault.REFUSE, 3, is_lasting=True) as proxy:
        hooks = RecoveryHooks(proxy.clear_fault, no_token)
        async with context_at(tmp_path, proxy.url, token=token, workspace=workspace) as context:
            ended = await run_resiliently(
                context, lambda context: sync(context, batch_id, "Study", hooks=hooks), hooks
            )
        assert proxy.fault_count
        assert [call.rpartition("/")[2] for call in proxy.calls].count("sync") == 1
    assert ended.tasks_created == 1


@pytest.mark.spec("Y-12")
async def test_a_failed_sync_can_be_restarted_from_its_row(tmp_path: Path) -> None:
    replies = ScriptedReplies(
        {POST: [job("queued", 2)], GET + "/s1": [job("failed")], GET: [job("complete", 2, tasks_created=1)]}
    )

    with FailingServer([], replies) as server:
        async with context_at(tmp_path, server.url) as context:
            async for _status in context.jobs.statuses(
                JobKind.SYNC, {"batch_id": "b", "sync_id": "s1"}, "Study"
            ):
                pass
            (failed,) = await context.jobs.rows_for(JobKind.SYNC, {"batch_id": "b", "sync_id": "s1"})
            assert can_retry(failed)
            await retry_job(context, failed)
            subject = {"batch_id": "b", "sync_id": "s2"}
            while not all(row.outcome for row in await context.jobs.rows_for(JobKind.SYNC, subject)):
                pass
            (row,) = await context.jobs.rows_for(JobKind.SYNC, subject)
            assert (row.outcome, row.title) == (JobOutcome.DONE, "Study")
            assert not can_retry(row)


@pytest.mark.parametrize(
    ("status", "outcome"), [("complete", JobOutcome.DONE), ("failed", JobOutcome.FAILED)]
)
async def test_a_restarted_sync_that_ends_immediately_updates_its_row(
    status: str, outcome: JobOutcome, tmp_path: Path
) -> None:
    ended = FakeResponse.from_json({"status": status, "reason": "So it is."}, 202)
    replies = ScriptedReplies({POST: [ended], GET: [job("failed", reason=REASON)]})

    with FailingServer([], replies) as server:
        async with context_at(tmp_path, server.url) as context:
            subject = {"batch_id": "b", "sync_id": "s1"}
            async for _status in context.jobs.statuses(JobKind.SYNC, subject, "Study"):
                pass
            (failed,) = await context.jobs.rows_for(JobKind.SYNC, subject)
            await retry_job(context, failed)
            (row,) = await context.jobs.rows_for(JobKind.SYNC, subject)
            assert (row.state, row.outcome, row.detail["reason"]) == (status, outcome, "So it is.")


async def test_a_restarted_sync_that_continues_without_an_id_is_an_unexpected_response(
    tmp_path: Path,
) -> None:
    replies = ScriptedReplies(
        {POST: [FakeResponse.from_json({"status": "queued"}, 202)], GET: [job("failed")]}
    )

    with FailingServer([], replies) as server:
        async with context_at(tmp_path, server.url) as context:
            subject = {"batch_id": "b", "sync_id": "s1"}
            async for _status in context.jobs.statuses(JobKind.SYNC, subject, "Study"):
                pass
            (failed,) = await context.jobs.rows_for(JobKind.SYNC, subject)
            with pytest.raises(UnexpectedResponse):
                await retry_job(context, failed)
