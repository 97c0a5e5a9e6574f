"""An upload that stalls is reported, and continues when bytes are sent again."""

import asyncio
import threading
from pathlib import Path

import httpx
import pytest
from typing_extensions import override

from batchwright.api.client import connect
from batchwright.api.files.transfers import Transfers
from batchwright.api.http.errors import FileChanged, Unreachable
from batchwright.api.http.retry import RetryPolicy
from batchwright.client import resilient_run as module
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.local_job import LocalJob
from batchwright.client.resilient_run import RecoveryHooks, run_resiliently
from tests.api.requests import retries
from tests.client.test_resilient_run import NOWHERE, no_token
from tests.fakes.raw_http import FakeResponse, read_head
from tests.fakes.server_in_thread import ServerInThread

SIZE = 48 << 20
"""Bytes: more than the buffers of a connection within this computer hold."""


class StallingStorage(ServerInThread):
    """Accepts an upload, and reads nothing of it until `is_resumed` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.is_resumed = threading.Event()

    @override
    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await read_head(reader)
        if head is None:
            return
        await asyncio.to_thread(self.is_resumed.wait)
        remaining = SIZE
        while remaining and (block := await reader.read(1 << 20)):
            remaining -= len(block)
        writer.write(FakeResponse().to_bytes())
        await writer.drain()


async def test_a_stalled_upload_is_reported_and_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "STALL_S", 0.2)
    path = tmp_path / "large.csv"
    with path.open("wb") as file:
        file.truncate(SIZE)
    job, reports = LocalJob(), []

    with StallingStorage() as storage:

        def on_offline() -> None:
            reports.append((job.is_waiting, job.completed < SIZE))
            storage.is_resumed.set()

        async with connect(storage.url, "t1", retry_policy=retries(1)) as service:

            async def upload(_context: WorkflowContext) -> int:
                job.start_transfer(SIZE)
                moved = await service.transfers.upload(
                    path, f"{storage.url}/file?sign=1", on_progress=job.progress_callback(None)
                )
                return moved.size

            assert (await run_resiliently(NOWHERE, upload, RecoveryHooks(on_offline, no_token), job)) == SIZE
    assert reports == [(True, True)]
    assert not job.is_waiting


async def test_the_first_failed_request_reports_the_outage() -> None:
    reports: list[str] = []

    async def pause(_seconds: float) -> None:
        reports.append("a pause")

    tries = iter([True, True, False])

    async def attempt() -> str:
        if next(tries):
            raise Unreachable("PUT /", "the connection failed", arrived=False)
        return "sent"

    async def work(_context: WorkflowContext) -> str:
        return await RetryPolicy(lambda: (1.0, 2.0), pause).run(attempt, repeatable=True)

    hooks = RecoveryHooks(lambda: reports.append("away"), no_token)
    assert await run_resiliently(NOWHERE, work, hooks, LocalJob()) == "sent"
    assert reports == ["away", "a pause", "a pause"]


async def test_a_file_that_changes_between_two_attempts_is_not_sent(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a\n1\n")

    async def change(_seconds: float) -> None:
        await asyncio.to_thread(path.write_text, "a\nother\n")

    transfers = Transfers(RetryPolicy(lambda: (1.0,), change), httpx.create_ssl_context)
    with pytest.raises(FileChanged):
        await transfers.upload(path, "http://127.0.0.1:9/file?sign=1")
    await transfers.close()
