"""Pollers record each status, wait out failed polls, and are replaced by another one after a restart."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from itertools import repeat
from pathlib import Path

import pytest

from batchwright.base.database import Database
from batchwright.client.job_monitoring.monitors import JobPoller, PollDecision, PollFailure
from batchwright.client.job_monitoring.status import JobKind, JobOutcome, JobStatus
from batchwright.local.database import open_database
from batchwright.local.job_table import JobRows

QUEUED, RUNNING, DONE = (
    JobStatus("queued"),
    JobStatus("processing"),
    JobStatus("complete", JobOutcome.DONE, {"accepted_count": 2}),
)


class Offline(Exception):
    """Stands for a service that cannot be reached."""


class SignedOut(Exception):
    """Stands for a token that is not accepted."""


class Gone(Exception):
    """Stands for a job that the service does not know."""


class Busy(Exception):
    """Stands for a service that accepts no request for an hour."""


HOUR = 3600.0
DECISIONS = {
    Offline: PollDecision(PollFailure.OFFLINE),
    SignedOut: PollDecision(PollFailure.SIGNED_OUT),
    Gone: PollDecision(PollFailure.GONE),
    Busy: PollDecision(PollFailure.RATE_LIMITED, HOUR),
}


def classify(error: Exception) -> PollDecision | None:
    """What the failures above mean."""
    return DECISIONS.get(type(error))


class RowRecorder:
    """Records statuses in one row of the program's database."""

    def __init__(self, rows: JobRows, row_id: int) -> None:
        self._rows = rows
        self._row_id = row_id

    async def record_status(self, status: JobStatus) -> None:
        await asyncio.to_thread(self._rows.record, self._row_id, status.state, status.detail, status.outcome)

    async def record_failure(self, failure: PollFailure, reason: str) -> None:
        await asyncio.to_thread(self._rows.record_failure, self._row_id, f"{failure.name} {reason}".strip())


class ScriptedPolls:
    """Polls of a job with the given results, one after another."""

    def __init__(self, *script: JobStatus | Exception) -> None:
        self._script = iter(script)

    async def __call__(self) -> JobStatus:
        result = next(self._script)
        if isinstance(result, Exception):
            raise result
        return result


def no_intervals() -> Iterable[float]:
    """Endless intervals of zero seconds."""
    return repeat(0)


@pytest.fixture
def database(tmp_path: Path) -> Iterable[Database]:
    """The program's database in a fresh folder."""
    database = open_database(tmp_path)
    yield database
    database.close()


@pytest.fixture
def rows(database: Database) -> JobRows:
    """The jobs in it."""
    return JobRows(database)


def new_job(rows: JobRows) -> int:
    """The row of a job that has not been polled."""
    return rows.add("here", JobKind.IMPORT, {"dataset_id": "d", "import_id": "i"}, "pairs.csv").row_id


async def monitored_statuses(
    rows: JobRows,
    row_id: int,
    fetch: ScriptedPolls,
    poll_intervals: Callable[[], Iterable[float]] = no_intervals,
) -> list[JobStatus | PollFailure]:
    """Everything that a monitor reports."""

    poller = JobPoller(fetch, RowRecorder(rows, row_id), classify, poll_intervals)
    return [status async for status in poller.statuses()]


async def test_a_monitor_reports_each_change_once_and_ends_with_the_job(rows: JobRows) -> None:
    statuses = await monitored_statuses(rows, new_job(rows), ScriptedPolls(QUEUED, QUEUED, RUNNING, DONE))
    assert statuses == [QUEUED, RUNNING, DONE]


async def test_a_status_is_stored_before_it_is_reported(rows: JobRows) -> None:
    row_id = new_job(rows)
    poller = JobPoller(
        ScriptedPolls(QUEUED, RUNNING, DONE), RowRecorder(rows, row_id), classify, no_intervals
    )
    stored = []
    async for _status in poller.statuses():
        row = rows.get(row_id)
        assert row is not None
        stored.append(row.state)
    assert stored == ["queued", "processing", "complete"]


