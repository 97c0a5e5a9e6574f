"""Pauses between looks grow, up to a quarter of a minute."""

from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from batchwright.jobs.polling import backoff


@given(st.integers(1, 200))
def test_backoff_grows_from_one_second_to_fifteen_and_never_ends(count: int) -> None:
    pauses = list(islice(backoff(), count))
    assert len(pauses) == count
    assert 0.8 <= pauses[0] <= 1
    assert all(0.8 <= pause <= 15 for pause in pauses)
    assert all(pause >= 12 for pause in pauses[8:])
