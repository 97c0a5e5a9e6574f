"""Labels of records: votes, ties, medians, and models of participants' errors."""

import numpy as np
import pytest

from batchwright.analysis.statistics.agreement.label_models import LabelModel, dawid_skene, one_coin
from batchwright.analysis.statistics.agreement.labels import RecordLabels, record_labels
from batchwright.analysis.statistics.agreement.ratings import Ratings
from batchwright.analysis.statistics.participants.label_checks import label_check, label_warning
from batchwright.analysis.store.answer_table import AnswerTable
from tests.analysis.answers import label_rows, ratings, record, table_of
from tests.analysis.statistics.agreement.rating_matrices import create_ratings


def test_the_option_with_most_votes_is_the_label_and_ties_are_shown() -> None:
    rows = label_rows(table_of(ratings([["a", "a", "b"], ["a", "b"], ["same"]], "better")))
    assert [(row.label, row.tied, row.ratings) for row in rows] == [
        ("A is better", "", 3),
        ("", "A is better; B is better", 2),
        ("About the same", "", 1),
    ]
    assert [row.confidence for row in rows] == [pytest.approx(2 / 3), 0.5, 1]


def test_options_that_more_than_half_selected_are_the_label_of_a_set() -> None:
    rows = label_rows(table_of(ratings([[["wrong", "short"], ["wrong"], []], [["short"], []]], "faults")))
    assert [(row.label, row.tied) for row in rows] == [("Wrong", ""), ("", "Short")]
    assert rows[0].confidence == pytest.approx((2 / 3 + 2 / 3 + 1) / 3)


def test_medians_have_all_digits_of_the_answers_and_no_rounding_errors() -> None:
    values = {"t0": ("1250000", "1250001"), "t1": ("1700000001",), "t2": ("0.1", "0.2")}
    table = table_of(
        record(f"p{place}", task, "duration", {"value": value, "unit": "min"})
        for task, numbers in values.items()
        for place, value in enumerate(numbers)
    )
    assert [row.label for row in label_rows(table)] == ["1250000.5", "1700000001", "0.15"]


def test_the_label_of_numbers_is_their_median_in_each_unit() -> None:
    table = table_of(
        record(f"p{n}", "t", "duration", {"value": value, "unit": unit})
        for n, (value, unit) in enumerate([("1", "h"), ("4", "h"), ("2", "h"), ("90", "min")])
    )
    assert [(row.unit, row.label, row.ratings) for row in label_rows(table)] == [
        ("h", "2", 3),
        ("min", "90", 1),
    ]


def test_labels_of_a_scale_are_those_of_its_numbers() -> None:
    table = table_of(ratings([[4, 4, 5]]))
    for model in (LabelModel.ONE_COIN, LabelModel.DAWID_SKENE):
        (row,) = label_rows(table, model)
        assert (row.label, row.model_label, row.model) == ("4 of 5", "4 of 5", model)
    (without,) = label_rows(table)
    assert (without.label, without.model_label, without.model) == ("4 of 5", "", "")


ANAESTHETISTS = """
111,1,1,1,1 333,4,3,3,4 112,2,1,2,2 222,3,1,2,1 222,3,2,2,2 222,3,3,2,2 122,2,1,1,1 333,3,4,3,3 222,2,2,2,3
232,2,2,2,3 444,4,4,4,4 222,3,3,4,3 111,1,1,1,1 222,3,2,1,2 121,1,1,1,1 111,2,1,1,1 111,1,1,1,1 111,1,1,1,1
222,2,2,2,1 222,1,3,2,2 222,2,2,2,2 222,2,2,2,1 222,3,2,2,2 221,2,2,2,2 111,1,1,1,1 111,1,1,1,1 232,2,2,2,2
111,1,1,1,1 111,1,1,1,1 112,1,1,2,1 111,1,1,1,1 333,3,2,3,3 111,1,1,1,1 222,2,2,2,2 222,3,2,3,2 433,4,3,4,3
221,2,2,3,2 232,3,2,3,3 333,3,4,3,2 111,1,1,1,1 111,1,1,1,1 121,2,1,1,1 232,2,2,2,2 121,1,1,1,1 222,2,2,2,2
"""
"""Dawid & Skene (1979), table 1: 45 patients; the first of five observers rated them three times."""


def test_the_shares_of_the_classes_of_dawid_and_skene_1979() -> None:
    given = [
        (unit, observer, int(value) - 1)
        for unit, row in enumerate(ANAESTHETISTS.split())
        for observer, values in enumerate(row.split(","))
        for value in values
    ]
    units, observers, values = np.array(given).T
    model = dawid_skene(Ratings(units, observers, values, ("1", "2", "3", "4"), np.arange(45)))
    assert [round(share, 2) for share in model.mean(axis=0).tolist()] == [0.40, 0.42, 0.11, 0.07]


OF_ONE_COIN = "132222132243121111222222112111131224223111212"
"""The labels of the one-coin model of crowd-kit 1.4.2, from the first diagnosis of each observer."""


