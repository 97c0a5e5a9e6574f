"""Comparisons of systems, and the check for a bias of position."""

import csv
import math
from typing import Any

import numpy as np
import pytest

from batchwright.analysis.statistics.comparisons.bradley_terry import Games, fit
from batchwright.analysis.statistics.comparisons.strengths import StrengthModel, holm, multiplicity_sentence
from batchwright.analysis.statistics.comparisons.system_results import (
    SystemFields,
    SystemRow,
    comparisons_of,
    pair_rows,
    part_sentences,
    position_row,
    system_results,
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


def strengths_of(wins: np.ndarray) -> np.ndarray:
    """The strengths of systems, given how often the first won against the second."""
    winner, loser = np.indices(wins.shape).reshape(2, -1)
    found = fit(Games(winner, loser, np.ones(wins.size), wins.reshape(-1)), len(wins))
    assert found is not None
    return found.values[: len(wins)]


def test_results_are_per_system_whichever_side_it_was_on() -> None:
    table = matches(("x", "y", "a"), ("y", "x", "b"), ("x", "y", "b"), ("y", "x", "same"))
    first, second = rows_of_systems("better", comparisons_of(table, 0, BOTH))
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
    only_left = rows_of_systems("better", comparisons_of(table, 0, SystemFields("left")))
    assert [(row.system, row.wins, row.losses) for row in only_left] == [("y", 2, 1), ("x", 1, 2)]


@pytest.mark.parametrize(
    "fields", [SystemFields("nowhere"), SystemFields("left"), SystemFields("left", "no")]
)
def test_fields_that_do_not_name_systems_are_rejected(fields: SystemFields) -> None:
    table = matches(("x", "y", "a"), ("y", "z", "a"), ("z", "x", "b"))
    with pytest.raises(UnusableField, match=r"nowhere|left|no"):
        comparisons_of(table, 0, fields)


def test_strengths_solve_the_likelihood_equations() -> None:
    wins = np.array([[0, 7, 9, 3], [3, 0, 6, 4], [2, 4, 0, 5], [1, 2, 2, 0]], dtype=float)
    strength = strengths_of(wins)
    expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    games = wins + wins.T
    assert np.allclose((games * expected).sum(axis=1), wins.sum(axis=1), atol=1e-5)
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
    strength = strengths_of(wins)
    printed = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0]
    assert [round(value, 4) for value in (strength - strength[-1]).tolist()] == printed


def test_a_system_that_never_lost_has_no_strength() -> None:
    table = matches(("x", "y", "a"), ("y", "x", "b"))
    rows = rows_of_systems("better", comparisons_of(table, 0, BOTH))
    assert all(math.isnan(row.strength) and math.isnan(row.strength_low) for row in rows)
    assert [(row.system, row.win_rate) for row in rows] == [("x", 1), ("y", 0)]


def results_of(*wins: tuple[str, str, int]) -> tuple[list[SystemRow], list[str]]:
    """The systems, and why they are in parts, given how often the first system won against the second."""
    answers = [(first, second, "a") for first, second, count in wins for _win in range(count)]
    comparisons = comparisons_of(matches(*answers), 0, BOTH)
    rows = rows_of_systems("better", comparisons)
    return rows, part_sentences(rows, list(pair_rows("better", comparisons)))


def test_an_undefeated_system_is_named_and_the_others_have_strengths_among_themselves() -> None:
    """The shared case `undefeated`: A never loses, B and C win 25 times each."""
    (a, b, c), sentences = results_of(("A", "B", 50), ("A", "C", 50), ("B", "C", 25), ("C", "B", 25))
    assert (a.system, a.part, math.isnan(a.strength)) == ("A", 1, True)
    assert {b.part, c.part} == {2}
    assert (b.strength, c.strength) == pytest.approx((0, 0), abs=1e-9)
    assert b.strength_low < 0 < b.strength_high
    assert sentences[:2] == ["Has never lost to others: “A”.", "Has never won against others: “B”, “C”."]


def test_systems_that_were_not_compared_have_strengths_in_their_parts() -> None:
    """The shared case `two-parts`: A only meets B, C only D; 33 to 17 is a difference of log(33 / 17)."""
    rows, sentences = results_of(("A", "B", 33), ("B", "A", 17), ("C", "D", 33), ("D", "C", 17))
    assert [(row.system, row.part) for row in rows] == [("A", 1), ("B", 1), ("C", 2), ("D", 2)]
    for first, second in (rows[:2], rows[2:]):
        assert first.strength - second.strength == pytest.approx(math.log(33 / 17))
    assert sentences[:2] == [
        "Not compared with other systems: “A”, “B”.",
        "Not compared with other systems: “C”, “D”.",
    ]


def test_of_many_parts_the_first_are_named() -> None:
    """Ten systems of which each has only won against the next one are ten parts."""
    rows, sentences = results_of(*((f"s{number}", f"s{number + 1}", 3) for number in range(9)))
    assert {row.part for row in rows} == set(range(1, 11))
    assert sentences[0] == "Has never lost to others: “s0”."
    assert "Further parts: 2." in sentences


