"""Agreement in which values of a scale agree in part, and intraclass correlations: published values."""

import csv
import math
from contextlib import closing

import numpy as np
import pytest

from batchwright.analysis.statistics.agreement.agreement_results import (
    AC2,
    COHEN,
    PERCENT,
    WEIGHTED,
    agreement_rows,
)
from batchwright.analysis.statistics.agreement.coefficients import gwet_ac2
from batchwright.analysis.statistics.agreement.distances import Weighting, similarities
from batchwright.analysis.statistics.agreement.intraclass import (
    Correlation,
    Form,
    intraclass_correlations,
)
from batchwright.analysis.statistics.agreement.jackknife import Samples
from batchwright.analysis.statistics.agreement.rater_pairs import MAX_PAIRED, rater_pairs
from batchwright.analysis.statistics.agreement.ratings import Ratings
from batchwright.analysis.statistics.intervals import f_quantile
from batchwright.analysis.store.answer_store import AnswerStore
from tests.analysis.answers import questions, record, table_of
from tests.analysis.answers import ratings as rating_records
from tests.analysis.statistics.agreement.rating_matrices import create_ratings
from tests.flows.program import SHARED_DATA

ANXIETY = SHARED_DATA / "statistics" / "anxiety.csv"
needs_data = pytest.mark.skipif(not ANXIETY.exists(), reason="the shared data is absent")
JUDGES = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
"""Shrout, P. E., & Fleiss, J. L. (1979), table 2: six targets, rated by four judges."""
FOUR_OBSERVERS = """
1 2 3 3 2 1 4 1 2 . . .
1 2 3 3 2 2 4 1 2 5 . 3
. 3 3 3 2 3 4 2 2 5 1 .
1 2 3 3 2 4 4 1 2 5 1 .
"""
"""Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability, example C."""


def anxiety() -> Ratings:
    """Twenty subjects, three raters (R package irr)."""
    by_rater: dict[str, list[float | str | frozenset[int] | None]] = {}
    with ANXIETY.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            by_rater.setdefault(row["participant"], []).append(float(row["value"]))
    return create_ratings(list(by_rater.values()))


def ac2(ratings: Ratings, weighting: Weighting) -> float:
    found = ratings.patterns
    assert found is not None
    coefficient = gwet_ac2(found.rows, similarities(weighting, ratings.domain))
    return float(coefficient(Samples(found.weights))[0])


@needs_data
@pytest.mark.parametrize(
    ("weighting", "expected"), [(Weighting.LINEAR, 0.325078), (Weighting.QUADRATIC, 0.535292)]
)
def test_ac2_of_anxiety_is_that_of_irr_cac(weighting: Weighting, expected: float) -> None:
    """The package irrCAC 0.4.4 for Python."""
    assert round(ac2(anxiety(), weighting), 6) == expected


@pytest.mark.parametrize(
    ("weighting", "expected"), [(Weighting.LINEAR, 0.858739), (Weighting.QUADRATIC, 0.914001)]
)
def test_ac2_with_missing_ratings_is_that_of_irr_cac(weighting: Weighting, expected: float) -> None:
    """The package irrCAC 0.4.4 for Python."""
    rows = [line.split() for line in FOUR_OBSERVERS.split("\n") if line]
    observers = create_ratings([[None if cell == "." else float(cell) for cell in row] for row in rows])
    assert round(ac2(observers, weighting), 6) == expected


def test_the_interval_of_ac2_below_minus_one_contains_it() -> None:
    """Answers at random would agree in part; these agree less."""
    rows = agreement_rows(table_of(rating_records([[1, 5], [5, 1], [1, 5], [2, 4], [5, 1]])))
    row = next(row for row in rows if row.coefficient == AC2 and row.metric == "quadratic" and not row.option)
    assert row.low < row.value < -1


def test_intraclass_correlations_of_shrout_and_fleiss_1979() -> None:
    """Values printed there: 0.17, 0.29, 0.62 and 0.71; intervals as printed by the R package psych."""
    judges = create_ratings([[float(row[judge]) for row in JUDGES] for judge in range(4)])
    found = {one.form: (one.value, *one.interval) for one in intraclass_correlations(judges)}
    assert {form: tuple(round(value, 2) for value in values) for form, values in found.items()} == {
        Form.ONE_WAY: (0.17, -0.13, 0.72),
        Form.AGREEMENT: (0.29, 0.02, 0.76),
        Form.MEAN: (0.62, 0.07, 0.93),
        Form.CONSISTENCY: (0.71, 0.34, 0.95),
    }