def test_labels_of_the_one_coin_model_are_those_of_crowd_kit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without added ratings. With them, one patient of whom the model is not sure has another label."""
    given = [
        (unit, observer, int(values[0]) - 1)
        for unit, row in enumerate(ANAESTHETISTS.split())
        for observer, values in enumerate(row.split(","))
    ]
    units, observers, values = np.array(given).T
    diagnoses = Ratings(units, observers, values, ("1", "2", "3", "4"), np.arange(45))
    expected = np.array([int(label) - 1 for label in OF_ONE_COIN])
    model = one_coin(diagnoses)
    assert model.max(axis=1)[model.argmax(axis=1) != expected].round(2).tolist() == [0.51]
    monkeypatch.setattr("batchwright.analysis.statistics.agreement.label_models._USUAL_RATINGS", 0)
    assert (one_coin(diagnoses).argmax(axis=1) == expected).all()


def few_answers_each(seed: int, answers: int = 3) -> tuple[Ratings, np.ndarray]:
    """Three ratings of four values for each of 300 units, and the truth; a rater gives few ratings."""
    random = np.random.default_rng(seed)
    units = np.concatenate([random.permutation(300) for _time in range(3)])
    cells = np.unique(units * 1000 + np.arange(900) // answers)
    units, raters = np.divmod(cells, 1000)
    truth, chances = random.integers(4, size=300), random.uniform(0.6, 1, 900)
    is_right = random.random(len(units)) < chances[raters]
    wrong = (truth[units] + random.integers(1, 4, size=len(units))) % 4
    return Ratings(
        units, raters, np.where(is_right, truth[units], wrong), tuple("abcd"), np.arange(300)
    ), truth


def test_with_few_answers_per_participant_the_one_coin_model_is_right_and_dawid_and_skenes_is_not() -> None:
    """The case of 300 records, 3 answers each, 4 options, and 3 answers per participant."""
    ratings, truth = few_answers_each(4)
    most = ratings.counts == ratings.counts.max(axis=1, keepdims=True)
    majority = (most[np.arange(300), truth] / most.sum(axis=1)).mean()
    right, stated = {}, {}
    for model in (one_coin, dawid_skene):
        probabilities = model(ratings)
        right[model] = (probabilities.argmax(axis=1) == truth).mean()
        stated[model] = probabilities.max(axis=1).mean()
    assert right[one_coin] >= majority - 0.005 > 0.9
    assert abs(stated[one_coin] - right[one_coin]) < 0.04
    assert right[dawid_skene] < 0.75
    assert stated[dawid_skene] > right[dawid_skene] + 0.1


def of_choice(table: AnswerTable, model: LabelModel) -> RecordLabels:
    (labels,) = record_labels(table, 0, model)
    return labels


def test_dawid_and_skenes_model_is_doubted_below_20_answers_per_participant() -> None:
    for count, is_doubted in ((19, True), (20, False)):
        table = table_of(ratings([["a", "b", "a"]] * count, "better"))
        sentence = label_warning(of_choice(table, LabelModel.DAWID_SKENE), LabelModel.DAWID_SKENE)
        assert sentence.startswith("Answers per participant: 19 in the median") == is_doubted
        for model in (LabelModel.ONE_COIN, LabelModel.MAJORITY):
            assert label_warning(of_choice(table, model), model) == ""


def test_a_participant_with_many_answers_does_not_hide_that_others_have_few() -> None:
    votes = [["a" if number % 2 else "b"] + [None] * 20 for number in range(500)]
    votes += [["a", *["b"] * 20]] * 3
    labels = of_choice(table_of(ratings(votes, "better")), LabelModel.DAWID_SKENE)
    assert label_warning(labels, LabelModel.DAWID_SKENE).startswith(
        "Answers per participant: 3 in the median"
    )


def test_labels_are_checked_against_known_answers() -> None:
    """Five records: one is tied, one is wrong, and the answer to one is not known."""
    votes = [["a", "a", "b"], ["b", "b", "a"], ["a", "b"], ["a", "a", "a"], ["b", "b", "b"]]
    gold = ["a", "b", "a", "b", "unknown"]
    fields = {f"t{task}": {"gold": value} for task, value in enumerate(gold)}
    table = table_of(ratings(votes, "better"), fields)
    majority = "The answers to 4 records are known: the majority is right about 2 (50.0%) and tied about 1."
    assert label_check(table, 0, of_choice(table, LabelModel.MAJORITY), "gold") == majority
    sentence = label_check(table, 0, of_choice(table, LabelModel.ONE_COIN), "gold", "better")
    assert sentence.startswith(f"{majority} The model is right about ")
    assert label_check(table, 0, of_choice(table, LabelModel.MAJORITY), "gold", "scale") == ""
    assert label_check(table, 0, of_choice(table, LabelModel.MAJORITY), "") == ""


def test_the_model_outvotes_many_unreliable_raters() -> None:
    """Three raters answer at random, two are right in 95 % of the cases."""
    random = np.random.default_rng(5)
    truth = random.integers(0, 3, 400)
    rows = []
    for reliability in (0.95, 0.95, 0, 0, 0):
        is_right = random.random(400) < reliability
        rows.append([str(value) for value in np.where(is_right, truth, random.integers(0, 3, 400))])
    model = dawid_skene(create_ratings(rows))
    votes = create_ratings(rows).counts.argmax(axis=1)
    assert (model.argmax(axis=1) == truth).mean() > 0.93 > (votes == truth).mean()
    assert np.allclose(model.sum(axis=1), 1)
