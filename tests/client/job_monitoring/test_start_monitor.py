"""Jobs that a service accepts but does not start."""

from collections.abc import Iterator

import pytest

from batchwright.client.job_monitoring.monitors import StartLimits, StartMonitor
from batchwright.client.job_monitoring.status import JobKind, JobOutcome, JobStatus

LIMITS = StartLimits(late_s=30, never_s=600)


async def statuses_at(kind: JobKind, *polls: tuple[float, str]) -> list[tuple[str, bool, JobOutcome | None]]:
    """State, lateness and outcome from polls of a job at these times, in seconds, and in these states."""
    moments: Iterator[float] = iter([moment for moment, _state in polls])
    states = iter([state for _moment, state in polls])

    async def fetch() -> JobStatus:
        state = next(states)
        return JobStatus(state, JobOutcome.DONE if state == "complete" else None)

    now = 0.0
    monitor = StartMonitor(kind, fetch, LIMITS, lambda: now)
    statuses = []
    for moment in moments:
        now = moment
        statuses.append(await monitor.fetch())
    return [(entry.state, entry.is_late, entry.outcome) for entry in statuses]


@pytest.mark.parametrize(
    ("kind", "state"),
    [
        (JobKind.IMPORT, "uninitialised"),
        (JobKind.PROCESSING, "UNINITIALISED"),
        (JobKind.SETUP, "UNINITIALISED"),
    ],
)
async def test_a_job_that_does_not_start_is_first_late_and_finally_not_started(
    kind: JobKind, state: str
) -> None:
    assert await statuses_at(kind, (0, state), (29, state), (30, state), (599, state), (600, state)) == [
        (state, False, None),
        (state, False, None),
        (state, True, None),
        (state, True, None),
        (state, False, JobOutcome.NOT_STARTED),
    ]


async def test_a_job_that_starts_late_continues() -> None:
    polls = [(0, "uninitialised"), (40, "uninitialised"), (50, "processing"), (9000, "complete")]
    assert [entry[1:] for entry in await statuses_at(JobKind.IMPORT, *polls)] == [
        (False, None),
        (True, None),
        (False, None),
        (False, JobOutcome.DONE),
    ]


async def test_a_queued_job_may_wait_without_limit() -> None:
    assert (await statuses_at(JobKind.SYNC, (0, "queued"), (90_000, "queued")))[-1] == ("queued", False, None)


async def test_the_limits_count_from_the_first_poll() -> None:
    assert (await statuses_at(JobKind.SETUP, (5000, "UNINITIALISED")))[-1] == ("UNINITIALISED", False, None)


async def test_time_without_a_network_does_not_count() -> None:
    """Otherwise a job would be abandoned at the first poll after an outage of ten minutes."""
    polls: Iterator[tuple[float, str | None]] = iter(
        [(0, "UNINITIALISED"), (20, None), (900, "UNINITIALISED"), (931, "UNINITIALISED")]
    )
    now = 0.0

    async def fetch() -> JobStatus:
        nonlocal now
        now, state = next(polls)
        if state is None:
            raise ConnectionError
        return JobStatus(state)

    monitor = StartMonitor(JobKind.SETUP, fetch, LIMITS, lambda: now)
    assert not (await monitor.fetch()).is_late
    with pytest.raises(ConnectionError):
        await monitor.fetch()
    after = await monitor.fetch()
    assert (after.is_late, after.outcome) == (False, None)
    assert (await monitor.fetch()).is_late
