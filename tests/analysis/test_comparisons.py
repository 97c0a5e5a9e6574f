"""Comparisons of systems, and the check for a bias of position."""

import csv
import itertools
import math
from typing import Any

import numpy as np
import pytest

from batchwright.analysis.statistics.bradley_terry import strengths
from batchwright.analysis.statistics.comparisons import (
    SystemFields,
    comparisons_of,
    pair_rows,
    position_row,
)
from batchwright.analysis.statistics.intervals import effective_size_for_ranks, wilson
from batchwright.analysis.store.text_columns import UnusableField
from tests.analysis.answers import ratings, record, rows_of_systems, table_of
from tests.flows.program import SHARED_DATA

PUBLISHED = SHARED_DATA / "statistics" / "alpacaeval-published.csv"
BOTH = SystemFields("left", "right")


def matches(*results: tuple[str, str, str]) -> Any:
    """A table with one comparison per result: left system, right system, answer."""
    fields = {f"t{n}": {"left": left, "right": right} for n, (left, right, _answer) in enumerate(results)}
    return table_of(
        (record("p", f"t{n}", "better", answer) for n, (_left, _right, answer) in enumerate(results)), fields
    )


def test_results_are_per_system_whichever_side_it_was_on() -> None:
    table = matches(("x", "y", "a"), ("y", "x", "b"), ("x", "y", "b"), ("y", "x", "same"))
    first, second = rows_of_systems("better", comparisons_of(table, 0, BOTH), 0)
    assert (first.system, first.wins, first.ties, first.losses) == ("x", 2, 1, 1)
    assert (second.system, second.wins, second.ties, second.losses) == ("y", 1, 1, 2)
    assert (first.win_rate, second.win_rate) == (5 / 8, 3 / 8)
    assert first.strength == pytest.approx(math.log(2.5 / 1.5) / 2)
    assert second.strength == pytest.approx(-first.strength)
    x, y = pair_rows("better", comparisons_of(table, 0, BOTH))
    assert (x.system, x.opponent, x.wins, x.ties, x.losses, x.win_rate) == ("x", "y", 2, 1, 1, 5 / 8)
    assert (y.wins, y.losses) == (1, 2)


def test_one_field_is_enough_for_two_systems() -> None:
    table = matches(("x", "", "a"), ("y", "", "a"), ("x", "", "b"))
    only_left = rows_of_systems("better", comparisons_of(table, 0, SystemFields("left")), 0)
    assert [(row.system, row.wins, row.losses) for row in only_left] == [("y", 2, 1), ("x", 1, 2)]


@pytest.mark.parametrize(
    "fields", [SystemFields("nowhere"), SystemFields("left"), SystemFields("left", "no")]
)
def test_fields_that_do_not_name_systems_are_rejected(fields: SystemFields) -> None:
    table = matches(("x", "y", "a"), ("y", "z", "a"), ("z", "x", "b"))
    with pytest.raises(UnusableField, match=r"nowhere|left|no"):
        comparisons_of(table, 0, fields)


def test_strengths_solve_the_likelihood_equations() -> None:
    wins = np.array([[[0, 7, 9, 3], [3, 0, 6, 4], [2, 4, 0, 5], [1, 2, 2, 0]]], dtype=float)
    strength = strengths(wins)[0]
    expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    games = wins[0] + wins[0].T
    assert np.allclose((games * expected).sum(axis=1), wins[0].sum(axis=1), atol=1e-5)
    assert strength.sum() == pytest.approx(0)


BASEBALL = """
0 7 9 7 7 9 11
6 0 7 5 11 9 9
4 6 0 7 7 8 12
6 8 6 0 6 7 10
6 2 6 7 0 7 12
4 4 5 6 6 0 6
2 4 1 3 1 7 0
"""
"""Wins of the American League East in 1987 (Agresti, Categorical data analysis): Milwaukee, Detroit, Toronto,
New York, Boston, Cleveland, Baltimore."""


def test_strengths_of_agresti_s_baseball_teams() -> None:
    """The coefficients of the R package BradleyTerry2, in which Baltimore has strength 0."""
    wins = np.array([[float(cell) for cell in line.split()] for line in BASEBALL.split("\n") if line])
    strength = strengths(wins[None])[0]
    printed = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0]
    assert [round(value, 4) for value in (strength - strength[-1]).tolist()] == printed