def test_regularised_strengths_are_finite_and_marked() -> None:
    """Half a win and half a loss more against one imagined system: the maximum by scipy's `minimize`."""
    undefeated = {"A": 3.5478, "B": -1.7739, "C": -1.7739}
    parts = {"A": 0.32803, "C": 0.32803, "B": -0.32803, "D": -0.32803}
    for wins, strengths in (
        ([("A", "B", 50), ("A", "C", 50), ("B", "C", 25), ("C", "B", 25)], undefeated),
        ([("A", "B", 33), ("B", "A", 17), ("C", "D", 33), ("D", "C", 17)], parts),
    ):
        table = matches(*((first, second, "a") for first, second, count in wins for _win in range(count)))
        found = system_results("better", comparisons_of(table, 0, BOTH), StrengthModel(is_regularised=True))
        assert {row.system: row.strength for row in found.systems} == pytest.approx(strengths, abs=1e-4)
        assert {row.part for row in found.systems} == {1}
        assert all(row.is_regularised for row in found.systems)
        assert part_sentences(found.systems, []) == []
    (first, *_others) = found.systems
    plain, _sentences = results_of(*wins)
    assert first.strength_high - first.strength_low > plain[0].strength_high - plain[0].strength_low
    assert not plain[0].is_regularised


def test_differences_are_adjusted_for_all_pairs() -> None:
    wins = [("x", "y", 40), ("y", "x", 20), ("y", "z", 31), ("z", "y", 29), ("x", "z", 35), ("z", "x", 25)]
    table = matches(*((first, second, "a") for first, second, count in wins for _win in range(count)))
    comparisons = comparisons_of(table, 0, BOTH)
    found = system_results("better", comparisons, StrengthModel())
    strength = {row.system: row.strength for row in found.systems}
    assert [(row.system, row.opponent) for row in found.differences] == [("x", "z"), ("x", "y"), ("z", "y")]
    for row in found.differences:
        assert row.difference == pytest.approx(strength[row.system] - strength[row.opponent])
        assert row.low < row.difference < row.high
        assert (row.differs == "yes") is (row.adjusted_p < 0.05)
    x_z, x_y, z_y = found.differences
    assert (x_z.differs, x_y.differs, z_y.differs) == ("", "yes", "")
    assert x_z.low > 0, "it would differ if it were the only pair"
    assert "Pairs of systems that differ: 1 of 3." in multiplicity_sentence(found.differences)
    assert multiplicity_sentence(found.differences[:1]) == ""


def test_p_values_are_adjusted_as_holm_did() -> None:
    """`multipletests(…, method="holm")` of statsmodels; NaN is no test."""
    adjusted = holm([0.01, math.nan, 0.04, 0.03, 0.005])
    assert adjusted == pytest.approx([0.03, math.nan, 0.06, 0.06, 0.02], nan_ok=True)


def test_more_than_fifty_systems_are_compared() -> None:
    names = [f"s{number:02}" for number in range(60)]
    pairs = [(names[n], names[(n + step) % 60]) for n in range(60) for step in (1, 2, 7)]
    table = matches(
        *(pair for first, second in pairs for pair in ((first, second, "a"), (second, first, "a")))
    )
    rows = rows_of_systems("better", comparisons_of(table, 0, BOTH))
    assert len(rows) == 60
    assert all(row.strength == pytest.approx(0, abs=1e-6) and row.comparisons == 12 for row in rows)


@pytest.mark.parametrize(
    ("systems", "fields", "reason"),
    [
        (201, BOTH, "The fields “left” and “right” name 201 systems; at most 200 can be compared."),
        (
            3,
            SystemFields("left"),
            "The field “left” names 3 systems. With more than two, a second field must",
        ),
        (1, SystemFields("left"), "Only 1 system is named by “left”; two are needed."),
    ],
)
def test_it_is_said_what_is_wrong_with_the_names_of_systems(
    systems: int, fields: SystemFields, reason: str
) -> None:
    table = matches(*((f"s{number}", f"s{(number + 1) % systems}", "a") for number in range(systems)))
    with pytest.raises(UnusableField) as error:
        comparisons_of(table, 0, fields)
    assert error.value.reason.startswith(reason)


def test_connected_systems_are_one_part_without_a_sentence() -> None:
    rows, sentences = results_of(("A", "B", 2), ("B", "C", 1), ("C", "A", 1))
    assert {row.part for row in rows} == {1}
    assert sentences == []


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
    row = next(row for row in rows_of_systems("better", comparisons) if row.system == "x")
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
        found = {one.system: one for one in rows_of_systems("better", comparisons_of(table, 0, BOTH))}
        printed = row["published_win_rate_percent"]
        error = 10 ** -len(printed.partition(".")[2][:6])
        assert 100 * found[row["system"]].win_rate == pytest.approx(float(printed), abs=error)


def test_ties_count_half_and_make_the_interval_narrower_than_wins_and_losses() -> None:
    """40 wins, 20 losses, 40 ties: 0.6; the variance of the scores is 0.14, of wins and losses 0.24."""
    answers = [*"a" * 40, *"b" * 20, *["same"] * 40]
    table = matches(*(("X", "Y", answer) for answer in answers))
    row = next(row for row in rows_of_systems("better", comparisons_of(table, 0, BOTH)) if row.system == "X")
    assert (row.wins, row.ties, row.losses, row.win_rate) == (40, 40, 20, 0.6)
    assert (row.win_low, row.win_high) == pytest.approx(wilson(60, 100, 100 * 0.24 / 0.14))
