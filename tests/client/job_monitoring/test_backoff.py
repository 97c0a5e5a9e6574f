"""Poll intervals grow up to 15 seconds, and long ones end at the same time."""

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.client.job_monitoring.backoff import MAX_PAUSE_S, POLL_ALIGNMENT_S, align_to_beat, backoff


@given(st.integers(1, 200))
def test_backoff_grows_from_one_second_to_fifteen_and_never_ends(count: int) -> None:
    pauses = list(islice(backoff(), count))
    assert len(pauses) == count
    assert 0.8 <= pauses[0] <= 1
    assert all(0.8 <= pause <= 15 for pause in pauses)
    assert all(pause >= 12 for pause in pauses[8:])


@given(st.floats(2 * POLL_ALIGNMENT_S, MAX_PAUSE_S), st.floats(0, 1e6))
def test_long_intervals_end_at_a_multiple_of_the_alignment_within_bounds(pause: float, now: float) -> None:
    ends = now + align_to_beat(pause, now)
    assert ends / POLL_ALIGNMENT_S == pytest.approx(round(ends / POLL_ALIGNMENT_S), abs=1e-6, rel=0)
    assert ends - now + 1e-6 >= 2 * POLL_ALIGNMENT_S
    assert ends - now <= MAX_PAUSE_S + 1e-6


@given(st.floats(0, 2 * POLL_ALIGNMENT_S, exclude_max=True), st.floats(0, 1e6))
def test_short_intervals_are_not_aligned(pause: float, now: float) -> None:
    assert align_to_beat(pause, now) == pause


def test_a_new_longest_pause_takes_effect_with_the_next_pause() -> None:
    longest = 5.0
    pauses = backoff(longest=lambda: longest)
    list(islice(pauses, 20))
    assert next(pauses) <= 5
    longest = 60.0
    assert max(islice(pauses, 20)) > 40
    longest = 5.0
    next(pauses)
    assert next(pauses) <= 5


@given(st.floats(20, 300), st.floats(0, 10_000))
def test_a_pause_that_is_aligned_stays_within_the_chosen_one(pause: float, now: float) -> None:
    assert pause - POLL_ALIGNMENT_S - 1e-6 <= align_to_beat(pause, now) <= pause + 1e-6