async def test_after_a_restart_a_new_monitor_continues_from_the_stored_row(tmp_path: Path) -> None:
    first = open_database(tmp_path)
    row_id = new_job(JobRows(first))
    with pytest.raises(RuntimeError):
        # The scripted polls run out: here the program dies.
        await monitored_statuses(JobRows(first), row_id, ScriptedPolls(QUEUED, RUNNING))
    first.close()

    second = open_database(tmp_path)
    rows = JobRows(second)
    (row,) = rows.open("here")
    assert (row.row_id, row.kind, row.state) == (row_id, JobKind.IMPORT, "processing")
    assert row.subject == {"dataset_id": "d", "import_id": "i"}
    assert await monitored_statuses(rows, row.row_id, ScriptedPolls(DONE)) == [DONE]
    assert rows.open() == []
    second.close()


async def test_polling_continues_after_a_failure_which_is_reported_and_recorded(rows: JobRows) -> None:
    row_id = new_job(rows)
    statuses = await monitored_statuses(
        rows, row_id, ScriptedPolls(QUEUED, Offline("no network"), Offline("no network"), DONE)
    )
    assert statuses == [QUEUED, PollFailure.OFFLINE, DONE]
    row = rows.get(row_id)
    assert row is not None
    assert (row.state, row.poll_error, row.outcome) == ("complete", None, "done")


async def test_a_failed_poll_is_recorded_until_the_next_successful_one(rows: JobRows) -> None:
    row_id = new_job(rows)
    with pytest.raises(RuntimeError):
        await monitored_statuses(rows, row_id, ScriptedPolls(QUEUED, Offline("no network")))
    row = rows.get(row_id)
    assert row is not None
    assert (row.state, row.poll_error) == ("queued", "OFFLINE no network")


async def test_without_a_token_nothing_is_polled_until_a_poll_is_requested(rows: JobRows) -> None:
    poller = JobPoller(
        ScriptedPolls(SignedOut(), DONE), RowRecorder(rows, new_job(rows)), classify, no_intervals
    )
    statuses = []
    async for status in poller.statuses():
        statuses.append(status)
        asyncio.get_running_loop().call_soon(poller.poll_now)
    assert statuses == [PollFailure.SIGNED_OUT, DONE]


async def test_a_rate_limited_monitor_waits_as_long_as_requested(rows: JobRows) -> None:
    poller = JobPoller(ScriptedPolls(Busy(), DONE), RowRecorder(rows, new_job(rows)), classify, no_intervals)
    loop, statuses = asyncio.get_running_loop(), []
    waits: list[float] = []

    def poll_early() -> None:
        assert poller.next_poll_at is not None
        waits.append(poller.next_poll_at - loop.time())
        poller.poll_now()

    async for status in poller.statuses():
        statuses.append(status)
        loop.call_soon(poll_early)
    assert statuses == [PollFailure.RATE_LIMITED, DONE]
    assert waits[0] == pytest.approx(HOUR, abs=60)


async def test_the_monitor_of_an_unknown_job_ends_and_records_it_as_gone(rows: JobRows) -> None:
    row_id = new_job(rows)
    (status,) = await monitored_statuses(rows, row_id, ScriptedPolls(Gone("404")))
    assert isinstance(status, JobStatus)
    assert status.outcome is JobOutcome.GONE
    row = rows.get(row_id)
    assert row is not None
    assert row.outcome == "gone"


async def test_a_bug_of_the_program_is_raised_and_not_retried(rows: JobRows) -> None:
    with pytest.raises(ZeroDivisionError):
        await monitored_statuses(rows, new_job(rows), ScriptedPolls(ZeroDivisionError()))


async def test_monitoring_continues_after_an_unknown_state(rows: JobRows) -> None:
    unknown = JobStatus("dormant")
    assert await monitored_statuses(rows, new_job(rows), ScriptedPolls(unknown, DONE)) == [unknown, DONE]


async def test_the_poll_intervals_restart_after_each_change(rows: JobRows) -> None:
    started = 0

    def poll_intervals() -> Iterable[float]:
        nonlocal started
        started += 1
        return repeat(0)

    await monitored_statuses(
        rows, new_job(rows), ScriptedPolls(QUEUED, QUEUED, QUEUED, RUNNING, DONE), poll_intervals
    )
    assert started == 4


async def test_a_stopped_monitor_does_not_poll(rows: JobRows) -> None:
    poller = JobPoller(
        ScriptedPolls(QUEUED), RowRecorder(rows, new_job(rows)), classify, lambda: repeat(3600)
    )
    statuses = []
    async for status in poller.statuses():
        statuses.append(status)
        asyncio.get_running_loop().call_soon(poller.stop)
    assert statuses == [QUEUED]


class FullDisk(Exception):
    """Stands for a disk that is full."""


