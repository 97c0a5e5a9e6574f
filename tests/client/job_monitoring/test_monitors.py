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
    """Stands for a service that asks to be left alone for an hour."""


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
    """Notes on one row of the program's database."""

    def __init__(self, rows: JobRows, row_id: int) -> None:
        self._rows = rows
        self._number = row_id

    async def record_status(self, status: JobStatus) -> None:
        await asyncio.to_thread(self._rows.record, self._number, status.state, status.detail, status.outcome)

    async def record_failure(self, failure: PollFailure, reason: str) -> None:
        await asyncio.to_thread(self._rows.record_failure, self._number, f"{failure.name} {reason}".strip())


class ScriptedPolls:
    """Looks at a job that show what was said, one after another."""

    def __init__(self, *script: JobStatus | Exception) -> None:
        self._script = iter(script)

    async def __call__(self) -> JobStatus:
        result = next(self._script)
        if isinstance(result, Exception):
            raise result
        return result


def no_intervals() -> Iterable[float]:
    """As many as needed, all of no time."""
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
    """A job that nobody has looked at."""
    return rows.add("here", JobKind.IMPORT, {"dataset_id": "d", "import_id": "i"}, "pairs.csv").row_id


def watcher(
    rows: JobRows,
    row_id: int,
    fetch: ScriptedPolls,
    poll_intervals: Callable[[], Iterable[float]] = no_intervals,
) -> list[JobStatus | PollFailure]:
    """Everything a monitor shows."""

    async def jobs() -> list[JobStatus | PollFailure]:
        poller = JobPoller(fetch, RowRecorder(rows, row_id), classify, poll_intervals)
        return [seen async for seen in poller.statuses()]

    return asyncio.run(jobs())


def test_a_monitor_shows_each_change_once_and_ends_with_the_job(rows: JobRows) -> None:
    statuses = watcher(rows, new_job(rows), ScriptedPolls(QUEUED, QUEUED, RUNNING, DONE))
    assert statuses == [QUEUED, RUNNING, DONE]


def test_what_was_seen_is_on_disk_before_it_is_shown(rows: JobRows) -> None:
    async def jobs() -> list[str | None]:
        row_id = new_job(rows)
        poller = JobPoller(
            ScriptedPolls(QUEUED, RUNNING, DONE), RowRecorder(rows, row_id), classify, no_intervals
        )
        kept = []
        async for _seen in poller.statuses():
            row = rows.get(row_id)
            assert row is not None
            kept.append(row.state)
        return kept

    assert asyncio.run(jobs()) == ["queued", "processing", "complete"]


def test_after_a_restart_another_monitor_takes_over_from_the_row(tmp_path: Path) -> None:
    first = open_database(tmp_path)
    row_id = new_job(JobRows(first))
    with pytest.raises(RuntimeError):
        # The looks run out: the program dies here.
        watcher(JobRows(first), row_id, ScriptedPolls(QUEUED, RUNNING))
    first.close()

    second = open_database(tmp_path)
    rows = JobRows(second)
    (row,) = rows.open("here")
    assert (row.row_id, row.kind, row.state) == (row_id, JobKind.IMPORT, "processing")
    assert row.subject == {"dataset_id": "d", "import_id": "i"}
    assert watcher(rows, row.row_id, ScriptedPolls(DONE)) == [DONE]
    assert rows.open() == []
    second.close()


def test_a_poll_failure_is_reported_recorded_and_waited_out(rows: JobRows) -> None:
    row_id = new_job(rows)
    statuses = watcher(
        rows, row_id, ScriptedPolls(QUEUED, Offline("no network"), Offline("no network"), DONE)
    )
    assert statuses == [QUEUED, PollFailure.OFFLINE, DONE]
    row = rows.get(row_id)
    assert row is not None
    assert (row.state, row.poll_error, row.outcome) == ("complete", None, "done")


