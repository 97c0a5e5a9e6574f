"""The worker process is always restarted."""

import errno
from contextlib import closing
from pathlib import Path

import pytest

from batchwright.base.database import Database
from batchwright.service import clock
from batchwright.service.blobs import Blobs
from batchwright.service.jobs.context import JobContext
from batchwright.service.jobs.exports import Export
from batchwright.service.server import worker
from batchwright.service.server.worker import Worker, WorkerProcess
from batchwright.service.store import jobs
from batchwright.service.store.database import open_database
from batchwright.service.store.jobs import StoredJob, StoredJobKind
from tests.service.api_helpers import eventually


def test_a_worker_that_cannot_be_started_again_at_once_is_tried_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    workers = WorkerProcess(tmp_path, 0.0)
    workers.start()
    first, spawn = workers._process, workers._spawn
    assert first is not None
    errors = iter([OSError("no process to be had")])

    def fail_at_first() -> None:
        for error in errors:
            raise error
        spawn()

    monkeypatch.setattr(workers, "_spawn", fail_at_first)
    first.kill()
    second = eventually(lambda: workers._process, lambda process: process is not first)
    assert second is not None
    assert second.is_alive()
    workers.stop()
    assert "no process to be had" in caplog.text


def add_failing_job(database: Database) -> None:
    """A job with the maximum number of attempts."""
    with database.write() as connection:
        jobs.add(connection, StoredJobKind.EXPORT, lane="batch 1", subject=1, now=0)
        for _attempt in range(worker.MAX_ATTEMPTS):
            jobs.count_attempt(connection, 1)


def test_a_failed_job_stays_failed_while_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")

    def fails(_handler: Export, _context: JobContext, _job: StoredJob, _reason: str) -> None:
        raise full

    monkeypatch.setattr(Export, "fail", fails)
    with closing(open_database(tmp_path)) as database:
        add_failing_job(database)
        assert Worker(JobContext(database, Blobs(tmp_path), lambda: 0), 0).run_next()
        with database.read() as connection:
            job = jobs.next_due(connection, 60_000, 0)
    assert job is not None
    assert job.attempts >= worker.MAX_ATTEMPTS


def test_a_job_whose_failure_cannot_be_recorded_is_logged_and_retried_with_growing_delays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(_handler: Export, _context: JobContext, _job: StoredJob, _reason: str) -> None:
        raise LookupError("no such export")

    monkeypatch.setattr(Export, "fail", fails)
    now, rests = 0, []
    with closing(open_database(tmp_path)) as database:
        add_failing_job(database)
        hands = Worker(JobContext(database, Blobs(tmp_path), lambda: now), 0)
        for attempt in range(worker.MAX_ATTEMPTS + 1, worker.MAX_ATTEMPTS + 7):
            assert hands.run_next()
            assert not hands.run_next()
            log = caplog.text
            caplog.clear()
            assert f"Job 1 (export 1) could not be stopped, at attempt {attempt}." in log
            assert "LookupError: no such export" in log
            rests.append(int((hands.seconds_to_next() or 0) * 1000))
            now += rests[-1]
    assert rests == [25_600, 51_200, 102_400, 204_800, 300_000, 300_000]


@pytest.mark.parametrize("delay", [0, clock.HOUR])
def test_a_job_that_was_added_while_the_clock_was_ahead_runs_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, delay: int
) -> None:
    def fails(_handler: Export, _context: JobContext, _job: StoredJob) -> None:
        raise LookupError("no such export")

    monkeypatch.setattr(Export, "run", fails)
    with closing(open_database(tmp_path)) as database:
        with database.write() as connection:
            jobs.add(connection, StoredJobKind.EXPORT, lane="export 1", subject=1, now=2 * clock.HOUR)
        hands = Worker(JobContext(database, Blobs(tmp_path), lambda: 0), delay)
        assert hands.run_next()
        assert not hands.run_next(), "it is postponed by the clock of now"
        assert 0 < (hands.seconds_to_next() or 0) <= clock.HOUR / clock.SECOND
