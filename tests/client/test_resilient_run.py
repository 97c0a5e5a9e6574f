"""Network outages during transfers: the operation waits and continues, and creates nothing twice."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from batchwright.api.http.errors import CertificateUntrusted, FileChanged, ProxyRefused, Unreachable
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.connection_jobs import JobUnreachable
from batchwright.client.job_monitoring.monitors import PollFailure
from batchwright.client.job_monitoring.status import JobKind, JobOutcome
from batchwright.client.resilient_run import RecoveryHooks, run_resiliently
from batchwright.data_files.formats import Format, FormatKind
from batchwright.local.database import open_database
from batchwright.local.sent_files import SentFiles
from batchwright.schema.parsing import read_schema
from batchwright.service.process import ServiceAddress
from batchwright.wire.datasets import DatasetCreate
from batchwright.workflows.answers.download_results import download_report
from batchwright.workflows.data.append import append_file
from batchwright.workflows.data.upload_dataset import upload_dataset
from batchwright.workflows.send_feedback import send_feedback
from tests.api.studies import SCHEMA, client_of, prompts_file, set_up, upload_data
from tests.fakes.faulty_proxy import Fault, FaultyProxy
from tests.workflows.contexts import context_at

NOWHERE = cast("WorkflowContext", object())
DATASETS = "POST /api/v1/data-collection/datasets"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data file of two records."""
    return prompts_file(tmp_path)


async def no_token(_refused: WorkflowContext) -> WorkflowContext | None:
    """No token is entered."""
    return None


@asynccontextmanager
async def outage(
    running: ServiceAddress, folder: Path, nth: int
) -> AsyncIterator[tuple[WorkflowContext, RecoveryHooks, FaultyProxy]]:
    """Yield a context whose network fails at the n-th request and returns as soon as the operation waits."""
    waited = 0

    def on_offline() -> None:
        nonlocal waited
        waited += 1
        proxy.clear_fault()

    with FaultyProxy(running.url, Fault.REFUSE, nth, is_lasting=True) as proxy:
        async with context_at(
            folder, proxy.url, token=running.token, workspace=running.workspace_id
        ) as context:
            yield context, RecoveryHooks(on_offline, no_token), proxy
        assert proxy.fault_count
    assert waited == 1


@pytest.mark.parametrize("nth", [1, 2, 3, 4])
async def test_an_upload_continues_by_itself(
    nth: int, running: ServiceAddress, data: Path, tmp_path: Path
) -> None:
    async with outage(running, tmp_path, nth) as (context, hooks, proxy):
        checkpoint, schema = context.checkpoint("data"), read_schema(SCHEMA)
        upload = await run_resiliently(
            context,
            lambda context: upload_dataset(context, checkpoint, "Prompts", schema, data, hooks=hooks),
            hooks,
        )
        jobs = await context.jobs.rows_for(JobKind.UPLOAD, {"dataset_id": upload.dataset.id})
        assert [job.outcome for job in jobs] == [JobOutcome.DONE]
        dataset = await context.service.datasets.get(upload.dataset.id)
        assert (upload.accepted, dataset.total_datapoint_count) == (2, 2)
    assert proxy.calls.count(DATASETS) == 1


async def test_an_append_continues_by_itself(running: ServiceAddress, data: Path, tmp_path: Path) -> None:
    async with client_of(running) as service:
        dataset_id = (await upload_data(service, running.workspace_id, data))[0].id
    more = tmp_path / "more.jsonl"
    more.write_text('{"prompt": "Later"}\n' * 1500)

    async with outage(running, tmp_path, 2) as (context, hooks, proxy):
        watcher = context.jobs._watcher

        def on_offline() -> None:
            (row,) = watcher.rows.open()
            job = watcher.local_job(row.row_id)
            assert job is not None
            assert job.is_waiting
            assert hooks.on_offline is not None
            hooks.on_offline()

        append = await append_file(context, dataset_id, more, hooks=replace(hooks, on_offline=on_offline))
        assert (append.accepted, append.sent) == (1500, 1500)
        jobs = await context.jobs.rows_for(JobKind.APPEND, {"dataset_id": dataset_id})
        assert [job.outcome for job in jobs] == [JobOutcome.DONE]
    assert len(proxy.calls) == 2