def test_a_failed_poll_is_recorded_until_the_next_successful_one(rows: JobRows) -> None:
    row_id = new_job(rows)
    with pytest.raises(RuntimeError):
        watcher(rows, row_id, ScriptedPolls(QUEUED, Offline("no network")))
    row = rows.get(row_id)
    assert row is not None
    assert (row.state, row.poll_error) == ("queued", "OFFLINE no network")


def test_without_a_token_nothing_is_asked_until_a_poll_is_requested(rows: JobRows) -> None:
    async def jobs() -> list[JobStatus | PollFailure]:
        poller = JobPoller(
            ScriptedPolls(SignedOut(), DONE), RowRecorder(rows, new_job(rows)), classify, no_intervals
        )
        statuses = []
        async for seen in poller.statuses():
            statuses.append(seen)
            asyncio.get_running_loop().call_soon(poller.poll_now)
        return statuses

    assert asyncio.run(jobs()) == [PollFailure.SIGNED_OUT, DONE]


def test_a_service_that_asks_to_wait_is_left_alone_for_as_long(rows: JobRows) -> None:
    async def jobs() -> tuple[list[JobStatus | PollFailure], float]:
        poller = JobPoller(
            ScriptedPolls(Busy(), DONE), RowRecorder(rows, new_job(rows)), classify, no_intervals
        )
        loop, statuses = asyncio.get_running_loop(), []
        wait: list[float] = []

        def look_now() -> None:
            assert poller.next_poll_at is not None
            wait.append(poller.next_poll_at - loop.time())
            poller.poll_now()

        async for seen in poller.statuses():
            statuses.append(seen)
            loop.call_soon(look_now)
        return statuses, wait[0]

    statuses, wait = asyncio.run(jobs())
    assert statuses == [PollFailure.RATE_LIMITED, DONE]
    assert wait == pytest.approx(HOUR, abs=60)


def test_a_job_that_the_service_does_not_know_ends_with_a_word(rows: JobRows) -> None:
    row_id = new_job(rows)
    (seen,) = watcher(rows, row_id, ScriptedPolls(Gone("404")))
    assert isinstance(seen, JobStatus)
    assert seen.outcome is JobOutcome.GONE
    row = rows.get(row_id)
    assert row is not None
    assert row.outcome == "gone"


def test_a_defect_of_the_program_is_raised_and_not_waited_out(rows: JobRows) -> None:
    with pytest.raises(ZeroDivisionError):
        watcher(rows, new_job(rows), ScriptedPolls(ZeroDivisionError()))


def test_an_unknown_state_is_shown_and_monitored_further(rows: JobRows) -> None:
    odd = JobStatus("resting")
    assert watcher(rows, new_job(rows), ScriptedPolls(odd, DONE)) == [odd, DONE]


def test_pauses_start_again_after_a_change(rows: JobRows) -> None:
    started = 0

    def poll_intervals() -> Iterable[float]:
        nonlocal started
        started += 1
        return repeat(0)

    watcher(rows, new_job(rows), ScriptedPolls(QUEUED, QUEUED, QUEUED, RUNNING, DONE), poll_intervals)
    assert started == 4


def test_a_stopped_monitor_looks_no_more(rows: JobRows) -> None:
    async def jobs() -> list[JobStatus | PollFailure]:
        poller = JobPoller(
            ScriptedPolls(QUEUED), RowRecorder(rows, new_job(rows)), classify, lambda: repeat(3600)
        )
        statuses = []
        async for seen in poller.statuses():
            statuses.append(seen)
            asyncio.get_running_loop().call_soon(poller.stop)
        return statuses

    assert asyncio.run(jobs()) == [QUEUED]


class FullDisk(Exception):
    """Stands for a disk that is full."""


class ForgetfulNotes:
    """Notes that cannot be kept as long as the disk is full."""

    def __init__(self, fails: int) -> None:
        self._fails = fails
        self.kept: list[JobStatus | PollFailure] = []

    async def record_status(self, status: JobStatus) -> None:
        self._keep(status)

    async def record_failure(self, failure: PollFailure, reason: str) -> None:
        self._keep(failure)

    def _keep(self, seen: JobStatus | PollFailure) -> None:
        if self._fails:
            self._fails -= 1
            raise FullDisk
        self.kept.append(seen)


