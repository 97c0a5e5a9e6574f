"""How systems and sides are crossed, and the Bradley–Terry model with an effect of the left side."""

import csv
import math

import numpy as np
import pytest

from batchwright.analysis.statistics.comparisons.bradley_terry import Games, fit
from batchwright.analysis.statistics.comparisons.sides import (
    SideDesign,
    SideRow,
    side_design,
    side_rows,
    side_sentence,
)
from batchwright.analysis.statistics.comparisons.strengths import StrengthModel
from batchwright.analysis.statistics.comparisons.system_results import (
    SystemFields,
    comparisons_of,
    system_results,
)
from batchwright.analysis.statistics.intervals import t_quantile
from batchwright.analysis.store.answer_table import AnswerTable
from tests.analysis.answers import record, table_of
from tests.flows.program import SHARED_DATA

BOTH = SystemFields("left", "right")
WITH_ORDER = StrengthModel(has_order=True)
NEEDS_DATA = pytest.mark.skipif(
    not (SHARED_DATA / "statistics").is_dir(), reason="the shared data is not beside the project"
)


def shared(name: str) -> AnswerTable:
    """A table of the shared cases for statistics."""
    with (SHARED_DATA / "statistics" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    fields = {row["task"]: {"left": row["field_left"], "right": row["field_right"]} for row in rows}
    options = {"a": "a", "b": "b", "tie": "same"}
    records = (record(row["participant"], row["task"], "better", options[row["value"]]) for row in rows)
    return table_of(records, fields)


@NEEDS_DATA
def test_the_home_advantage_of_baseball_is_that_of_r() -> None:
    """`BTm` of the R package BradleyTerry2, with an order effect: 0.302."""
    comparisons = comparisons_of(shared("baseball"), 0, BOTH)
    found = system_results("better", comparisons, WITH_ORDER)
    rows, (order,) = found.systems, found.orders
    assert round(order.effect, 3) == 0.302
    assert order.low < order.effect < order.high
    assert [row.system for row in rows][:3] == ["Milwaukee", "Detroit", "Toronto"]
    assert side_design(side_rows("better", comparisons)) is SideDesign.BALANCED


@NEEDS_DATA
def test_two_equal_systems_on_unbalanced_sides_are_equal_with_an_order_effect() -> None:
    """statsmodels, `GLM` with `cov_type="cluster"` by task: the difference is 0.0356 with standard error
    0.0774, and the effect of the left side is 0.9593 with 0.0774.
    """
    comparisons = comparisons_of(shared("sides-unbalanced"), 0, BOTH)
    plain = system_results("better", comparisons, StrengthModel()).systems[0]
    assert (plain.system, round(plain.win_rate, 3)) == ("X", 0.624)
    found = system_results("better", comparisons, WITH_ORDER)
    (row, other), (order,), (difference,) = found.systems, found.orders, found.differences
    assert difference.difference == pytest.approx(row.strength - other.strength)
    assert round(difference.difference, 2) == 0.04
    half = t_quantile(0.975, 399) * 0.07740717
    assert (difference.low, difference.high) == pytest.approx((0.0356145 - half, 0.0356145 + half), abs=1e-3)
    assert (order.effect, order.high - order.effect) == pytest.approx((0.95928534, half), abs=1e-3)
    assert difference.differs == ""
    assert order.low < 1 < order.high
    sides = side_rows("better", comparisons)
    assert side_design(sides) is SideDesign.UNBALANCED
    assert "“X” was on the left in 305 of 400 records" in side_sentence(sides)


@NEEDS_DATA
def test_a_system_that_was_always_on_one_side_cannot_be_told_from_the_side() -> None:
    comparisons = comparisons_of(shared("ties"), 0, BOTH)
    sides = side_rows("better", comparisons)
    assert side_design(sides) is SideDesign.FIXED
    assert "“X” was always on the left, in 100 records" in side_sentence(sides)
    found = system_results("better", comparisons, WITH_ORDER)
    rows, (order,) = found.systems, found.orders
    assert math.isnan(order.effect)
    assert all(math.isnan(row.strength) for row in rows)


def test_strengths_with_an_order_effect_solve_the_likelihood_equations() -> None:
    random = np.random.default_rng(4)
    won, lost = random.integers(1, 9, (2, 4, 4)).astype(float)
    for matrix in (won, lost):
        np.fill_diagonal(matrix, 0)
    (left, right), ones = np.indices((4, 4)).reshape(2, -1), np.ones(16)
    games = Games(
        np.tile(left, 2),
        np.tile(right, 2),
        np.append(ones, 0 * ones),
        np.append(won.reshape(-1), lost.reshape(-1)),
    )
    found = fit(games, 4, has_order=True)
    assert found is not None
    strength, order = found.values[:4], found.values[4]
    chances = 1 / (1 + np.exp(strength[None, :] - strength[:, None] - order))
    rest = won - (won + lost) * chances
    assert strength.sum() == pytest.approx(0)
    assert rest.sum() == pytest.approx(0, abs=1e-6)
    assert np.allclose(rest.sum(axis=1) - rest.sum(axis=0), 0, atol=1e-6)


@pytest.mark.parametrize(
    ("counts", "design"),
    [
        ([], None),
        ([("x", "y", 2, 1)], SideDesign.BALANCED),
        ([("x", "y", 5, 0)], SideDesign.BALANCED),
        ([("x", "y", 6, 0)], SideDesign.FIXED),
        ([("x", "y", 50, 62)], SideDesign.BALANCED),
        ([("x", "y", 40, 80)], SideDesign.UNBALANCED),
        ([("x", "y", 90, 30), ("x", "z", 30, 90), ("y", "z", 60, 60)], SideDesign.UNBALANCED),
        ([("x", "y", 30, 0), ("x", "z", 30, 0), ("y", "z", 15, 15)], SideDesign.FIXED),
    ],
)
def test_few_records_on_one_side_may_be_chance(
    counts: list[tuple[str, str, int, int]], design: SideDesign | None
) -> None:
    rows = [SideRow("q", *count) for count in counts]
    assert side_design(rows) is design
    assert side_sentence(rows)
