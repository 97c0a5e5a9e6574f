"""Simulated participants: results find the known truth, and intervals are around it."""

import pytest

from batchwright.analysis.statistics.agreement.distances import Metric
from batchwright.analysis.statistics.agreement.ratings import ratings_of
from batchwright.analysis.statistics.comparisons.system_results import (
    comparisons_of,
    position_row,
)
from batchwright.analysis.statistics.participants.participant_hints import participant_rows
from tests.analysis.answers import rows_of_systems
from tests.analysis.statistics.agreement.rating_matrices import alpha_estimate
from tests.analysis.statistics.coverage_cases import CASES, PREVAILING, SIDES, STRENGTHS, Case, alpha_of
from tests.analysis.statistics.simulation import (
    Behaviour,
    simulate,
    simulate_ratings,
)


@pytest.mark.long
def test_intervals_cover_less_if_answers_differ_about_few_records() -> None:
    """Of five records with twenty answers each, 2.7 are expected to differ, and one option prevails."""
    intervals = [alpha_of(simulate_ratings(5, 20, 0.8, seed, PREVAILING))[0] for seed in range(200)]
    defined = [interval for interval in intervals if interval.low <= interval.high]
    covered = sum(low <= 0.64 <= high for low, high in defined) / len(defined)
    print(f"{covered:.0%} of {len(defined)} intervals cover the truth")
    assert 0.5 < covered < 0.75


@pytest.mark.parametrize("case", CASES, ids=str)
def test_intervals_are_around_the_truth(case: Case) -> None:
    assert any(case.is_covered(seed) for seed in (1, 2))


def test_random_answers_lower_agreement_and_move_shares() -> None:
    tables = [simulate((2, -2), 200, 3, Behaviour(random_share=share), 4) for share in (0, 0.5, 1)]
    alphas = [alpha_estimate(ratings_of(table, 0), Metric.NOMINAL) for table in tables]
    values = [alpha.value for alpha in alphas if alpha is not None]
    assert values == sorted(values, reverse=True)
    assert abs(values[-1]) < 0.1


def test_a_bias_of_position_is_found_and_hardly_changes_the_order_of_systems() -> None:
    table = simulate(STRENGTHS, 400, 2, Behaviour(left_bias=0.4), 7)
    assert position_row(table, 0).low > 0.5
    rows = rows_of_systems("better", comparisons_of(table, 0, SIDES))
    assert [row.system for row in rows] == ["s0", "s1", "s2"]


def test_the_time_per_task_is_that_of_the_participants() -> None:
    rows = participant_rows(simulate((1, 0), 30, 2, Behaviour(seconds=7), 1))
    assert [row.median_seconds for row in rows] == [7, 7]


def test_a_participant_who_is_fast_or_answers_at_random_is_found_and_no_other() -> None:
    others = (Behaviour(random_share=1), Behaviour(left_bias=1, seconds=3))
    table = simulate((6, -6), 60, 5, Behaviour(), 3, others)
    hints = {row.participant: row.hints for row in participant_rows(table) if row.hints}
    assert hints == {
        "p5": "low_agreement",
        "p6": "fast; same_option",
    }
