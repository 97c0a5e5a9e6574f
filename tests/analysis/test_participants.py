"""Hints about participants, and how precise results are with more answers."""

import math

import pytest

from batchwright.analysis.participants import participant_rows
from batchwright.analysis.sample_size import precision_rows
from tests.analysis.answers import ratings, record, table_of


def test_time_straight_lining_agreement_and_accuracy_of_participants() -> None:
    fields = {f"t{n}": {"right": str(n % 5 + 1)} if n < 5 else {} for n in range(12)}
    times = {"fast": 1, "slow": 30, "usual": 20}
    table = table_of(
        (
            record(
                person,
                f"t{n}",
                "scale",
                1 if person == "fast" else n % 5 + 1,
                created_at=f"2026-03-05T14:{n * seconds // 60:02}:{n * seconds % 60:02}.000Z",
            )
            for person, seconds in times.items()
            for n in range(12)
        ),
        fields,
    )
    fast, slow, usual = participant_rows(table, "right")
    assert (fast.answers, fast.tasks, fast.median_seconds, fast.straight_lining) == (12, 12, 1, 1)
    assert (slow.median_seconds, slow.straight_lining, slow.hints) == (30, 3 / 12, "")
    assert (usual.gold_answers, usual.gold_accuracy, fast.gold_accuracy) == (5, 1, 0.2)
    assert usual.agreement == pytest.approx((3 + 9 / 2) / 12)
    assert fast.agreement == pytest.approx(3 / 12)
    assert fast.hints.split(", ") == [
        "much faster than others",
        "nearly always the same option",
        "agrees with others less than usual",
    ]


def test_nothing_is_said_about_few_answers() -> None:
    (row,) = participant_rows(table_of(ratings([[3]])))
    assert row.hints == ""
    assert all(map(math.isnan, (row.median_seconds, row.straight_lining, row.agreement, row.gold_accuracy)))


def test_intervals_are_narrower_with_more_answers() -> None:
    rows = precision_rows(table_of(ratings([[1, 2], [2, 2], [3, 4]])))
    for about in ("2 of 5", "mean"):
        widths = [row.width for row in rows if row.about == about]
        assert widths == sorted(widths, reverse=True)
    (now,) = [row for row in rows if row.about == "2 of 5" and not row.more]
    assert now.answers == 6