@needs_data
def test_intraclass_correlations_of_anxiety() -> None:
    """The manual of the R package irr prints ICC(A,1) = 0.198 and -0.039 to 0.494; others: pingouin 0.6.1."""
    found = {one.form: one for one in intraclass_correlations(anxiety())}
    agreement = found[Form.AGREEMENT]
    rounded = [round(value, 3) for value in (agreement.value, *agreement.interval)]
    assert rounded == [0.198, -0.039, 0.494]
    assert round(found[Form.ONE_WAY].value, 6) == 0.175022
    assert round(found[Form.MEAN].value, 6) == 0.425499
    assert round(found[Form.CONSISTENCY].value, 6) == 0.216049


def test_two_way_forms_need_units_that_all_raters_rated() -> None:
    """Different numbers of ratings: the one-way form only, about the units with several."""
    partly = create_ratings(
        [[1.0, 2.0, 4.0, None, 7.0], [1.0, 3.0, None, 5.0, None], [None, None, 4.0, 6.0, None]]
    )
    (found,) = intraclass_correlations(partly)
    assert (found.form, found.units) == (Form.ONE_WAY, 4)
    assert 0.8 < found.interval.high < 1


def test_an_intraclass_correlation_of_equal_ratings_is_one_without_an_interval() -> None:
    for found in intraclass_correlations(create_ratings([[1.0, 2.0, 4.0]] * 3)):
        assert found.value == 1
        assert all(map(math.isnan, found.interval))


def correlations(units: list[list[int]]) -> dict[Form, Correlation]:
    """The intraclass correlations of a row of ratings for each unit, by form."""
    columns = [[float(value) for value in column] for column in zip(*units, strict=True)]
    return {one.form: one for one in intraclass_correlations(create_ratings(columns))}


@pytest.mark.parametrize("units", [[[4, 4], [5, 3]], [[1, 5, 2], [4, 3, 1]]])
def test_units_with_equal_means_have_intraclass_correlations_without_intervals(
    units: list[list[int]],
) -> None:
    found = correlations(units)
    assert found.keys() == {*Form}
    for one in found.values():
        assert not one.value > 0
        assert all(map(math.isnan, one.interval))


def test_the_interval_of_a_negative_intraclass_correlation_contains_it() -> None:
    found = correlations([[1, 5, 3], [4, 5, 1]])[Form.AGREEMENT]
    assert found.interval.low < found.value < 0 < found.interval.high < 1


def test_the_correlation_of_the_mean_has_an_interval_if_that_of_one_is_above_its_lowest() -> None:
    """Two raters: the lowest possible correlation of one is -1."""
    narrow = correlations([[1, 2], [2, 4], [4, 3], [5, 5], [1, 1]])
    single, mean = narrow[Form.AGREEMENT].interval, narrow[Form.MEAN].interval
    assert single.low > -1
    assert mean == pytest.approx([2 * end / (1 + end) for end in single])
    wide = correlations([[4, 2], [5, 3], [2, 4], [1, 2], [3, 3]])
    assert wide[Form.AGREEMENT].interval.low < -1
    assert all(map(math.isnan, wide[Form.MEAN].interval))
    assert 0 < wide[Form.MEAN].value < 1


@pytest.mark.parametrize(
    ("degrees", "expected"), [((5, 15), 3.576415), ((19, 39.7), 2.089195), ((99_999, 299_999), 1.010160)]
)
def test_quantiles_of_f_are_those_of_scipy(degrees: tuple[float, float], expected: float) -> None:
    assert f_quantile(0.975, *degrees) == pytest.approx(expected, abs=1e-6)