def test_a_system_that_never_lost_has_no_strength() -> None:
    table = matches(("x", "y", "a"), ("y", "x", "b"))
    rows = rows_of_systems("better", comparisons_of(table, 0, BOTH), 0)
    assert all(math.isnan(row.strength) and math.isnan(row.strength_low) for row in rows)
    assert [(row.system, row.win_rate) for row in rows] == [("x", 1), ("y", 0)]


def test_intervals_of_strengths_are_seeded() -> None:
    pairs = itertools.islice(itertools.cycle([("x", "y", "a"), ("y", "x", "a"), ("x", "y", "same")]), 60)
    comparisons = comparisons_of(matches(*pairs), 0, BOTH)
    first, again, other = (rows_of_systems("better", comparisons, seed) for seed in (1, 1, 2))
    assert first == again
    assert first[0].strength_low < first[0].strength < first[0].strength_high
    assert first != other


def test_the_share_of_the_left_side_leaves_ties_out() -> None:
    row = position_row(matches(("x", "y", "a"), ("x", "y", "a"), ("y", "x", "b"), ("x", "y", "same")), 0)
    assert (row.left, row.right, row.left_share) == (2, 1, 2 / 3)
    assert row.low < 0.5 < row.high


def test_rates_and_their_intervals_are_those_of_records_with_several_answers() -> None:
    """Three records of x and y with four equal answers each, and one with a tie among three answers."""
    sides = [("x", "y"), ("y", "x"), ("x", "y"), ("y", "x")]
    fields = {f"t{n}": {"left": left, "right": right} for n, (left, right) in enumerate(sides)}
    answers = [["a"] * 4, ["b"] * 4, ["b"] * 4, ["b", "same", "a"]]
    table = table_of(ratings(answers, "better"), fields)
    comparisons = comparisons_of(table, 0, BOTH)
    row = next(row for row in rows_of_systems("better", comparisons, 0) if row.system == "x")
    assert (row.comparisons, row.wins, row.ties, row.losses) == (15, 9, 1, 5)
    rate = 9.5 / 15
    assert row.win_rate == pytest.approx(rate)
    spread = 9 + 1 / 4 - 15 * rate**2
    between = 2 * (4 - 4 * rate) ** 2 + (4 * rate) ** 2 + (1.5 - 3 * rate) ** 2
    effective = effective_size_for_ranks(15, 4, spread, between) * 15 * rate * (1 - rate) / spread
    assert effective < 6
    assert (row.win_low, row.win_high) == pytest.approx(wilson(9.5, 15, effective))
    pair = next(row for row in pair_rows("better", comparisons) if row.system == "x")
    assert (pair.win_rate, pair.low, pair.high) == (row.win_rate, row.win_low, row.win_high)
    position = position_row(table, 0)
    assert (position.left, position.right) == (5, 9)
    share = 5 / 14
    between = (4 - 4 * share) ** 2 + 2 * (4 * share) ** 2 + (1 - 2 * share) ** 2
    effective = effective_size_for_ranks(14, 4, 14 * share * (1 - share), between)
    assert (position.low, position.high) == pytest.approx(wilson(5, 14, effective))


def test_win_rates_are_those_of_the_published_leaderboard_of_alpacaeval() -> None:
    """Its counts of wins, losses and ties against text_davinci_003, and the win rates that it printed."""
    if not PUBLISHED.exists():
        pytest.skip("the shared data is not beside the project")
    with PUBLISHED.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows
    for row in rows:
        answers = [*"a" * int(row["wins"]), *"b" * int(row["losses"]), *["same"] * int(row["ties"])]
        table = matches(*((row["system"], "reference", answer) for answer in answers))
        found = {one.system: one for one in rows_of_systems("better", comparisons_of(table, 0, BOTH), 0)}
        printed = row["published_win_rate_percent"]
        error = 10 ** -len(printed.partition(".")[2][:6])
        assert 100 * found[row["system"]].win_rate == pytest.approx(float(printed), abs=error)


def test_ties_count_half_and_make_the_interval_narrower_than_wins_and_losses() -> None:
    """40 wins, 20 losses, 40 ties: 0.6; the variance of the scores is 0.14, of wins and losses 0.24."""
    answers = [*"a" * 40, *"b" * 20, *["same"] * 40]
    table = matches(*(("X", "Y", answer) for answer in answers))
    row = next(
        row for row in rows_of_systems("better", comparisons_of(table, 0, BOTH), 0) if row.system == "X"
    )
    assert (row.wins, row.ties, row.losses, row.win_rate) == (40, 40, 20, 0.6)
    assert (row.win_low, row.win_high) == pytest.approx(wilson(60, 100, 100 * 0.24 / 0.14))
