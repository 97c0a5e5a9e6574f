"""Labels of records: votes, ties, medians, and Dawid and Skene's model."""

import numpy as np
import pytest

from batchwright.analysis.statistics.dawid_skene import dawid_skene
from batchwright.analysis.statistics.labels import label_rows
from batchwright.analysis.statistics.ratings import Ratings
from tests.analysis.answers import ratings, record, table_of
from tests.analysis.statistics.rating_matrices import create_ratings


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
    (row,) = label_rows(table, has_model=True)
    assert (row.label, row.model_label) == ("4 of 5", "4 of 5")
    (without,) = label_rows(table)
    assert (without.label, without.model_label) == ("4 of 5", "")


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
