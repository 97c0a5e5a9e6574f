"""Jobs are monitored to their end, after a restart by another monitor; a failed poll is repeated."""

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from itertools import repeat
from pathlib import Path

import pytest

from batchwright.api.client import ApiClient, connect
from batchwright.api.http.retry import RetryPolicy
from batchwright.base.database import Database
from batchwright.client.connection_pool import ConnectionPool
from batchwright.client.job_monitoring.connection_jobs import ConnectionJobs, JobUnreachable
from batchwright.client.job_monitoring.job_watcher import JobWatcher, WatchedJob
from batchwright.client.job_monitoring.monitors import PollFailure
from batchwright.client.job_monitoring.status import JobKind, JobOutcome, JobStatus
from batchwright.local.connections import Connection
from batchwright.local.database import open_database
from batchwright.local.job_table import JobRows
from batchwright.local.paths import Folders
from batchwright.local.secrets import TokenStore
from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import BatchSetup
from batchwright.wire.datapoints import JsonLinesBody
from batchwright.wire.datasets import DatasetCreate, SchemaUpdate
from tests.api.studies import LAYOUT, SCHEMA, send_file
from tests.fakes.key_ring import MemoryRing
from tests.workflows.contexts import until
from tests.workflows.factories import new_collection, unready_batch, upload_file, upload_v3_file

CONNECTION = "this computer"


def connection_jobs(service: ApiClient, database: Database) -> ConnectionJobs:
    return ConnectionJobs(service, JobWatcher(JobRows(database)), CONNECTION, lambda: repeat(0.02))


async def first_status(job: WatchedJob) -> JobStatus | PollFailure:
    statuses = job.poller.statuses()
    status = await anext(statuses)
    job.poller.stop()
    return status


async def start_job(
    kind: JobKind, service: ApiClient, running: ServiceAddress, folder: Path, jobs: ConnectionJobs
) -> WatchedJob:
    """Start a job of this kind at the service, and record it."""
    data = folder / "data.csv"
    data.write_text("prompt\nFirst\n", encoding="utf-8")
    if kind is JobKind.IMPORT:
        return await jobs.start(kind, await upload_file(service, running.workspace_id, data), "data.csv")
    if kind is JobKind.PROCESSING:
        return await jobs.start(kind, await upload_v3_file(service, running.workspace_id, data), "data.csv")
    if kind is JobKind.COLLECTION_EXPORT:
        collection = await new_collection(service, running.workspace_id)
        export = await service.exports.start_of_collection(collection.id)
        subject = {"collection_id": collection.id, "export_id": export.export_id or ""}
        return await jobs.start(kind, subject, "Survey")
    batch = await unready_batch(service, running.workspace_id, data, LAYOUT)
    dataset_id = batch.datasets[0].id
    if kind is JobKind.MIGRATION:
        answer = await service.datasets.update_schema(dataset_id, SchemaUpdate(schema=SCHEMA))
        subject = {"dataset_id": dataset_id, "job_id": answer.migration_job_id or ""}
        return await jobs.start(kind, subject, "data")
    await service.batches.set_up(batch.id, BatchSetup())
    if kind is JobKind.SETUP:
        return await jobs.start(kind, {"batch_id": batch.id}, "Study")
    async for _status in jobs.statuses(JobKind.SETUP, {"batch_id": batch.id}, "Study"):
        pass
    if kind is JobKind.SYNC:
        await service.datasets.append(dataset_id, JsonLinesBody(b'{"prompt": "Later"}\n'))
        sync = await service.batches.sync(batch.id)
        return await jobs.start(kind, {"batch_id": batch.id, "sync_id": sync.sync_id or ""}, "Study")
    export = await service.exports.start(batch.id)
    return await jobs.start(kind, {"batch_id": batch.id, "export_id": export.export_id or ""}, "Export")


MONITORED_KINDS = [kind for kind in JobKind if not kind.is_local]


@pytest.mark.spec("ST-05", "ST-16", "ST-19", "ST-23", "ST-26", "I-16")
@pytest.mark.parametrize("kind", MONITORED_KINDS)
async def test_a_job_is_monitored_to_its_end_after_a_restart(
    kind: JobKind, slow_service: ServiceAddress, tmp_path: Path
) -> None:
    with closing(open_database(tmp_path)) as database:
        async with connect(slow_service.url, slow_service.token) as service:
            job = await start_job(kind, service, slow_service, tmp_path, connection_jobs(service, database))
            status = await first_status(job)
            assert isinstance(status, JobStatus)
            assert not status.is_settled
    with closing(open_database(tmp_path)) as database:
        async with connect(slow_service.url, slow_service.token) as service:
            (resumed,) = await connection_jobs(service, database).resume()
            assert resumed.row.kind == kind
            statuses = [status async for status in resumed.poller.statuses()]
            assert isinstance(statuses[-1], JobStatus)
            assert statuses[-1].outcome is JobOutcome.DONE
            assert await connection_jobs(service, database).resume() == []


