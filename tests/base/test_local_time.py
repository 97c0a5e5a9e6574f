"""Local time, for every time that an answer can have."""

import os
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta

import pytest

from batchwright.base.local_time import local_time, start_of_day

OFFSETS = """
from datetime import UTC, datetime
from batchwright.__main__ import main
from PySide6.QtCore import QDateTime
try:
    main(["--version"])
except SystemExit:
    pass
for month in (1, 7):
    moment = datetime(2026, month, 1, tzinfo=UTC)
    offset = moment.astimezone().utcoffset()
    print(int(offset.total_seconds()), QDateTime.fromSecsSinceEpoch(int(moment.timestamp())).offsetFromUtc())
"""


@pytest.mark.parametrize("year", [1, 1899, 1969, 1970, 2026, 3001, 9999])
def test_every_time_is_the_same_moment_in_local_time(year: int) -> None:
    for moment in (datetime(year, 1, 1, tzinfo=UTC), datetime(year, 12, 31, 23, 59, tzinfo=UTC)):
        assert local_time(moment) == moment
        day = local_time(moment).date()
        assert timedelta() <= moment - start_of_day(day) < timedelta(hours=25)


def test_a_day_starts_at_midnight() -> None:
    start = start_of_day(date(2026, 7, 1))
    assert (start.hour, start.utcoffset()) == (0, local_time(start).utcoffset())


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Asia/Kolkata"])
def test_times_have_the_zone_that_qt_shows_whatever_the_variable_for_it(zone: str) -> None:
    """Python and Qt ask different parts of the system."""
    process = subprocess.run(
        [sys.executable, "-c", OFFSETS],
        env={**os.environ, "TZ": zone},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    offsets = [line.split() for line in process.stdout.decode().splitlines()[1:]]
    assert len(offsets) == 2
    for ours, of_qt in offsets:
        assert ours == of_qt