@pytest.mark.parametrize("nth", [1, 2])
async def test_a_download_continues_by_itself(
    nth: int, running: ServiceAddress, data: Path, tmp_path: Path
) -> None:
    async with client_of(running) as service:
        batch = await set_up(service, running.workspace_id, data)
    report = tmp_path / "report.csv"

    async with outage(running, tmp_path, nth) as (context, hooks, _proxy):
        await download_report(context, batch.id, report, None, hooks)
    assert report.read_bytes()


@pytest.mark.parametrize("nth", [1, 2])
async def test_feedback_continues_by_itself_to_the_same_url(
    nth: int, running: ServiceAddress, tmp_path: Path
) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("Thank you.", encoding="utf-8")

    async with outage(running, tmp_path, nth) as (context, hooks, proxy):
        with closing(open_database(tmp_path)) as database:
            await send_feedback(context, SentFiles(database), file, lambda _done, _all: None, hooks)
    assert [call.partition(" ")[0] for call in proxy.calls] == ["GET", "PUT"]


@pytest.mark.parametrize(
    "error",
    [
        CertificateUntrusted("GET /", "not trusted"),
        ProxyRefused("GET /", "by the proxy"),
        JobUnreachable(PollFailure.SIGNED_OUT),
        ValueError("ours"),
    ],
)
async def test_an_error_that_waiting_cannot_fix_ends_the_operation(error: Exception) -> None:
    async def work(_context: WorkflowContext) -> None:
        raise error

    hooks = RecoveryHooks(lambda: pytest.fail("nothing is to be waited for"), no_token)
    with pytest.raises(type(error)):
        await run_resiliently(NOWHERE, work, hooks)


Sender = Callable[[WorkflowContext, Path, RecoveryHooks], Awaitable[object]]


def upload(context: WorkflowContext, data: Path, hooks: RecoveryHooks) -> Awaitable[object]:
    return upload_dataset(
        context, context.checkpoint("data"), "Prompts", read_schema(SCHEMA), data, hooks=hooks
    )


async def append(context: WorkflowContext, data: Path, hooks: RecoveryHooks) -> None:
    dataset = await context.service.datasets.create(
        DatasetCreate(name="Prompts", workspace_id=context.workspace_id, schema=SCHEMA)
    )
    await append_file(context, dataset.id, data, Format(FormatKind.CSV), hooks=hooks)


@pytest.mark.parametrize(("send", "nth"), [(upload, 3), (append, 2)])
async def test_a_file_that_changes_during_an_outage_is_not_continued(
    send: Sender, nth: int, running: ServiceAddress, data: Path, tmp_path: Path
) -> None:
    async with outage(running, tmp_path, nth) as (context, hooks, _proxy):

        def on_offline() -> None:
            assert hooks.on_offline is not None
            hooks.on_offline()
            data.write_text("prompt\nAnother\n", encoding="utf-8")

        with pytest.raises(FileChanged):
            await send(context, data, replace(hooks, on_offline=on_offline))


async def test_a_job_that_could_not_be_polled_is_resumed() -> None:
    errors = iter([JobUnreachable(PollFailure.OFFLINE), None])

    async def work(_context: WorkflowContext) -> str:
        if error := next(errors):
            raise error
        return "done"

    assert await run_resiliently(NOWHERE, work, RecoveryHooks(lambda: None, no_token)) == "done"


async def test_after_an_outage_the_operation_continues_with_the_context_of_a_restarted_service() -> None:
    restarted, contexts = cast("WorkflowContext", object()), list[WorkflowContext]()

    async def work(context: WorkflowContext) -> None:
        contexts.append(context)
        if len(contexts) == 1:
            raise Unreachable("GET /", "nobody there", arrived=False)

    async def reconnect() -> WorkflowContext:
        return restarted

    await run_resiliently(NOWHERE, work, RecoveryHooks(lambda: None, no_token, reconnect))
    assert contexts == [NOWHERE, restarted]


async def test_without_recovery_hooks_an_outage_is_raised_immediately() -> None:
    async def work(_context: WorkflowContext) -> None:
        raise Unreachable("GET /", "nobody there", arrived=False)

    with pytest.raises(Unreachable):
        await run_resiliently(NOWHERE, work, None)
