"""A proxy accepts a file or a setup, and the service never receives it."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from typing_extensions import override

from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.connection_jobs import NotStarted
from batchwright.client.job_monitoring.monitors import StartLimits
from batchwright.client.job_monitoring.status import JobKind, JobOutcome
from batchwright.schema.parsing import read_schema
from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import BatchCreate, BatchStatus
from batchwright.workflows.data.upload_dataset import UploadObserver, upload_dataset
from batchwright.workflows.data.upload_v3_dataset import upload_v3_dataset
from batchwright.workflows.messages import describe
from batchwright.workflows.publishing.set_up import set_up
from tests.api.studies import DETAILS, LAYOUT, SCHEMA
from tests.fakes.faulty_proxy import FaultyProxy
from tests.fakes.raw_http import FakeResponse, Head
from tests.workflows.contexts import RecordedMessages, context_at

SHORT_LIMITS = StartLimits(late_s=0.02, never_s=0.2)
DATASETS = "POST /api/v1/data-collection/datasets"


class AcceptingProxy(FaultyProxy):
    """Accepts the first request with this method and end of the URL without forwarding it."""

    def __init__(self, target: str, method: bytes, end: bytes = b"") -> None:
        super().__init__(target)
        self._accepted_method, self._url_end = method, end

    @override
    async def _forward(self, head: Head, body: bytes) -> bytes:
        method, target, _version = head.line.split(b" ")
        if method == self._accepted_method and target.endswith(self._url_end):
            self._accepted_method = b""
            return FakeResponse(202).to_bytes()
        return await super()._forward(head, body)


async def run_through_proxy(
    proxy: FaultyProxy,
    running: ServiceAddress,
    folder: Path,
    work: Callable[[WorkflowContext], Awaitable[None]],
    messages: RecordedMessages,
) -> None:
    """Run a workflow through the proxy, with short limits for the start of jobs."""
    token, workspace = running.token, running.workspace_id
    async with context_at(
        folder, proxy.url, messages=messages, limits=SHORT_LIMITS, token=token, workspace=workspace
    ) as context:
        await work(context)


async def test_a_file_that_never_reaches_the_service_times_out_and_is_sent_again_to_the_same_dataset(
    running: ServiceAddress, data: Path, tmp_path: Path
) -> None:
    messages, states = RecordedMessages(), []

    async def work(context: WorkflowContext) -> None:
        checkpoint, schema = context.checkpoint("data"), read_schema(SCHEMA)
        observer = UploadObserver(
            on_status=lambda status: states.append((status.state, status.is_late, status.outcome))
        )
        with pytest.raises(NotStarted) as caught:
            await upload_dataset(context, checkpoint, "Prompts", schema, data, observer)
        message = describe(caught.value)
        assert message.what == "prompts.csv was sent, and the service did not start to read it."
        assert "no second one is created" in message.remedy
        upload = await upload_dataset(context, checkpoint, "Prompts", schema, data, observer)
        dataset = await context.service.datasets.get(upload.dataset.id)
        assert (upload.accepted, dataset.total_datapoint_count) == (2, 2)

    with AcceptingProxy(running.url, b"PUT") as proxy:
        await run_through_proxy(proxy, running, tmp_path, work, messages)
        assert proxy.calls.count(DATASETS) == 1
    assert states[:3] == [
        ("uninitialised", False, None),
        ("uninitialised", True, None),
        ("uninitialised", False, JobOutcome.NOT_STARTED),
    ]
    assert "prompts.csv was sent; the service has not started to read it." in messages


async def test_a_v3_file_that_never_reaches_the_service_is_sent_again_to_the_same_dataset(
    running: ServiceAddress, data: Path, tmp_path: Path
) -> None:
    with AcceptingProxy(running.url, b"PUT") as proxy:
        async with context_at(
            tmp_path, proxy.url, token=running.token, workspace=running.workspace_id, limits=SHORT_LIMITS
        ) as context:
            checkpoint = context.checkpoint("v3")
            with pytest.raises(NotStarted):
                await upload_v3_dataset(context, checkpoint, "Prompts", data)
            dataset = await upload_v3_dataset(context, checkpoint, "Prompts", data)
            assert dataset.total_datapoint_count == 2
        assert proxy.calls.count(DATASETS) == 1


async def test_a_setup_that_never_reaches_the_service_times_out_and_can_be_repeated(
    running: ServiceAddress, data: Path, tmp_path: Path
) -> None:
    messages = RecordedMessages()

    async def work(context: WorkflowContext) -> None:
        upload = await upload_dataset(
            context, context.checkpoint("data"), "Prompts", read_schema(SCHEMA), data
        )
        batch = await context.service.batches.create(
            BatchCreate(
                name="Batch",
                workspace_id=context.workspace_id,
                dataset_id=upload.dataset.id,
                task_details=DETAILS,
                batch_items=LAYOUT,
            )
        )
        with pytest.raises(NotStarted) as caught:
            await set_up(context, batch.id, "Batch", 1)
        assert describe(caught.value).what == "The service accepted the setup and did not start it."
        (row,) = await context.jobs.rows_for(JobKind.SETUP, {"batch_id": batch.id})
        assert row.outcome == JobOutcome.NOT_STARTED
        assert (await set_up(context, batch.id, "Batch", 1)).status == BatchStatus.READY

    with AcceptingProxy(running.url, b"POST", b"/setup") as proxy:
        await run_through_proxy(proxy, running, tmp_path, work, messages)
    assert "Setup was accepted; the service has not started it." in messages