async def test_polling_stops_when_the_service_is_unreachable_and_the_job_stays_open(tmp_path: Path) -> None:
    no_retries = RetryPolicy(delays=lambda: ())
    with closing(open_database(tmp_path)) as database:
        async with connect("http://127.0.0.1:9", "token", retry_policy=no_retries) as service:
            jobs = connection_jobs(service, database)
            with pytest.raises(JobUnreachable):
                async for _status in jobs.statuses(JobKind.SETUP, {"batch_id": "b"}, "Study"):
                    pass
            assert [job.row.title for job in await jobs.resume()] == ["Study"]


async def test_a_poll_being_retried_already_shows_the_service_as_offline(tmp_path: Path) -> None:
    shown: list[PollFailure | None] = []

    async def sleep(_seconds: float) -> None:
        shown.append(job.poller.poll_failure)

    with closing(open_database(tmp_path)) as database:
        no_retries = RetryPolicy(delays=lambda: [1.0], sleep=sleep)
        async with connect("http://127.0.0.1:9", "token", retry_policy=no_retries) as service:
            job = await connection_jobs(service, database).start(JobKind.SETUP, {"batch_id": "b"}, "Study")
            await first_status(job)
    assert shown == [PollFailure.OFFLINE]


async def test_a_job_started_elsewhere_is_monitored_once(
    slow_service: ServiceAddress, tmp_path: Path
) -> None:
    async def monitor_twice(service: ApiClient, database: Database) -> None:
        watcher = JobWatcher(JobRows(database))
        jobs = ConnectionJobs(service, watcher, CONNECTION, lambda: repeat(0.02))
        data = tmp_path / "data.csv"
        data.write_text("prompt\nFirst\n", encoding="utf-8")
        batch = await unready_batch(service, slow_service.workspace_id, data, LAYOUT)
        await service.batches.set_up(batch.id, BatchSetup())
        subject, before = {"batch_id": batch.id}, datetime.now(UTC)
        await asyncio.gather(
            *(jobs.monitor_unless_open(JobKind.SETUP, subject, "Study", before) for _window in range(3))
        )
        await until(lambda: not watcher.rows.open())
        await jobs.monitor_unless_open(JobKind.SETUP, subject, "Study", before)
        (row,) = await jobs.rows_for(JobKind.SETUP, subject)
        assert (row.outcome, row.title) == (JobOutcome.DONE, "Study")
        assert await jobs.rows_for(JobKind.EXPORT, subject) == []
        await watcher.close()

    with closing(open_database(tmp_path)) as database:
        async with connect(slow_service.url, slow_service.token) as service:
            await monitor_twice(service, database)


UNKNOWN = "01900000-0000-7000-8000-000000000000"


@pytest.mark.parametrize("kind", MONITORED_KINDS)
async def test_a_job_unknown_to_the_service_ends_as_gone(
    kind: JobKind, running: ServiceAddress, tmp_path: Path
) -> None:
    names = ("dataset_id", "batch_id", "collection_id", "import_id", "sync_id", "job_id", "export_id")

    with closing(open_database(tmp_path)) as database:
        async with connect(running.url, running.token) as service:
            jobs = connection_jobs(service, database)
            job = await jobs.start(kind, dict.fromkeys(names, UNKNOWN), "Lost")
            (status,) = [status async for status in job.poller.statuses()]
            assert isinstance(status, JobStatus)
            assert status.outcome is JobOutcome.GONE
            assert await jobs.resume() == []


async def test_an_import_that_waits_for_a_schema_continues_after_a_restart(
    running: ServiceAddress, tmp_path: Path
) -> None:
    """It is polled once when the connection is opened, and reported only if its state has changed."""
    data = tmp_path / "data.csv"
    data.write_text("prompt\nFirst\n", encoding="utf-8")

    async def wait_for_the_schema(service: ApiClient, jobs: ConnectionJobs) -> dict[str, str]:
        request = DatasetCreate.model_validate(
            {"name": "Prompts", "workspace_id": running.workspace_id, "schema": None}
        )
        dataset = await service.datasets.create(request)
        address = await send_file(service, dataset.id, data)
        subject = {"dataset_id": dataset.id, "import_id": address.import_id or ""}
        statuses = [status async for status in jobs.statuses(JobKind.IMPORT, subject, "data.csv")]
        assert statuses[-1].outcome is JobOutcome.PAUSED
        return subject

    async def monitor_after_a_restart(
        service: ApiClient, database: Database, expected: Sequence[JobOutcome]
    ) -> list[str | None]:
        watcher = JobWatcher(JobRows(database))
        reported = list[str | None]()
        watcher.add_listener(lambda: None, lambda row: reported.append(row.outcome))
        jobs = ConnectionJobs(service, watcher, CONNECTION, lambda: repeat(0.02))
        (job,) = await jobs.resume()
        polled_before = job.row.polled_at
        watcher.monitor([job])
        await until(lambda: (watcher.rows.get(job.row.row_id) or job.row).polled_at != polled_before)
        await until(lambda: watcher.poller(job.row.row_id) is None and not watcher.rows.open())
        await until(lambda: len(reported) >= len(expected))
        await watcher.close()
        return reported

    with closing(open_database(tmp_path)) as database:
        async with connect(running.url, running.token) as service:
            jobs = connection_jobs(service, database)
            subject = await wait_for_the_schema(service, jobs)
            assert await monitor_after_a_restart(service, database, []) == []
            await service.datasets.update_schema(subject["dataset_id"], SchemaUpdate(schema=SCHEMA))
            done = [JobOutcome.DONE]
            assert await monitor_after_a_restart(service, database, done) == done
            assert await jobs.resume() == []
            (row,) = await jobs.rows_for(JobKind.IMPORT, subject)
            assert (row.state, row.outcome) == ("complete", JobOutcome.DONE)