class FailingRecorder:
    """A recorder whose first writes fail as on a full disk."""

    def __init__(self, fails: int) -> None:
        self._fails = fails
        self.recorded: list[JobStatus | PollFailure] = []

    async def record_status(self, status: JobStatus) -> None:
        self._record(status)

    async def record_failure(self, failure: PollFailure, reason: str) -> None:
        self._record(failure)

    def _record(self, result: JobStatus | PollFailure) -> None:
        if self._fails:
            self._fails -= 1
            raise FullDisk
        self.recorded.append(result)


async def test_a_status_that_cannot_be_stored_is_stored_later_and_monitoring_continues() -> None:
    def classify_full_disk(error: Exception) -> PollDecision | None:
        return PollDecision(PollFailure.NOT_STORED) if isinstance(error, FullDisk) else classify(error)

    recorder = FailingRecorder(2)

    poller = JobPoller(
        ScriptedPolls(RUNNING, Offline(), RUNNING, DONE), recorder, classify_full_disk, no_intervals
    )
    assert [status async for status in poller.statuses()] == [PollFailure.NOT_STORED, RUNNING, DONE]
    assert recorder.recorded == [RUNNING, DONE]


class WallClock:
    """A wall clock that jumps after it has been read `after` times."""

    def __init__(self, jump: float, after: int = 2) -> None:
        self._now, self._jump, self._reads_left = 1e9, jump, after

    def __call__(self) -> float:
        self._reads_left -= 1
        return self._now + (self._jump if self._reads_left < 0 else 0)


async def statuses_with_clock(rows: JobRows, clock: WallClock, pause: float) -> list[JobStatus | PollFailure]:
    async def run() -> list[JobStatus | PollFailure]:
        polls = ScriptedPolls(Busy() if pause == HOUR else QUEUED, DONE)
        poll_intervals = no_intervals if pause == HOUR else lambda: repeat(pause)
        poller = JobPoller(polls, RowRecorder(rows, new_job(rows)), classify, poll_intervals, clock)
        return [status async for status in poller.statuses()]

    return await asyncio.wait_for(run(), 30)


async def test_a_laptop_that_slept_past_the_poll_time_polls_when_it_wakes(
    rows: JobRows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("batchwright.client.job_monitoring.monitors._MAX_SLEEP_S", 0.01)
    assert await statuses_with_clock(rows, WallClock(2 * HOUR), HOUR) == [PollFailure.RATE_LIMITED, DONE]


@pytest.mark.parametrize("jump", [-2 * HOUR, HOUR * 24 * 365])
async def test_polling_continues_when_the_wall_clock_jumps(jump: float, rows: JobRows) -> None:
    assert await statuses_with_clock(rows, WallClock(jump, after=1), 0.05) == [QUEUED, DONE]


class SleepingLoop(asyncio.SelectorEventLoop):
    """An event loop on a laptop whose monotonic clock advances while it sleeps."""

    slept = 0.0

    def time(self) -> float:
        return super().time() + self.slept

    def sleep(self) -> None:
        self.slept += 8 * HOUR


def test_a_laptop_that_slept_between_polls_continues_polling(rows: JobRows) -> None:
    loops: list[SleepingLoop] = []

    def new_loop() -> SleepingLoop:
        loops.append(SleepingLoop())
        return loops[0]

    async def run() -> list[JobStatus | PollFailure]:
        polls, recorder = (
            ScriptedPolls(QUEUED, Offline("the network is not back"), DONE),
            RowRecorder(rows, new_job(rows)),
        )
        poller = JobPoller(polls, recorder, classify, lambda: repeat(HOUR))
        statuses = []
        async for status in poller.statuses():
            statuses.append(status)
            loops[0].call_soon(loops[0].sleep)
        return statuses

    with asyncio.Runner(loop_factory=new_loop) as runner:
        assert runner.run(run()) == [QUEUED, PollFailure.OFFLINE, DONE]


async def test_a_failed_poll_is_logged_once_with_its_traceback(
    rows: JobRows, caplog: pytest.LogCaptureFixture
) -> None:
    offline = Offline("no network")
    with caplog.at_level(logging.INFO, logger="batchwright"):
        await monitored_statuses(rows, new_job(rows), ScriptedPolls(offline, offline, QUEUED, offline, DONE))
    failed = [record for record in caplog.records if "poll failed" in record.message]
    assert [record.exc_info[1] for record in failed if record.exc_info] == [offline, offline]
