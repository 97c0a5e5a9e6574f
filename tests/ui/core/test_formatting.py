"""Numbers, sizes, dates and durations as text."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale

from batchwright.client.job_monitoring.transfer_rate import UNKNOWN
from batchwright.ui.core.formatting import (
    abbreviated_id,
    clock,
    day,
    duration,
    name_order,
    number,
    records,
    short_datetime,
    short_folder,
    size,
    tasks,
    transfer_progress,
)

pytestmark = pytest.mark.gui


@pytest.fixture(autouse=True)
def restored_locale() -> Iterator[None]:
    before = QLocale()
    yield
    QLocale.setDefault(before)


def test_numbers_are_grouped_as_in_the_locale() -> None:
    QLocale.setDefault(QLocale("de_DE"))
    assert number(1234567) == "1.234.567"
    assert records(12345) == "12.345 records"
    assert size(1536000) == "1,5 MB"
    QLocale.setDefault(QLocale("en_GB"))
    assert number(1234567) == "1,234,567"
    assert tasks(1) == "1 task"


def test_the_c_locale_is_formatted_as_english() -> None:
    QLocale.setDefault(QLocale.c())
    assert number(1234567) == "1,234,567"
    assert size(4911) == "4.9 kB"


def test_bytes_have_singular_and_plural() -> None:
    assert size(1) == "1 byte"
    assert size(0) == "0 bytes"


def test_a_moment_of_today_is_a_time_and_any_other_a_date() -> None:
    QLocale.setDefault(QLocale("en_GB"))
    now = datetime(2026, 3, 4, 12, 0).astimezone()
    assert short_datetime(now, now) == now.astimezone().strftime("%H:%M")
    assert short_datetime(now - timedelta(days=30), now) == "Feb 2, 2026"
    assert not short_datetime(None)


def test_times_are_written_as_in_the_locale() -> None:
    afternoon = datetime(2026, 3, 4, 15, 5).astimezone()
    QLocale.setDefault(QLocale("de_DE"))
    assert clock(afternoon) == "15:05"
    QLocale.setDefault(QLocale.c())
    assert clock(afternoon).startswith("3:05")
    assert day(afternoon, with_year=False) == "Mar 4"


def test_names_are_in_the_order_of_the_language_and_numbers_in_that_of_their_values() -> None:
    names = ["oso", "batch 10", "Zebra", "ñandú", "batch 9", "nube"]
    QLocale.setDefault(QLocale("es_ES"))
    assert sorted(names, key=name_order) == ["batch 9", "batch 10", "nube", "ñandú", "oso", "Zebra"]
    QLocale.setDefault(QLocale("de_DE"))
    assert sorted(names, key=name_order) == ["batch 9", "batch 10", "ñandú", "nube", "oso", "Zebra"]
    QLocale.setDefault(QLocale.c())
    assert sorted(["Z", "b 10", "a", "B 9"], key=name_order) == ["a", "B 9", "b 10", "Z"]


def test_a_long_id_is_abbreviated_in_the_middle() -> None:
    assert abbreviated_id("0123456789abcdef") == "0123…cdef"
    assert abbreviated_id("short") == "short"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "1 s"),
        (42.4, "42 s"),
        (59.9, "60 s"),
        (60, "1 min"),
        (3599, "60 min"),
        (3600, "1 h 0 min"),
        (5400, "1 h 30 min"),
    ],
)
def test_long_durations_are_rounded(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_transfer_progress_omits_unknown_values() -> None:
    assert transfer_progress(1000, None, UNKNOWN) == "1.0 kB"
    assert transfer_progress(1000, 3000, UNKNOWN) == "1.0 kB of 3.0 kB"
    steady = UNKNOWN.after(0, 5.0).after(1000, 6.0)
    assert transfer_progress(1000, None, steady) == "1.0 kB, 1.0 kB a second"
    assert transfer_progress(1000, 3000, steady) == "1.0 kB of 3.0 kB, 1.0 kB a second, 2 s left"
    assert transfer_progress(1000, 3000, UNKNOWN.after(0, 5.0).after(0, 6.0)) == "1.0 kB of 3.0 kB"


def test_the_home_folder_is_abbreviated_to_a_tilde() -> None:
    home = Path.home()
    assert short_folder(home) == "~"
    assert short_folder(home / "studies" / "cats") == "~/studies/cats"
    assert short_folder(home.parent) == str(home.parent)
