"""Monitors: they keep what they see, wait out bad weather, and another one takes over after a restart."""

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
VERDICTS = {
    Offline: PollDecision(PollFailure.OFFLINE),
    SignedOut: PollDecision(PollFailure.SIGNED_OUT),
    Gone: PollDecision(PollFailure.GONE),
    Busy: PollDecision(PollFailure.RATE_LIMITED, HOUR),
}


def judge(error: Exception) -> PollDecision | None:
    """What the failures above mean."""
    return VERDICTS.get(type(error))


class RowNotes:
    """Notes on one row of the program's database."""

    def __init__(self, rows: JobRows, number: int) -> None:
        self._rows = rows
        self._number = number

    async def record_status(self, status: JobStatus) -> None:
        await asyncio.to_thread(self._rows.record, self._number, status.state, status.detail, status.outcome)

    async def record_failure(self, failure: PollFailure, reason: str) -> None:
        await asyncio.to_thread(self._rows.record_failure, self._number, f"{failure.name} {reason}".strip())


class Looks:
    """Looks at a job that show what was said, one after another."""

    def __init__(self, *script: JobStatus | Exception) -> None:
        self._script = iter(script)

    async def __call__(self) -> JobStatus:
        seen = next(self._script)
        if isinstance(seen, Exception):
            raise seen
        return seen


def no_pauses() -> Iterable[float]:
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


def watch(
    rows: JobRows, number: int, look: Looks, pauses: Callable[[], Iterable[float]] = no_pauses
) -> list[JobStatus | PollFailure]:
    """Everything a monitor shows."""

    async def jobs() -> list[JobStatus | PollFailure]:
        monitor = JobPoller(look, RowNotes(rows, number), judge, pauses)
        return [seen async for seen in monitor.statuses()]

    return asyncio.run(jobs())


def test_a_monitor_shows_each_change_once_and_ends_with_the_job(rows: JobRows) -> None:
    shown = watch(rows, new_job(rows), Looks(QUEUED, QUEUED, RUNNING, DONE))
    assert shown == [QUEUED, RUNNING, DONE]


def test_what_was_seen_is_on_disk_before_it_is_shown(rows: JobRows) -> None:
    async def jobs() -> list[str | None]:
        number = new_job(rows)
        monitor = JobPoller(Looks(QUEUED, RUNNING, DONE), RowNotes(rows, number), judge, no_pauses)
        kept = []
        async for _seen in monitor.statuses():
            row = rows.get(number)
            assert row is not None
            kept.append(row.state)
        return kept

    assert asyncio.run(jobs()) == ["queued", "processing", "complete"]


def test_after_a_restart_another_monitor_takes_over_from_the_row(tmp_path: Path) -> None:
    first = open_database(tmp_path)
    number = new_job(JobRows(first))
    with pytest.raises(RuntimeError):
        # The looks run out: the program dies here.
        watch(JobRows(first), number, Looks(QUEUED, RUNNING))
    first.close()

    second = open_database(tmp_path)
    rows = JobRows(second)
    (row,) = rows.open("here")
    assert (row.row_id, row.kind, row.state) == (number, JobKind.IMPORT, "processing")
    assert row.subject == {"dataset_id": "d", "import_id": "i"}
    assert watch(rows, row.row_id, Looks(DONE)) == [DONE]
    assert rows.open() == []
    second.close()


def test_bad_weather_is_shown_kept_and_waited_out(rows: JobRows) -> None:
    number = new_job(rows)
    shown = watch(rows, number, Looks(QUEUED, Offline("no network"), Offline("no network"), DONE))
    assert shown == [QUEUED, PollFailure.OFFLINE, DONE]
    row = rows.get(number)
    assert row is not None
    assert (row.state, row.poll_error, row.outcome) == ("complete", None, "done")


def test_a_failed_look_stands_in_the_row_until_the_next_good_one(rows: JobRows) -> None:
    number = new_job(rows)
    with pytest.raises(RuntimeError):
        watch(rows, number, Looks(QUEUED, Offline("no network")))
    row = rows.get(number)
    assert row is not None
    assert (row.state, row.poll_error) == ("queued", "OFFLINE no network")


def test_without_a_token_nothing_is_asked_until_somebody_says_so(rows: JobRows) -> None:
    async def jobs() -> list[JobStatus | PollFailure]:
        monitor = JobPoller(Looks(SignedOut(), DONE), RowNotes(rows, new_job(rows)), judge, no_pauses)
        shown = []
        async for seen in monitor.statuses():
            shown.append(seen)
            asyncio.get_running_loop().call_soon(monitor.poll_now)
        return shown

    assert asyncio.run(jobs()) == [PollFailure.SIGNED_OUT, DONE]