def test_what_cannot_be_stored_is_stored_later_and_ends_no_watch() -> None:
    def full_or(error: Exception) -> PollDecision | None:
        return PollDecision(PollFailure.NOT_STORED) if isinstance(error, FullDisk) else classify(error)

    notes = ForgetfulNotes(2)

    async def jobs() -> list[JobStatus | PollFailure]:
        poller = JobPoller(ScriptedPolls(RUNNING, Offline(), RUNNING, DONE), notes, full_or, no_intervals)
        return [seen async for seen in poller.statuses()]

    assert asyncio.run(jobs()) == [PollFailure.NOT_STORED, RUNNING, DONE]
    assert notes.kept == [RUNNING, DONE]


class WallClock:
    """A clock on the wall that jumps after so many looks at it."""

    def __init__(self, jump: float, after: int = 2) -> None:
        self._now, self._jump, self._left = 1e9, jump, after

    def __call__(self) -> float:
        self._left -= 1
        return self._now + (self._jump if self._left < 0 else 0)


def woken(rows: JobRows, clock: WallClock, pause: float) -> list[JobStatus | PollFailure]:
    async def jobs() -> list[JobStatus | PollFailure]:
        polls = ScriptedPolls(Busy() if pause == HOUR else QUEUED, DONE)
        poll_intervals = no_intervals if pause == HOUR else lambda: repeat(pause)
        poller = JobPoller(polls, RowRecorder(rows, new_job(rows)), classify, poll_intervals, clock)
        return [seen async for seen in poller.statuses()]

    return asyncio.run(asyncio.wait_for(jobs(), 30))


def test_a_laptop_that_slept_through_the_wait_looks_when_it_wakes(
    rows: JobRows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("batchwright.client.job_monitoring.monitors._MAX_SLEEP_S", 0.01)
    assert woken(rows, WallClock(2 * HOUR), HOUR) == [PollFailure.RATE_LIMITED, DONE]


@pytest.mark.parametrize("jump", [-2 * HOUR, HOUR * 24 * 365])
def test_a_clock_that_jumps_does_no_harm(jump: float, rows: JobRows) -> None:
    assert woken(rows, WallClock(jump, after=1), 0.05) == [QUEUED, DONE]


class SleepingLoop(asyncio.SelectorEventLoop):
    """A loop on a laptop whose steady clock goes on while it sleeps."""

    slept = 0.0

    def time(self) -> float:
        return super().time() + self.slept

    def sleep(self) -> None:
        self.slept += 8 * HOUR


def test_a_laptop_that_slept_in_a_pause_continues_where_it_was(rows: JobRows) -> None:
    loops: list[SleepingLoop] = []

    def new_loop() -> SleepingLoop:
        loops.append(SleepingLoop())
        return loops[0]

    async def jobs() -> list[JobStatus | PollFailure]:
        polls, notes = (
            ScriptedPolls(QUEUED, Offline("the network is not back"), DONE),
            RowRecorder(rows, new_job(rows)),
        )
        poller = JobPoller(polls, notes, classify, lambda: repeat(HOUR))
        statuses = []
        async for seen in poller.statuses():
            statuses.append(seen)
            loops[0].call_soon(loops[0].sleep)
        return statuses

    with asyncio.Runner(loop_factory=new_loop) as runner:
        assert runner.run(jobs()) == [QUEUED, PollFailure.OFFLINE, DONE]


def test_a_failed_poll_is_logged_once_with_its_traceback(
    rows: JobRows, caplog: pytest.LogCaptureFixture
) -> None:
    offline = Offline("no network")
    with caplog.at_level(logging.INFO, logger="batchwright"):
        watcher(rows, new_job(rows), ScriptedPolls(offline, offline, QUEUED, offline, DONE))
    failed = [record for record in caplog.records if "poll failed" in record.message]
    assert [record.exc_info[1] for record in failed if record.exc_info] == [offline, offline]
