"""Transfer rates: newer measurements count more, and a restarted transfer starts a new measurement."""

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.client.job_monitoring.transfer_rate import UNKNOWN, TransferRate

STEPS = st.lists(st.tuples(st.floats(0.01, 30), st.integers(0, 1 << 30)), min_size=1, max_size=40)
"""Durations in seconds, and the bytes transferred in each."""


def rate_after(steps: list[tuple[float, int]], started: float = 0.0) -> TransferRate:
    """The transfer rate after some steps."""
    rate = UNKNOWN.after(0, started)
    moments = accumulate((seconds for seconds, _moved in steps), initial=started)
    sums = accumulate((moved for _seconds, moved in steps), initial=0)
    for moment, done in zip(moments, sums, strict=True):
        rate = rate.after(done, moment)
    return rate


@given(st.floats(1, 1e10), st.lists(st.floats(0.5, 30), min_size=1, max_size=40))
def test_a_steady_connection_has_its_speed(speed: float, durations: list[float]) -> None:
    steps = [(seconds, round(speed * seconds)) for seconds in durations]
    assert rate_after(steps).speed == pytest.approx(speed, rel=1e-6, abs=2)


@given(STEPS)
def test_a_speed_is_between_the_slowest_and_the_fastest_measured(
    steps: list[tuple[float, int]],
) -> None:
    long_enough = [(seconds + 0.5, moved) for seconds, moved in steps]
    speeds = [moved / seconds for seconds, moved in long_enough]
    speed = rate_after(long_enough).speed
    assert speed is not None
    assert min(speeds) - 1e-6 <= speed <= max(speeds) * (1 + 1e-9) + 1e-6


@given(STEPS, st.floats(-1e6, 1e6))
def test_the_speed_is_independent_of_the_start_of_the_clock(
    steps: list[tuple[float, int]], started: float
) -> None:
    long_enough = [(seconds + 0.5, moved) for seconds, moved in steps]
    assert rate_after(long_enough, started).speed == pytest.approx(
        rate_after(long_enough).speed, rel=1e-3, abs=1
    )


@given(STEPS, st.integers(1, 1 << 40))
def test_twice_as_many_remaining_bytes_take_twice_as_long(
    steps: list[tuple[float, int]], remaining: int
) -> None:
    rate = rate_after(steps)
    fewer, more = rate.seconds_for(remaining), rate.seconds_for(2 * remaining)
    assert (fewer is None) == (not rate.speed)
    if fewer is not None and more is not None:
        assert more == pytest.approx(2 * fewer)


@given(STEPS)
def test_a_file_that_restarts_has_no_speed_yet(steps: list[tuple[float, int]]) -> None:
    rate = rate_after([*steps, (1.0, 1)])
    assert rate.after(0, 1e9).speed is None


def test_after_a_minute_only_the_new_speed_counts() -> None:
    fast, slow = [(1.0, 1_000_000)] * 60, [(1.0, 1_000)] * 60
    speed = rate_after(fast + slow).speed
    assert speed is not None
    assert 1_000 <= speed < 1_020


def test_there_is_no_speed_in_the_first_half_second() -> None:
    assert rate_after([(0.1, 1_000)] * 4).speed is None
    assert rate_after([(0.1, 1_000)] * 4).seconds_for(1) is None
