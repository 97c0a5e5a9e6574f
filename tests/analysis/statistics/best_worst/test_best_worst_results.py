"""Scores and strengths of items, places, and answers that are left out."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import astuple, replace
from itertools import permutations
from math import exp, isnan, log

import numpy as np
import pytest

from batchwright.analysis.statistics.best_worst.best_worst_results import (
    BestWorstResults,
    ItemRow,
    best_worst_answers,
    best_worst_results,
)
from batchwright.analysis.statistics.best_worst.set_fields import (
    BestWorstFields,
    probable_fields,
    suggested_fields,
)
from batchwright.analysis.statistics.groups import category_fields
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.sampling import Sampling
from batchwright.prepare.designs.item_sets import item_sets, with_balanced_places
from batchwright.prepare.random_numbers import RandomNumbers
from tests.analysis.answers import questions, record
from tests.analysis.statistics.best_worst.sets import answers_about, asked, simulated

SEEDS = 100


def results(table: AnswerTable) -> BestWorstResults:
    """The results with the fields that are found."""
    fields = suggested_fields(table)
    assert fields is not None
    answers = best_worst_answers(table, fields)
    assert answers is not None
    return best_worst_results("best", answers)


def by_item(table: AnswerTable) -> dict[str, ItemRow]:
    return {row.item: row for row in results(table).items}


SETS = (("w", "x", "y"), ("x", "y", "z"), ("z", "w", "y"), ("x", "z", "w"))
CHOSEN = [
    *((0, "a", "c"), (0, "b", "c"), (0, "a", "b"), (1, "a", "c"), (1, "b", "a"), (1, "c", "b")),
    *((2, "b", "a"), (2, "a", "c"), (2, "c", "b"), (3, "a", "b"), (3, "c", "a"), (3, "b", "c")),
]


def test_a_score_is_how_often_an_item_was_the_best_less_how_often_it_was_the_worst() -> None:
    found = by_item(answers_about(SETS, CHOSEN))
    assert {row.shown for row in found.values()} == {9}
    counts = {item: (row.best, row.worst) for item, row in found.items()}
    assert counts == {"w": (4, 2), "x": (3, 3), "y": (2, 4), "z": (3, 3)}
    assert all(row.score == pytest.approx((row.best - row.worst) / row.shown) for row in found.values())
    assert all(row.score_low < row.score < row.score_high for row in found.values())


def log_likelihood(values: Mapping[str, float]) -> float:
    """That of the answers, term by term as the model is defined."""
    total = 0.0
    for number, best, worst in CHOSEN:
        items = SETS[number]
        of_pairs = {pair: exp(values[pair[0]] - values[pair[1]]) for pair in permutations(items, 2)}
        total += log(of_pairs[items["abc".index(best)], items["abc".index(worst)]] / sum(of_pairs.values()))
    return total


def test_strengths_are_where_the_likelihood_is_largest() -> None:
    """It is climbed here by small steps of one item after another, with a naive likelihood."""
    values, step = dict.fromkeys("wxyz", 0.0), 0.5
    while step > 1e-7:
        tries = [{**values, item: values[item] + change} for item in "wxyz" for change in (step, -step)]
        best = max(tries, key=log_likelihood)
        values, step = (best, step) if log_likelihood(best) > log_likelihood(values) else (values, step / 2)
    mean = sum(values.values()) / len(values)
    found = by_item(answers_about(SETS, CHOSEN))
    assert {item: row.strength for item, row in found.items()} == pytest.approx(
        {item: value - mean for item, value in values.items()}, abs=1e-5
    )


def designed(items: int, size: int, repeats: int) -> np.ndarray:
    random = RandomNumbers(1)
    return with_balanced_places(item_sets(items, size, repeats, random), random)


@pytest.mark.parametrize(("answers", "repeats"), [(1, 12), (6, 4)])
def test_intervals_of_strengths_cover_the_truth(answers: int, repeats: int) -> None:
    """95 % are nominal; those of few sets are wider: at least those of independent answers."""
    sets, strengths, covered = designed(12, 4, repeats), np.linspace(-1.4, 1.4, 12).tolist(), list[bool]()
    for seed in range(SEEDS):
        found = best_worst_results("best", simulated(sets, strengths, answers, seed))
        if {row.part for row in found.items} == {1}:
            covered += [row.strength_low <= float(row.item) <= row.strength_high for row in found.items]
    rate = float(np.mean(covered))
    print(f"{answers} answers about sets of {repeats} repeats: {rate:.1%} of {len(covered)}")
    assert len(covered) > 12 * SEEDS / 2
    assert 0.94 <= rate <= 0.99


def test_an_item_that_was_always_preferred_is_a_part_of_its_own() -> None:
    sets = (("top", "w", "x"), ("w", "x", "y"), ("y", "w", "x"))
    chosen = [(0, "a", "b"), (0, "a", "c"), (1, "a", "b"), (1, "b", "c"), (2, "a", "b"), (2, "c", "a")]
    found = results(answers_about(sets, chosen))
    assert [(row.item, row.part) for row in found.items[:1]] == [("top", 1)]
    assert isnan(found.items[0].strength)
    others = {row.item: row.strength for row in found.items[1:]}
    assert {row.part for row in found.items[1:]} == {2}
    assert sum(others.values()) == pytest.approx(0, abs=1e-9)
    assert any("see Part" in note for note in found.notes)


@pytest.mark.parametrize("far_away", [12.0, -12.0])
def test_strengths_of_a_part_are_the_limit_as_others_move_away(far_away: float) -> None:
    """If one item is always the best, or the worst, the other choice from its set is among the others."""
    sets = (("far", "w", "x"), ("w", "x", "y"))
    chosen = [(0, "a", "b"), (0, "a", "c"), (0, "a", "b"), (1, "a", "c"), (1, "b", "a"), (1, "c", "b")]
    if far_away < 0:
        chosen = [(number, worst, best) for number, best, worst in chosen]
    found = by_item(answers_about(sets, chosen))

    def likelihood(values: Sequence[float]) -> float:
        values_of = dict(zip(("far", "w", "x", "y"), (far_away, *values), strict=True))
        total = 0.0
        for number, best, worst in chosen:
            items = sets[number]
            of_pairs = {pair: exp(values_of[pair[0]] - values_of[pair[1]]) for pair in permutations(items, 2)}
            total += log(
                of_pairs[items["abc".index(best)], items["abc".index(worst)]] / sum(of_pairs.values())
            )
        return total

    strengths = [found[item].strength for item in "wxy"]
    most = likelihood(strengths)
    for place in range(3):
        for change in (0.02, -0.02):
            moved = [value + change * (number == place) for number, value in enumerate(strengths)]
            assert likelihood(moved) < most


def test_answers_that_name_one_item_twice_or_only_one_are_left_out_and_counted() -> None:
    found = results(answers_about(SETS, [*CHOSEN, (0, "a", "a"), (1, "b", "b"), (2, "a", ""), (3, "", "c")]))
    assert [row.shown for row in found.items] == [9, 9, 9, 9]
    assert [note.split(" ", 1)[0] for note in found.notes] == ["2", "2"]


def test_answers_are_not_grouped_by_the_item_at_a_place() -> None:
    assert category_fields(answers_about(SETS, CHOSEN)) == []


def test_a_set_may_have_fewer_items() -> None:
    sets = (("w", "x", "y"), ("x", "y", ""), ("w", "y", "x"))
    table = answers_about(sets, [(0, "a", "c"), (1, "b", "a"), (2, "c", "a"), (1, "a", "c")])
    assert {item: row.shown for item, row in by_item(table).items()} == {"w": 2, "x": 3, "y": 3}


def test_a_preference_for_the_first_place_is_reported() -> None:
    sets = designed(12, 4, 8)
    strengths = (np.arange(12) / 1e6).tolist()
    fair, biased = (
        best_worst_results("best", simulated(sets, strengths, 20, 1, bias)).places for bias in (0, 0.3)
    )
    assert [row.place for row in fair] == ["A", "B", "C", "D"]
    assert all(row.best_low < 1 / 4 < row.best_high for row in fair)
    assert biased[0].best_low > 1 / 4
    assert all(row.best_share < 1 / 4 for row in biased[1:])


def test_the_question_about_the_worst_item_is_found_by_its_text() -> None:
    texts = asked("q1", "Which text do you like least?", 3), asked("q2", "And the best?", 3, ("1", "2", "3"))
    fields = {f"item {number}": text for number, text in enumerate("wxy", 1)}
    with closing(AnswerStore(questions(*texts))) as store:
        store.append([record("p", "t0", "q1", "a"), record("p", "t1", "q1", "b")])
        store.set_fields({"t0": fields, "t1": {**fields, "item 1": "x", "item 2": "w"}})
        table = store.table()
    assert suggested_fields(table) is None
    assert probable_fields(table) == BestWorstFields("q2", "q1", ("item 1", "item 2", "item 3"))


def test_sets_of_weight_0_change_counts_only() -> None:
    alone = results(answers_about(SETS, CHOSEN))
    table = answers_about([*SETS, ("za", "zb", "zc")], [*CHOSEN, (4, "a", "b"), (4, "b", "c")])
    weights = np.array([float(task != "t4") for task in table.tasks.values])
    both = results(replace(table, sampling=Sampling(weights=weights)))
    for item, same_item in zip(alone.items, both.items[:4], strict=True):
        assert astuple(same_item) == pytest.approx(astuple(item), abs=1e-9)
    for row in both.items[4:]:
        assert (row.shown, row.best + row.worst > 0) == (2, True)
        assert all(map(isnan, (row.score, row.score_low, row.strength)))
    for one, other in zip(alone.places, both.places, strict=True):
        assert other.shown == one.shown + 2
        assert (other.best_share, other.best_low) == pytest.approx((one.best_share, one.best_low))