async def test_a_local_job_is_stored_with_its_outcome(running: ServiceAddress, tmp_path: Path) -> None:
    with closing(open_database(tmp_path)) as database:
        async with connect(running.url, running.token) as service:
            jobs, rows = connection_jobs(service, database), JobRows(database)
            async with jobs.local_job(JobKind.UPLOAD, {"dataset_id": "d"}, "data.csv") as job:
                job.advance(1, 2)
                (row,) = rows.open()
                assert row.outcome is None
                assert await jobs.resume() == []
                job.detail["sha256"] = "0f"
            (row,) = rows.latest()
            assert (row.outcome, row.detail) == (JobOutcome.DONE, {"sha256": "0f"})
            with pytest.raises(OSError, match="gone"):
                async with jobs.local_job(JobKind.UPLOAD, {}, "data.csv"):
                    raise OSError("gone")
            assert (rows.latest()[0].outcome, rows.latest()[0].detail) == (
                JobOutcome.FAILED,
                {"reason": "gone"},
            )


async def test_a_cancelled_local_job_is_stored_as_stopped(running: ServiceAddress, tmp_path: Path) -> None:
    with closing(open_database(tmp_path)) as database:
        async with connect(running.url, running.token) as service:
            jobs = connection_jobs(service, database)
            started = asyncio.Event()

            async def upload() -> None:
                async with jobs.local_job(JobKind.UPLOAD, {}, "data.csv"):
                    started.set()
                    await asyncio.Event().wait()

            task = asyncio.create_task(upload())
            await started.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            (row,) = JobRows(database).latest()
            assert row.outcome == JobOutcome.STOPPED


KILLED_PROGRAM = """
import asyncio, json, os, signal, sys
from pathlib import Path
from batchwright.api.client import connect
from batchwright.client.job_monitoring.status import JobKind
from batchwright.local.connections import Connection
from batchwright.base.database import Database
from batchwright.local.database import open_database
from batchwright.local.paths import Folders
from batchwright.local.job_table import JobRows
from batchwright.local.secrets import TokenStore
from batchwright.client.job_monitoring.job_watcher import JobWatcher
from batchwright.client.job_monitoring.connection_jobs import ConnectionJobs

folder, url, token, connection, subject = sys.argv[1:]

async def work():
    watcher = JobWatcher(JobRows(open_database(Path(folder))))
    async with connect(url, token) as service:
        jobs = ConnectionJobs(service, watcher, connection)
        watcher.monitor([await jobs.start(JobKind.IMPORT, json.loads(subject), "data.csv")])
        async with jobs.local_job(JobKind.UPLOAD, {"dataset_id": "d"}, "more.csv"):
            os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(work())
"""


async def test_after_a_kill_jobs_of_the_service_continue_and_local_jobs_are_stopped(
    slow_service: ServiceAddress, tmp_path: Path
) -> None:
    connection, folders = (
        Connection(CONNECTION, slow_service.url, slow_service.workspace_id),
        Folders(tmp_path, tmp_path),
    )

    data = tmp_path / "data.csv"
    data.write_text("prompt\nFirst\n", encoding="utf-8")
    async with connect(slow_service.url, slow_service.token) as service:
        arguments = (
            str(tmp_path),
            slow_service.url,
            slow_service.token,
            CONNECTION,
            json.dumps(await upload_file(service, slow_service.workspace_id, data)),
        )
    process = subprocess.run([sys.executable, "-c", KILLED_PROGRAM, *arguments], timeout=60, check=False)
    assert process.returncode == -signal.SIGKILL
    pool = ConnectionPool(folders, TokenStore(MemoryRing()))
    try:
        rows = (await pool.job_watcher()).rows
        assert [row.kind for row in rows.open()] == ["import"]
        await pool.sign_in(CONNECTION, slow_service.token, is_stored=False)
        await pool.resume(connection, lambda _sentence: None)
        await until(lambda: not rows.open())
        assert [(row.kind, row.outcome) for row in rows.latest()] == [
            ("upload", "stopped"),
            ("import", "done"),
        ]
    finally:
        await pool.close()
