"""Hints about participants, and how precise results are with more answers."""

import math

import pytest

from batchwright.analysis.analyse import analyse
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.statistics.participants.participant_hints import (
    hints_text,
    participant_rows,
    participants_sentence,
)
from batchwright.analysis.statistics.planning.sample_size import USUAL_NUMBERS, precision_rows, share_width
from batchwright.analysis.store.sampling import Clusters
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
    ends = (fast.gold_low, fast.gold_high, usual.gold_low, usual.gold_high)
    assert ends == pytest.approx((0.036224, 0.624465, 0.565518, 1), abs=1e-6), "as statsmodels has them"
    assert usual.agreement == pytest.approx((3 + 9 / 2) / 12)
    assert fast.agreement == pytest.approx(3 / 12)
    assert fast.hints == "fast; same_option; low_agreement"
    assert hints_text(fast.hints) == (
        "much faster than others, nearly always the same option, agrees with others less than usual"
    )


@pytest.mark.parametrize(
    ("question", "given", "right", "accuracy"),
    [
        ("better", ["a"], ["a", "B is better", "c", ""], 1 / 2),
        ("faults", ["wrong", "short"], ["Short; Wrong", "wrong", "short;unknown"], 1 / 2),
        ("faults", [], ["wrong"], 0),
        ("duration", [{"value": "1.50", "unit": "h"}], ["1.5 h", "1.5", "1.5 min", "soon"], 1 / 3),
        ("reason", ["It  is so."], ["it is SO.", "It is not.", ""], 1 / 2),
    ],
)
def test_right_answers_of_every_kind(
    question: str, given: list[object], right: list[str], accuracy: float
) -> None:
    fields = {f"t{n}": {"right": text} for n, text in enumerate(right)}
    table = table_of((record("p", task, question, *given) for task in fields), fields)
    (row,) = participant_rows(table, "right", question)
    assert row.gold_accuracy == accuracy
    (other,) = participant_rows(table, "right", "scale")
    assert other.gold_answers == 0


def test_the_longest_run_of_an_option_is_in_the_order_of_time() -> None:
    days = [5, 1, 2, 3, 4, 6]
    table = table_of(
        record(person, f"t{n}", "scale", value, created_at=f"2026-03-0{days[n]}T14:00:00Z")
        for person, values in (("p", [1, 2, 1, 1, 1, 2]), ("q", [1, 1, 3, 3, 2, 2]))
        for n, value in enumerate(values)
    )
    assert [row.longest_run for row in participant_rows(table)] == [4, 2]


def test_an_option_that_all_participants_prefer_is_no_hint() -> None:
    table = table_of(ratings([[1, 1, 1]] * 20))
    assert {(row.straight_lining, row.hints) for row in participant_rows(table)} == {(1, "")}


def test_agreement_with_others_covers_sets_of_options() -> None:
    table = table_of(ratings([[["wrong", "short"], ["short", "wrong"], []]] * 3, "faults"))
    assert [row.agreement for row in participant_rows(table)] == [0.5, 0.5, 0]


def test_nothing_is_said_about_few_answers() -> None:
    (row,) = participant_rows(table_of(ratings([[3]])))
    assert row.hints == ""
    assert all(map(math.isnan, (row.median_seconds, row.straight_lining, row.agreement, row.gold_accuracy)))


def test_intervals_are_narrower_with_more_answers() -> None:
    rows = precision_rows(table_of(ratings([[1, 2], [2, 2], [3, 4]])))
    for about in ("2 of 5", ""):
        widths = [row.width for row in rows if row.about == about]
        assert widths == sorted(widths, reverse=True)
        assert len(widths) == len(USUAL_NUMBERS)
    (now,) = [row for row in rows if row.about == "2 of 5" and not row.more]
    assert now.answers == 6


def test_the_precision_with_any_number_of_further_answers() -> None:
    table = table_of(ratings([[1], [2], [2], [2], [3], [4]]))
    (row,) = [row for row in precision_rows(table, (94,)) if row.about == "2 of 5"]
    assert (row.answers, row.more) == (100, 94)
    assert row.width == pytest.approx(share_width(1 / 2, 100))
    (table_of_rows,) = [
        one for one in analyse(table, AnalysisSettings(further_answers=94)).results if one.name == "precision"
    ]
    assert [row[4] for row in table_of_rows.rows][:4] == [0, 50, 94, 100]
    assert [method.reference[:12] for method in table_of_rows.methods][:1] == ["Kelley, K., "]


def test_tasks_in_less_than_a_second_are_a_hint_also_if_all_participants_are_fast() -> None:
    times = ("14:00:00.000", "14:00:00.400", "14:00:00.900", "14:00:09.000")
    table = table_of(
        record(person, f"t{number}", "scale", 1, created_at=f"2026-03-05T{time}Z")
        for person in ("p1", "p2")
        for number, time in enumerate(times)
    )
    assert [row.hints for row in participant_rows(table)] == ["under_1_s=2"] * 2
    assert hints_text("under_1_s=2; fast") == "2 tasks in less than a second, much faster than others"


@pytest.mark.parametrize(
    ("answers_of", "begins"),
    [
        ([5] * 20, ""),
        ([5] * 19, "19 participants gave these answers, one of them 5 %."),
        ([60, *[2] * 20], "21 participants gave these answers, one of them 60 %."),
        ([3], "1 participant gave these answers."),
        ([], ""),
    ],
)
def test_few_participants_or_a_dominating_one_are_named(answers_of: list[int], begins: str) -> None:
    records = [
        record(f"p{person}", f"t{task}", "better", "a")
        for person, count in enumerate(answers_of)
        for task in range(count)
    ]
    sentence = participants_sentence(table_of(records), Clusters.RECORDS)
    assert sentence.startswith(begins)
    assert bool(sentence) == bool(begins)
