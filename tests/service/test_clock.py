"""Times in milliseconds and in responses."""

from hypothesis import given
from hypothesis.strategies import integers

from batchwright.service.clock import timestamp
from batchwright.wire.timestamps import from_milliseconds, write_timestamp

LAST = 253_402_300_799_999
"""The end of the year 9999."""


@given(milliseconds=integers(0, LAST))
def test_a_time_in_milliseconds_is_written_as_a_timestamp(milliseconds: int) -> None:
    assert timestamp(milliseconds) == write_timestamp(from_milliseconds(milliseconds))