@needs_data
def test_kappas_of_pairs_are_those_of_scikit_learn() -> None:
    """scikit-learn 1.9.1, cohen_kappa_score without, with linear and with quadratic weights.

    The scale of the test has 5 options, so that 6 is left out of all of them.
    """
    given = anxiety()
    numbers = np.array(given.domain, dtype=np.float64)[given.values].astype(int).tolist()
    table = table_of(
        record(f"rater{rater + 1}", f"t{unit}", "scale", value)
        for unit, rater, value in zip(given.units.tolist(), given.raters.tolist(), numbers, strict=True)
        if value < 6
    )
    found = {(row.first, row.second): row for row in rater_pairs(table, 2).pairs}
    assert {
        pair: (row.records, round(row.kappa, 6), round(row.linear, 6), round(row.quadratic, 6))
        for pair, row in found.items()
    } == {
        ("rater1", "rater2"): (17, 0.168889, 0.264865, 0.358491),
        ("rater1", "rater3"): (18, -0.167939, -0.02439, 0.121212),
        ("rater2", "rater3"): (17, -0.027907, 0.06135, 0.187713),
    }


def test_a_pair_is_compared_about_the_records_that_both_answered() -> None:
    table = table_of(rating_records([["a", "a"], ["a", "b"], ["b", "b"], ["b"], ["a", "a", "b"]], "better"))
    found = rater_pairs(table, 0)
    assert [(row.first, row.second, row.records) for row in found.pairs] == [
        ("p0", "p1", 4),
        ("p0", "p2", 1),
        ("p1", "p2", 1),
    ]
    first = found.pairs[0]
    assert first.agreement == 0.75
    assert first.kappa == pytest.approx(0.5)
    assert math.isnan(first.linear), "there are no weights without a scale"
    cells = {
        (cell.first_label, cell.second_label): cell.records
        for cell in found.confusions
        if (cell.first, cell.second) == ("p0", "p1") and cell.records
    }
    assert cells == {
        ("A is better", "A is better"): 2,
        ("A is better", "B is better"): 1,
        ("B is better", "B is better"): 1,
    }
    assert found.note == ""


def test_of_many_participants_those_with_most_answers_are_compared() -> None:
    people = [["a"] * (MAX_PAIRED + 2)] * 2 + [["a"] * MAX_PAIRED]
    found = rater_pairs(table_of(rating_records(people, "better")), 0)
    names = {row.first for row in found.pairs} | {row.second for row in found.pairs}
    assert names == {f"p{number}" for number in range(MAX_PAIRED)}
    assert found.note == "Of 22 participants, the 20 with most answers are compared."


def test_weighted_coefficients_and_correlations_are_about_scales_and_numbers() -> None:
    values = [[1, 2], [2, 2], [3, 4], [5, 5], [1, 1], [4, 4]]
    table = table_of(
        [
            *rating_records(values),
            *rating_records([["a", "a"], ["b", "a"], ["a", "a"]], "better"),
            *(
                record(f"p{person}", f"t{task}", "duration", {"value": str(value), "unit": "h"})
                for task, pair in enumerate(values)
                for person, value in enumerate(pair)
            ),
        ]
    )
    rows = [row for row in agreement_rows(table) if not row.option]
    names = {(row.question, row.coefficient) for row in rows}
    forms = {str(form) for form in Form}
    assert {name for question, name in names if question == "scale"} >= {AC2, COHEN, WEIGHTED, *forms}
    assert {name for question, name in names if question == "duration"} >= forms
    assert not {name for question, name in names if question == "better"} & {AC2, WEIGHTED, *forms}
    metrics = {row.metric for row in rows if row.coefficient in (AC2, WEIGHTED)}
    assert metrics == {"linear", "quadratic"}


def test_agreement_about_as_many_options_as_answers_needs_little_memory() -> None:
    """A matrix of the similarities of 30,000 options would have seven gigabytes."""
    options = [{"label": str(n), "value": f"o{n}"} for n in range(30_000)]
    asked = questions({"id": "many", "type": "multiple_choice", "answer_limit": 1, "options": options})
    with closing(AnswerStore(asked)) as store:
        store.append(record(f"p{person}", f"t{n}", "many", f"o{n}") for n in range(60) for person in (1, 2))
        table = store.table()
    assert {row.coefficient for row in agreement_rows(table)} == {PERCENT}
    assert rater_pairs(table, 0).pairs == ()
