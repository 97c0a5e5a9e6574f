"""The job watcher: jobs without a waiting caller are monitored to their end, in this run or the next."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, closing
from itertools import repeat
from pathlib import Path

import pytest

from batchwright.api.client import ApiClient, connect
from batchwright.api.http.retry import RetryPolicy
from batchwright.base.database import Database
from batchwright.client.connection_pool import ConnectionPool
from batchwright.client.job_monitoring.connection_jobs import ConnectionJobs
from batchwright.client.job_monitoring.job_watcher import JobWatcher, WatchedJob
from batchwright.client.job_monitoring.monitors import JobPoller, PollFailure
from batchwright.client.job_monitoring.status import JobKind, JobOutcome, JobStatus
from batchwright.local.connections import THIS_COMPUTER
from batchwright.local.database import FILE_NAME, open_database
from batchwright.local.job_table import JobRow, JobRows
from batchwright.local.paths import Folders
from batchwright.local.secrets import TokenStore
from batchwright.service.process import ServiceAddress
from tests.fakes.failing_server import FORBIDDEN, FailingServer, busy_for
from tests.fakes.raw_http import FakeResponse
from tests.workflows.contexts import until
from tests.workflows.factories import upload_file


class RecordingListener:
    """Counts the changes that the watcher reports, and collects the jobs that ended."""

    def __init__(self) -> None:
        self.changes, self.ended = 0, list[JobRow]()

    def changed(self) -> None:
        self.changes += 1

    def end(self, job: JobRow) -> None:
        self.ended.append(job)


def table(folder: Path) -> Path:
    data = folder / "data.csv"
    data.write_text("prompt\nFirst\n", encoding="utf-8")
    return data


@asynccontextmanager
async def started_import(
    running: ServiceAddress, folder: Path
) -> AsyncIterator[tuple[ApiClient, JobWatcher, ConnectionJobs, dict[str, str]]]:
    """Yield a client, its jobs, and an import that has started and is not monitored yet."""
    with closing(open_database(folder)) as database:
        async with connect(running.url, running.token) as service:
            watcher = JobWatcher(JobRows(database))
            jobs = ConnectionJobs(service, watcher, "here", lambda: repeat(0.02))
            subject = await upload_file(service, running.workspace_id, table(folder))
            try:
                yield service, watcher, jobs, subject
            finally:
                await watcher.close()


async def test_a_job_without_a_waiting_caller_is_reported_when_it_ends(
    slow_service: ServiceAddress, tmp_path: Path
) -> None:
    async with started_import(slow_service, tmp_path) as (_service, watcher, jobs, subject):
        listener = RecordingListener()
        watcher.add_listener(listener.changed, listener.end)
        watched = await jobs.start(JobKind.IMPORT, subject, "data.csv")
        watcher.monitor([watched])
        await until(lambda: watcher.poller(watched.row.row_id) is watched.poller)
        assert not watcher.is_waited_for(watched.row.row_id)
        await until(lambda: bool(listener.ended))
        assert [job.outcome for job in listener.ended] == [JobOutcome.DONE]
        assert watcher.poller(watched.row.row_id) is None
        assert listener.changes > 2


async def test_a_job_with_a_waiting_caller_has_one_monitor_and_cannot_be_stopped(
    slow_service: ServiceAddress, tmp_path: Path
) -> None:
    async with started_import(slow_service, tmp_path) as (_service, watcher, jobs, subject):
        statuses = jobs.statuses(JobKind.IMPORT, subject, "data.csv")
        await anext(statuses)
        (row,) = watcher.rows.open()
        poller = watcher.poller(row.row_id)
        watcher.monitor(await jobs.resume())
        await watcher.stop(row.row_id)
        assert watcher.is_waited_for(row.row_id)
        assert watcher.poller(row.row_id) is poller
        assert [status.outcome async for status in statuses][-1] is JobOutcome.DONE


async def test_monitoring_can_be_stopped_and_resumed(slow_service: ServiceAddress, tmp_path: Path) -> None:
    async with started_import(slow_service, tmp_path) as (_service, watcher, jobs, subject):
        watched = await jobs.start(JobKind.IMPORT, subject, "data.csv")
        row_id = watched.row.row_id
        watcher.monitor([watched])
        await until(lambda: watcher.poller(row_id) is not None)
        await watcher.stop(row_id)
        await until(lambda: watcher.poller(row_id) is None)
        assert await jobs.resume() == []
        await jobs.poll_now(watched.row)
        await until(lambda: (watcher.rows.get(row_id) or watched.row).outcome == JobOutcome.DONE)


async def test_ended_jobs_can_be_removed_from_the_list(slow_service: ServiceAddress, tmp_path: Path) -> None:
    async with started_import(slow_service, tmp_path) as (_service, watcher, jobs, subject):
        async for _status in jobs.statuses(JobKind.IMPORT, subject, "data.csv"):
            pass
        running_job = await jobs.start(JobKind.IMPORT, subject, "again.csv")
        watcher.rows.add("removed", JobKind.IMPORT, subject, "lost.csv")
        await watcher.clear_ended(["here"])
        assert watcher.rows.latest() == watcher.rows.open() == [running_job.row]


async def test_a_job_of_an_unreachable_service_is_polled_again(tmp_path: Path) -> None:
    with closing(open_database(tmp_path)) as database:
        no_retries = RetryPolicy(delays=lambda: ())
        async with connect("http://127.0.0.1:9", "token", retry_policy=no_retries) as service:
            watcher = JobWatcher(JobRows(database))
            jobs = ConnectionJobs(service, watcher, "there", lambda: repeat(60))
            watched = await jobs.start(JobKind.SETUP, {"batch_id": "b"}, "Study")
            watcher.monitor([watched])
            await until(lambda: watched.poller.poll_failure is PollFailure.OFFLINE)
            await until(lambda: watched.poller.next_poll_at is not None)
            await watcher.close()
            assert [row.poll_error is None for row in watcher.rows.open()] == [False]


async def test_a_rate_limited_job_is_not_polled_before_the_requested_time(tmp_path: Path) -> None:
    async def do(url: str) -> None:
        with closing(open_database(tmp_path)) as database:
            async with connect(url, "token") as service:
                watcher = JobWatcher(JobRows(database))
                watched = await ConnectionJobs(service, watcher, "there").start(
                    JobKind.SETUP, {"batch_id": "b"}, "Study"
                )
                watcher.monitor([watched])
                await until(lambda: watched.poller.next_poll_at is not None)
                assert watched.poller.poll_failure is PollFailure.RATE_LIMITED
                assert (watched.poller.next_poll_at or 0) > asyncio.get_running_loop().time() + 3000
                await watcher.close()

    with FailingServer([busy_for("3600")]) as server:
        await do(server.url)


def rejection(status: int) -> FakeResponse:
    """An error response as the service itself writes it."""
    return FakeResponse.from_json({"error": {"status": status, "title": "No", "detail": "Not now."}}, status)


@pytest.mark.parametrize("refused", [FORBIDDEN, *map(rejection, (400, 403, 407, 408, 409, 422, 451))])
async def test_a_rejected_poll_is_repeated_much_later(refused: FakeResponse, tmp_path: Path) -> None:
    async def do(url: str) -> None:
        with closing(open_database(tmp_path)) as database:
            async with connect(url, "token", retry_policy=RetryPolicy(delays=lambda: ())) as service:
                watcher = JobWatcher(JobRows(database))
                jobs = ConnectionJobs(service, watcher, "there", lambda: repeat(0.02))
                watched = await jobs.start(JobKind.SYNC, {"batch_id": "b", "sync_id": "s"}, "Study")
                watcher.monitor([watched])
                await until(lambda: watched.poller.next_poll_at is not None)
                assert watched.poller.poll_failure is PollFailure.REFUSED
                assert (watched.poller.next_poll_at or 0) > asyncio.get_running_loop().time() + 30
                await jobs.resume_polling()
                await until(lambda: not watcher.rows.open())
                assert (watcher.rows.get(watched.row.row_id) or watched.row).outcome == JobOutcome.DONE

    with FailingServer(
        [refused], lambda _request: FakeResponse.from_json({"sync_id": "s", "status": "complete"})
    ) as server:
        await do(server.url)


async def test_a_job_continues_in_the_next_run_of_the_program(tmp_path: Path) -> None:
    folders = Folders(tmp_path / "data", tmp_path / "cache")

    def ignore(_sentence: str) -> None:
        """Discard the message."""

    pool = ConnectionPool(folders, TokenStore())
    try:
        context = await pool.context(THIS_COMPUTER, ignore)
        subject = await upload_file(context.service, context.workspace_id, table(tmp_path))
        await context.jobs.start(JobKind.IMPORT, subject, "data.csv")
    finally:
        await pool.close()
    pool, listener = ConnectionPool(folders, TokenStore()), RecordingListener()
    try:
        watcher = await pool.job_watcher()
        watcher.add_listener(listener.changed, listener.end)
        await pool.resume(THIS_COMPUTER, ignore)
        await until(lambda: bool(listener.ended))
        assert [(job.title, job.outcome) for job in listener.ended] == [("data.csv", JobOutcome.DONE)]
    finally:
        await pool.close()


async def test_concurrent_callers_get_the_same_watcher(tmp_path: Path) -> None:
    pool = ConnectionPool(Folders(tmp_path / "data", tmp_path / "cache"), TokenStore())
    first, second = await asyncio.gather(pool.job_watcher(), pool.job_watcher())
    await pool.close()
    assert first is second


async def test_a_replacing_monitor_remains_registered(slow_service: ServiceAddress, tmp_path: Path) -> None:
    async with started_import(slow_service, tmp_path) as (_service, watcher, jobs, subject):
        started = await jobs.start(JobKind.IMPORT, subject, "data.csv")
        watcher.monitor([started])
        await until(lambda: watcher.poller(started.row.row_id) is started.poller)
        (again,) = await jobs.resume()
        watcher.monitor([again])
        await until(lambda: watcher.poller(started.row.row_id) is again.poller)
        for _iteration in range(5):
            await asyncio.sleep(0)
            assert watcher.poller(started.row.row_id) is again.poller


async def test_a_caller_that_starts_to_wait_takes_over_from_the_watcher(
    slow_service: ServiceAddress, tmp_path: Path
) -> None:
    async with started_import(slow_service, tmp_path) as (_service, watcher, jobs, subject):
        started = await jobs.start(JobKind.IMPORT, subject, "data.csv")
        watcher.monitor([started])
        await until(lambda: watcher.poller(started.row.row_id) is started.poller)
        (again,) = await jobs.resume()
        results = [status async for status in watcher.statuses(again)]
        assert results
        assert not watcher.rows.open()


async def test_a_monitored_job_unknown_to_the_service_is_reported_as_gone(
    running: ServiceAddress, tmp_path: Path
) -> None:
    with closing(open_database(tmp_path)) as database:
        async with connect(running.url, running.token) as service:
            watcher, listener = JobWatcher(JobRows(database)), RecordingListener()
            watcher.add_listener(listener.changed, listener.end)
            jobs = ConnectionJobs(service, watcher, "here", lambda: repeat(0.02))
            subject = {"dataset_id": "01900000-0000-7000-8000-000000000000", "import_id": "none"}
            watcher.monitor([await jobs.start(JobKind.IMPORT, subject, "data.csv")])
            await until(lambda: bool(listener.ended))
            assert listener.ended[0].outcome == JobOutcome.GONE


def lock_database(database: Database, folder: Path) -> sqlite3.Connection:
    """Lock the database as another program would; the program itself does not wait for the lock."""
    database._writer.execute("PRAGMA busy_timeout = 10")
    other = sqlite3.connect(folder / FILE_NAME, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return other


async def test_monitoring_continues_while_statuses_cannot_be_stored(
    running: ServiceAddress, tmp_path: Path
) -> None:
    with closing(open_database(tmp_path)) as database:
        async with connect(running.url, running.token) as service:
            watcher = JobWatcher(JobRows(database))
            jobs = ConnectionJobs(service, watcher, "here", lambda: repeat(0.02))
            subject = await upload_file(service, running.workspace_id, table(tmp_path))
            watched = await jobs.start(JobKind.IMPORT, subject, "data.csv")
            with closing(lock_database(database, tmp_path)):
                watcher.monitor([watched])
                await until(lambda: watched.poller.poll_failure is PollFailure.NOT_STORED)
            await until(lambda: not watcher.rows.open())
            assert (watcher.rows.get(watched.row.row_id) or watched.row).outcome == JobOutcome.DONE


async def test_a_local_job_succeeds_although_its_outcome_cannot_be_stored(
    running: ServiceAddress, tmp_path: Path
) -> None:
    with closing(open_database(tmp_path)) as database:
        async with connect(running.url, running.token) as service:
            jobs = ConnectionJobs(service, JobWatcher(JobRows(database)), "here")
            with ExitStack() as stack:
                async with jobs.local_job(JobKind.UPLOAD, {"dataset_id": "d"}, "data.csv"):
                    stack.enter_context(closing(lock_database(database, tmp_path)))
            (row,) = await jobs.rows_for(JobKind.UPLOAD, {"dataset_id": "d"})
            assert (row.outcome, row.is_monitored) == (None, True)


async def test_local_jobs_left_by_a_crash_are_stopped_at_the_next_start_without_a_connection(
    tmp_path: Path,
) -> None:
    with closing(open_database(tmp_path)) as database:
        rows = JobRows(database)
        for kind in JobKind:
            rows.add("Signed out", kind, {}, kind)

    pool = ConnectionPool(Folders(tmp_path, tmp_path), TokenStore())
    try:
        rows = (await pool.job_watcher()).rows
        rows.add("Signed out", JobKind.UPLOAD, {}, "started in this run")
        endings = {row.title: row.outcome for row in rows.latest()}
    finally:
        await pool.close()
    stopped = {title for title, ending in endings.items() if ending == JobOutcome.STOPPED}
    assert stopped == {"upload", "download", "append"}


async def test_the_jobs_of_a_running_command_are_not_stopped_by_a_window_that_starts(tmp_path: Path) -> None:
    with closing(open_database(tmp_path)) as database:
        rows = JobRows(database)
        row = rows.add("https://api.example.org", JobKind.UPLOAD, {}, "data.csv")

        pool = ConnectionPool(Folders(tmp_path, tmp_path), TokenStore())
        await pool.job_watcher()
        await pool.close()
        rows.record(row.row_id, "complete", {}, JobOutcome.DONE)
        assert [entry.outcome for entry in rows.latest()] == [JobOutcome.DONE]


async def test_an_unexpected_error_of_a_job_without_a_caller_is_logged_with_its_traceback(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Recorder:
        async def record_status(self, status: JobStatus) -> None:
            raise AssertionError(status)

        async def record_failure(self, failure: PollFailure, reason: str) -> None:
            raise AssertionError(failure, reason)

    async def fail() -> JobStatus:
        raise RuntimeError("the response has no status")

    with closing(open_database(tmp_path)) as database:
        rows = JobRows(database)
        watcher = JobWatcher(rows)
        row = rows.add("here", JobKind.IMPORT, {}, "data.csv")
        watcher.monitor([WatchedJob(row, JobPoller(fail, Recorder(), lambda _error: None))])
        await until(lambda: (rows.get(row.row_id) or row).poll_error is not None)
        await watcher.close()
    (logged,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert logged.exc_info is not None
    assert str(logged.exc_info[1]) == "the response has no status"
