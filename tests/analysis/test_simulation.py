"""Simulated participants: results find the known truth, and intervals cover it at the stated rate."""

from collections.abc import Callable

import numpy as np
import pytest

from batchwright.analysis.agreement import alpha_estimate
from batchwright.analysis.choices import option_shares
from batchwright.analysis.comparisons import SystemFields, comparisons_of, position_row, system_rows
from batchwright.analysis.distances import Metric
from batchwright.analysis.intervals import Interval, mean_interval
from batchwright.analysis.participants import participant_rows
from batchwright.analysis.ratings import ratings_of
from tests.analysis.simulation import Behaviour, simulate, simulate_ratings

STRENGTHS = (0.8, 0.1, -0.9)
SIDES = SystemFields("left", "right")


def alpha_interval(seed: int) -> tuple[Interval, float]:
    result = alpha_estimate(ratings_of(simulate_ratings(150, 3, 0.8, seed), 0), Metric.NOMINAL, seed)
    assert result is not None
    return result.interval, 0.64


def share_interval(seed: int) -> tuple[Interval, float]:
    share = option_shares(simulate_ratings(150, 1, 0.5, seed), 0)[0]
    return Interval(share.low, share.high), 1 / 3


def strength_interval(seed: int) -> tuple[Interval, float]:
    comparisons = comparisons_of(simulate(STRENGTHS, 150, 1, Behaviour(), seed), 0, SIDES)
    row = next(row for row in system_rows("better", comparisons, seed) if row.system == "s0")
    return Interval(row.strength_low, row.strength_high), STRENGTHS[0]


def position_interval(seed: int) -> tuple[Interval, float]:
    """A fifth of the answers choose left anyway, so that it wins 0.2 + 0.8 / 2."""
    row = position_row(simulate(STRENGTHS, 150, 1, Behaviour(left_bias=0.2), seed), 0)
    return Interval(row.low, row.high), 0.6


def interval_of_mean(seed: int) -> tuple[Interval, float]:
    values = np.random.default_rng(seed).normal(5, 2, 12)
    return mean_interval(float(values.mean()), float(values.std(ddof=1)), 12), 5


COVERED: list[Callable[[int], tuple[Interval, float]]] = [
    alpha_interval,
    share_interval,
    strength_interval,
    position_interval,
    interval_of_mean,
]


@pytest.mark.long
@pytest.mark.parametrize("interval_and_truth", COVERED)
def test_intervals_cover_the_truth_at_the_stated_rate(
    interval_and_truth: Callable[[int], tuple[Interval, float]],
) -> None:
    """95 % of 200 seeds are 190; the binomial distribution has 0.1 % below 179. Bootstraps get 2 % less."""
    covered = 0
    for seed in range(200):
        (low, high), truth = interval_and_truth(seed)
        covered += low <= truth <= high
    assert 175 <= covered <= 199


@pytest.mark.parametrize("interval_and_truth", COVERED)
def test_intervals_are_around_the_truth(
    interval_and_truth: Callable[[int], tuple[Interval, float]],
) -> None:
    found = [interval_and_truth(seed) for seed in (1, 2)]
    assert any(low <= truth <= high for (low, high), truth in found)


def test_random_answers_lower_agreement_and_move_shares() -> None:
    tables = [simulate((2, -2), 200, 3, Behaviour(random_share=share), 4) for share in (0, 0.5, 1)]
    alphas = [alpha_estimate(ratings_of(table, 0), Metric.NOMINAL, 0) for table in tables]
    values = [alpha.value for alpha in alphas if alpha is not None]
    assert values == sorted(values, reverse=True)
    assert abs(values[-1]) < 0.1


def test_a_bias_of_position_is_found_and_hardly_changes_the_order_of_systems() -> None:
    table = simulate(STRENGTHS, 400, 2, Behaviour(left_bias=0.4), 7)
    assert position_row(table, 0).low > 0.5
    rows = system_rows("better", comparisons_of(table, 0, SIDES), 0)
    assert [row.system for row in rows] == ["s0", "s1", "s2"]


def test_the_time_per_task_is_that_of_the_participants() -> None:
    rows = participant_rows(simulate((1, 0), 30, 2, Behaviour(seconds=7), 1))
    assert [row.median_seconds for row in rows] == [7, 7]
