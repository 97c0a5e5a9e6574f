"""Timestamps and ids."""

import uuid
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.wire.ids import is_uuid
from batchwright.wire.timestamps import from_milliseconds, read_timestamp, to_milliseconds, write_timestamp

EIGHT = datetime(2026, 3, 3, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-03-03T08:00:00Z", EIGHT),
        ("2026-03-03T08:00:00.1Z", EIGHT.replace(microsecond=100_000)),
        ("2026-03-03T08:00:00.001Z", EIGHT.replace(microsecond=1_000)),
        ("2026-03-03T08:00:00.001999Z", EIGHT.replace(microsecond=1_000)),
        ("2026-03-03T08:00:00.123456789Z", EIGHT.replace(microsecond=123_000)),
        ("2026-03-03T10:30:00.5+02:30", EIGHT.replace(microsecond=500_000)),
        ("2026-03-03T03:00:00-0500", EIGHT),
        ("2026-03-03 08:00:00", EIGHT),
    ],
)
def test_a_timestamp_is_read_with_any_fraction_and_offset(text: str, moment: datetime) -> None:
    assert read_timestamp(text) == moment
    assert read_timestamp(text).tzinfo is UTC


@pytest.mark.parametrize(
    "wrong",
    ["", "yesterday", "2026-02-30T00:00:00Z", "0001-01-01T00:00:00+01:00", 5, None, datetime(2026, 1, 1)],
)
def test_an_invalid_timestamp_is_rejected(wrong: object) -> None:
    with pytest.raises(ValueError):
        read_timestamp(wrong)


def test_a_timestamp_is_written_in_utc_with_milliseconds() -> None:
    east = timezone(timedelta(hours=2))
    assert write_timestamp(EIGHT) == "2026-03-03T08:00:00.000Z"
    assert write_timestamp(EIGHT.replace(microsecond=1_999)) == "2026-03-03T08:00:00.001Z"
    assert write_timestamp(datetime(2026, 3, 3, 10, tzinfo=east)) == "2026-03-03T08:00:00.000Z"


def test_a_time_without_a_time_zone_is_not_written() -> None:
    with pytest.raises(ValueError):
        write_timestamp(datetime(2026, 3, 3))


@given(st.integers(min_value=-62_135_596_800_000, max_value=253_402_300_799_999))
def test_milliseconds_and_texts_represent_the_same_time(milliseconds: int) -> None:
    moment = from_milliseconds(milliseconds)
    assert to_milliseconds(moment) == milliseconds
    assert read_timestamp(write_timestamp(moment)) == moment


@given(st.uuids())
def test_a_uuid_is_recognised_in_lower_and_upper_case(item: uuid.UUID) -> None:
    assert is_uuid(str(item))
    assert is_uuid(str(item).upper())


@pytest.mark.parametrize(
    "wrong", ["", "x", "0198c0de00017abc9def000000000001", "{0198c0de-0001-7abc-9def-000000000001}"]
)
def test_other_texts_are_not_uuids(wrong: str) -> None:
    assert not is_uuid(wrong)
