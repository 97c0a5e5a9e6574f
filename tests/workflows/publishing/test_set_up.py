"""Setting up a batch: requested once, and monitored to its end."""

import asyncio
from pathlib import Path

import pytest

from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.connection_jobs import JobUnreachable
from batchwright.client.job_monitoring.monitors import PollFailure
from batchwright.client.job_monitoring.status import JobKind, JobOutcome
from batchwright.client.remote_study import remote_batch
from batchwright.client.task_layouts import recorded_layouts
from batchwright.local.job_table import JobRow
from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import BatchStatus
from batchwright.workflows.messages import describe
from batchwright.workflows.publishing.set_up import SetupFailed, ensure_set_up, set_up, set_up_confirmed
from tests.api.studies import LAYOUT, client_of, prompts_file, upload_data
from tests.fakes.failing_server import SERVER_ERROR, SIGN_IN_PAGE, FailingServer, ServerFailure
from tests.fakes.faulty_proxy import RESETS, Fault, FaultyProxy
from tests.fakes.raw_http import FakeResponse
from tests.workflows.contexts import POLL_INTERVAL_S, RecordedMessages, ScriptedReplies, context_at
from tests.workflows.factories import unready_batch

SETUP = "POST /api/v1/data-collection/batches/b/setup"
STATUS = "GET /api/v1/data-collection/batches/b/status"
ACCEPTED = FakeResponse(202)
PROCESSING = FakeResponse.from_json({"status": "PROCESSING"})
SIGNED_OUT = FakeResponse.from_json({"error": {"status": 401, "title": "Unauthorized", "detail": "No."}}, 401)


@pytest.mark.parametrize("error", RESETS)
async def test_a_setup_whose_response_was_lost_is_requested_once(
    error: Fault, running: ServiceAddress, tmp_path: Path
) -> None:
    data = prompts_file(tmp_path)
    async with client_of(running) as service:
        batch = await unready_batch(service, running.workspace_id, data, LAYOUT)
    messages = RecordedMessages()
    with FaultyProxy(running.url, error, 1) as proxy:
        async with context_at(
            tmp_path, proxy.url, token=running.token, workspace=running.workspace_id, messages=messages
        ) as context:
            ready = await set_up(context, batch.id, "Study", 2)
        requested = [call for call in proxy.calls if call.endswith("/setup")]
    assert (ready.status, ready.total_task_count, ready.total_task_groups) == (BatchStatus.READY, 2, 1)
    assert len(requested) == (1 if error is Fault.RESET_AFTER else 2)
    assert messages.open_jobs == ()


async def test_the_layout_of_a_setup_without_the_window_is_recorded(
    running: ServiceAddress, tmp_path: Path
) -> None:
    data = prompts_file(tmp_path)
    async with client_of(running) as service:
        batch = await unready_batch(service, running.workspace_id, data, LAYOUT)

    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        await ensure_set_up(context, batch, "Study", 2)
        (layout,) = await recorded_layouts(context, remote_batch(batch.id))
    assert (layout.pages, layout.is_assumed) == (batch.batch_items, False)


async def test_the_dataset_that_a_setup_attaches_is_recorded(running: ServiceAddress, tmp_path: Path) -> None:
    data = prompts_file(tmp_path)
    async with client_of(running) as service:
        batch = await unready_batch(service, running.workspace_id, data, LAYOUT)
        other, _job = await upload_data(service, running.workspace_id, data)
    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        ready = await set_up_confirmed(context, batch, 2, dataset_id=other.id)
        (layout,) = await recorded_layouts(context, remote_batch(batch.id))
    assert layout.dataset_ids == (other.id,) == tuple(dataset.id for dataset in ready.datasets)


@pytest.mark.spec("ST-06")
@pytest.mark.parametrize("last_reply", [FakeResponse(404), FakeResponse.from_json({"status": "ERROR"})])
async def test_a_setup_that_fails_reports_its_status(last_reply: FakeResponse, tmp_path: Path) -> None:
    replies = ScriptedReplies({SETUP: [ACCEPTED], STATUS: [PROCESSING, last_reply]})
    with FailingServer([], replies) as server, pytest.raises(SetupFailed) as caught:
        async with context_at(tmp_path, server.url) as context:
            await set_up(context, "b", "Study", 1)
    assert caught.value.status in describe(caught.value).what