def test_a_service_that_asks_to_wait_is_left_alone_for_as_long(rows: JobRows) -> None:
    async def jobs() -> tuple[list[JobStatus | PollFailure], float]:
        monitor = JobPoller(Looks(Busy(), DONE), RowNotes(rows, new_job(rows)), judge, no_pauses)
        loop, shown = asyncio.get_running_loop(), []
        wait: list[float] = []

        def look_now() -> None:
            assert monitor.next_poll_at is not None
            wait.append(monitor.next_poll_at - loop.time())
            monitor.poll_now()

        async for seen in monitor.statuses():
            shown.append(seen)
            loop.call_soon(look_now)
        return shown, wait[0]

    shown, wait = asyncio.run(jobs())
    assert shown == [PollFailure.RATE_LIMITED, DONE]
    assert wait == pytest.approx(HOUR, abs=60)


def test_a_job_that_the_service_does_not_know_ends_with_a_word(rows: JobRows) -> None:
    number = new_job(rows)
    (seen,) = watch(rows, number, Looks(Gone("404")))
    assert isinstance(seen, JobStatus)
    assert seen.outcome is JobOutcome.GONE
    row = rows.get(number)
    assert row is not None
    assert row.outcome == "gone"


def test_a_fault_of_ours_is_raised_and_not_waited_out(rows: JobRows) -> None:
    with pytest.raises(ZeroDivisionError):
        watch(rows, new_job(rows), Looks(ZeroDivisionError()))


def test_an_unknown_state_is_shown_and_watched_on(rows: JobRows) -> None:
    odd = JobStatus("resting")
    assert watch(rows, new_job(rows), Looks(odd, DONE)) == [odd, DONE]


def test_pauses_begin_again_after_a_change(rows: JobRows) -> None:
    begun = 0

    def pauses() -> Iterable[float]:
        nonlocal begun
        begun += 1
        return repeat(0)

    watch(rows, new_job(rows), Looks(QUEUED, QUEUED, QUEUED, RUNNING, DONE), pauses)
    assert begun == 4


def test_a_stopped_monitor_looks_no_more(rows: JobRows) -> None:
    async def jobs() -> list[JobStatus | PollFailure]:
        monitor = JobPoller(Looks(QUEUED), RowNotes(rows, new_job(rows)), judge, lambda: repeat(3600))
        shown = []
        async for seen in monitor.statuses():
            shown.append(seen)
            asyncio.get_running_loop().call_soon(monitor.stop)
        return shown

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


def test_what_cannot_be_kept_is_kept_later_and_ends_no_watch() -> None:
    def full_or(error: Exception) -> PollDecision | None:
        return PollDecision(PollFailure.NOT_STORED) if isinstance(error, FullDisk) else judge(error)

    notes = ForgetfulNotes(2)

    async def jobs() -> list[JobStatus | PollFailure]:
        monitor = JobPoller(Looks(RUNNING, Offline(), RUNNING, DONE), notes, full_or, no_pauses)
        return [seen async for seen in monitor.statuses()]

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
        looks = Looks(Busy() if pause == HOUR else QUEUED, DONE)
        pauses = no_pauses if pause == HOUR else lambda: repeat(pause)
        monitor = JobPoller(looks, RowNotes(rows, new_job(rows)), judge, pauses, clock)
        return [seen async for seen in monitor.statuses()]

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


def test_a_laptop_that_slept_in_a_pause_goes_on_where_it_was(rows: JobRows) -> None:
    loops: list[SleepingLoop] = []

    def new_loop() -> SleepingLoop:
        loops.append(SleepingLoop())
        return loops[0]

    async def jobs() -> list[JobStatus | PollFailure]:
        looks, notes = Looks(QUEUED, Offline("the network is not back"), DONE), RowNotes(rows, new_job(rows))
        monitor = JobPoller(looks, notes, judge, lambda: repeat(HOUR))
        shown = []
        async for seen in monitor.statuses():
            shown.append(seen)
            loops[0].call_soon(loops[0].sleep)
        return shown

    with asyncio.Runner(loop_factory=new_loop) as runner:
        assert runner.run(jobs()) == [QUEUED, PollFailure.OFFLINE, DONE]


def test_a_failed_poll_is_logged_once_with_its_traceback(
    rows: JobRows, caplog: pytest.LogCaptureFixture
) -> None:
    offline = Offline("no network")
    with caplog.at_level(logging.INFO, logger="batchwright"):
        watch(rows, new_job(rows), Looks(offline, offline, QUEUED, offline, DONE))
    failed = [record for record in caplog.records if "poll failed" in record.message]
    assert [record.exc_info[1] for record in failed if record.exc_info] == [offline, offline]
