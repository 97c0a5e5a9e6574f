"""Jobs that a service accepts but does not start."""

import asyncio
from collections.abc import Iterator

import pytest

from batchwright.client.job_monitoring.monitors import StartLimits, StartMonitor
from batchwright.client.job_monitoring.status import JobKind, JobOutcome, JobStatus

LIMITS = StartLimits(late_s=30, never_s=600)


def status(kind: JobKind, *polls: tuple[float, str]) -> list[tuple[str, bool, JobOutcome | None]]:
    """State, lateness and ending that looks at these moments show, in seconds, of a job in these states."""
    moments: Iterator[float] = iter([moment for moment, _state in polls])
    states = iter([state for _moment, state in polls])

    async def look() -> JobStatus:
        state = next(states)
        return JobStatus(state, JobOutcome.DONE if state == "complete" else None)

    now = 0.0
    watcher = StartMonitor(kind, look, LIMITS, lambda: now)
    found = []
    for moment in moments:
        now = moment
        found.append(asyncio.run(watcher.fetch()))
    return [(entry.state, entry.is_late, entry.outcome) for entry in found]


@pytest.mark.parametrize(
    ("kind", "state"),
    [
        (JobKind.IMPORT, "uninitialised"),
        (JobKind.PROCESSING, "UNINITIALISED"),
        (JobKind.SETUP, "UNINITIALISED"),
    ],
)
def test_a_job_that_does_not_start_is_late_after_a_while_and_ends_after_a_long_one(
    kind: JobKind, state: str
) -> None:
    assert status(kind, (0, state), (29, state), (30, state), (599, state), (600, state)) == [
        (state, False, None),
        (state, False, None),
        (state, True, None),
        (state, True, None),
        (state, False, JobOutcome.NOT_STARTED),
    ]


def test_a_job_that_starts_late_continues() -> None:
    polls = [(0, "uninitialised"), (40, "uninitialised"), (50, "processing"), (9000, "complete")]
    assert [entry[1:] for entry in status(JobKind.IMPORT, *polls)] == [
        (False, None),
        (True, None),
        (False, None),
        (False, JobOutcome.DONE),
    ]


def test_a_job_may_wait_for_its_turn_as_long_as_it_takes() -> None:
    assert status(JobKind.SYNC, (0, "queued"), (90_000, "queued"))[-1] == ("queued", False, None)


def test_the_time_counts_from_the_first_poll() -> None:
    assert status(JobKind.SETUP, (5000, "UNINITIALISED"))[-1] == ("UNINITIALISED", False, None)


def test_the_time_without_a_network_does_not_count() -> None:
    """Else a job would be given up at the first look after an outage of ten minutes."""
    polls: Iterator[tuple[float, str | None]] = iter(
        [(0, "UNINITIALISED"), (20, None), (900, "UNINITIALISED"), (931, "UNINITIALISED")]
    )
    now = 0.0

    async def look() -> JobStatus:
        nonlocal now
        now, state = next(polls)
        if state is None:
            raise ConnectionError
        return JobStatus(state)

    watcher = StartMonitor(JobKind.SETUP, look, LIMITS, lambda: now)
    assert not asyncio.run(watcher.fetch()).is_late
    with pytest.raises(ConnectionError):
        asyncio.run(watcher.fetch())
    after = asyncio.run(watcher.fetch())
    assert (after.is_late, after.outcome) == (False, None)
    assert asyncio.run(watcher.fetch()).is_late