@pytest.mark.parametrize(
    ("reply", "failure"),
    [
        (SIGNED_OUT, PollFailure.SIGNED_OUT),
        (SERVER_ERROR, PollFailure.OFFLINE),
        (SIGN_IN_PAGE, PollFailure.OFFLINE),
    ],
)
async def test_a_setup_that_can_no_longer_be_polled_stays_open(
    reply: FakeResponse, failure: PollFailure, tmp_path: Path
) -> None:
    messages = RecordedMessages()
    replies = ScriptedReplies({SETUP: [ACCEPTED], STATUS: [PROCESSING, reply]})
    with FailingServer([], replies) as server, pytest.raises(JobUnreachable) as caught:
        async with context_at(tmp_path, server.url, messages=messages) as context:
            await set_up(context, "b", "Study", 1)
    assert caught.value.poll_failure is failure
    assert messages.open_jobs == (JobKind.SETUP,)
    assert "continues" in describe(caught.value).what


@pytest.mark.parametrize(("then", "requested"), [("READY", 2), ("PROCESSING", 1)])
async def test_a_repeated_setup_whose_response_was_lost_is_sent_again_unless_it_is_running(
    then: str, requested: int, tmp_path: Path
) -> None:
    ready = FakeResponse.from_json({"status": "READY"})
    batch = FakeResponse.from_json({"id": "b", "status": "READY"})
    replies = ScriptedReplies(
        {
            SETUP: [ACCEPTED],
            STATUS: [FakeResponse.from_json({"status": then}), ready],
            "GET /api/v1/data-collection/batches/b": [batch],
        }
    )
    with FailingServer([ServerFailure.RESET_AFTER], replies) as server:
        async with context_at(tmp_path, server.url) as context:
            await set_up(context, "b", "Study", 1, BatchStatus.READY)
        assert [request.call for request in server.arrived].count(SETUP) == requested


async def test_a_setup_replacing_a_running_one_is_sent_again_when_its_response_was_lost(
    tmp_path: Path,
) -> None:
    replies = ScriptedReplies(
        {
            SETUP: [ACCEPTED],
            STATUS: [PROCESSING, FakeResponse.from_json({"status": "READY"})],
            "GET /api/v1/data-collection/batches/b": [FakeResponse.from_json({"id": "b", "status": "READY"})],
        }
    )
    with FailingServer([ServerFailure.RESET_AFTER], replies) as server:
        async with context_at(tmp_path, server.url) as context:
            await set_up(context, "b", "Study", 1, BatchStatus.PROCESSING)
        assert [request.call for request in server.arrived].count(SETUP) == 2


async def test_a_web_page_is_not_taken_for_an_accepted_setup(tmp_path: Path) -> None:
    replies = ScriptedReplies(
        {
            SETUP: [SIGN_IN_PAGE, ACCEPTED],
            STATUS: [
                FakeResponse.from_json({"status": "UNINITIALISED"}),
                FakeResponse.from_json({"status": "READY"}),
            ],
            "GET /api/v1/data-collection/batches/b": [FakeResponse.from_json({"id": "b", "status": "READY"})],
        }
    )
    with FailingServer([], replies) as server:
        async with context_at(tmp_path, server.url) as context:
            await set_up(context, "b", "Study", 1)
        assert [request.call for request in server.arrived].count(SETUP) == 2


async def test_an_unreachable_setup_is_monitored_in_the_background(tmp_path: Path) -> None:
    ready = FakeResponse.from_json({"status": "READY"})
    replies = ScriptedReplies({SETUP: [ACCEPTED], STATUS: [PROCESSING, *[SERVER_ERROR] * 10, ready]})

    async def job(context: WorkflowContext) -> JobRow:
        (row,) = await context.jobs.rows_for(JobKind.SETUP, {"batch_id": "b"})
        return row

    messages = RecordedMessages()
    with FailingServer([], replies) as server:
        async with context_at(tmp_path, server.url, messages=messages) as context:
            with pytest.raises(JobUnreachable):
                await set_up(context, "b", "Study", 1)
            async with asyncio.timeout(30):
                while (await job(context)).outcome is None:  # noqa: ASYNC110 - what is waited for sets no event
                    await asyncio.sleep(POLL_INTERVAL_S)
            assert (await job(context)).outcome == JobOutcome.DONE
    assert messages.open_jobs == ()
